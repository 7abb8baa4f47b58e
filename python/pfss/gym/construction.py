"""Orders that grow, for many instances at once: the arithmetic below the environments."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Construction:
    """Partial orders of a batch of instances with times of the shape (batch, jobs, machines).

    Jobs are placed at the front, after those that were placed there before, or at the back, before those. `front` is when
    each machine finishes the jobs at the front, `back` how long before the end it starts those at the back.
    """

    def __init__(self, times: Array) -> None:
        self.times = times
        batch, jobs, machines = times.shape
        self.front = np.zeros((batch, machines))
        self.back = np.zeros((batch, machines))
        self.placed = np.zeros((batch, jobs), dtype=bool)
        self.work = times.sum(axis=1)
        self._orders: tuple[list[list[int]], list[list[int]]] = ([[] for _ in range(batch)], [[] for _ in range(batch)])

    def place(self, jobs: NDArray[np.int64], at_back: NDArray[np.bool_]) -> None:
        """Places one job of each instance that is not whole yet."""
        rows = np.arange(len(jobs))
        times = self.times[rows, jobs]
        self.front = np.where(at_back[:, None], self.front, _advance(self.front, times))
        mirrored = _advance(self.back[:, ::-1], times[:, ::-1])[:, ::-1]
        self.back = np.where(at_back[:, None], mirrored, self.back)
        self.placed[rows, jobs] = True
        self.work = self.work - times
        for row, (job, is_back) in enumerate(zip(jobs.tolist(), at_back.tolist(), strict=True)):
            self._orders[is_back][row].append(job)

    def bounds(self) -> Array:
        """What the busiest machine needs at least, with the jobs that are left and without new idle time.

        No completion of a partial order has a smaller makespan, and that of a whole order is its makespan.
        """
        load: Array = (self.front + self.work + self.back).max(axis=1)
        return load

    def orders(self) -> list[list[int]]:
        """The orders as far as they go: those at the front, then those at the back."""
        return [front + back[::-1] for front, back in zip(*self._orders, strict=True)]


def _advance(front: Array, times: Array) -> Array:
    """The front after one more job, machine by machine."""
    new = np.empty_like(front)
    done = np.zeros(len(front))
    for machine in range(front.shape[1]):
        done = np.maximum(done, front[:, machine]) + times[:, machine]
        new[:, machine] = done
    return new
