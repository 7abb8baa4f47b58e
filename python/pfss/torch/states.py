"""Orders that grow from both ends, as the bidirectional network sees them."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from .alone import InputError, instances_of
from .batches import stacked


class FrontState:
    """Orders that grow from both ends, for a batch of instances, also of several sizes.

    `times` has the shape (batch, jobs, machines) and is divided by the mean of each instance; what is missing of smaller
    instances is zero, and `jobs` and `machines` are their sizes. `open` tells which jobs are left, `front` when each
    machine finishes the jobs at the front, `back` the same of the back in the mirrored problem. Sums are kept in double
    precision, as the Rust inference does.
    """

    def __init__(self, times: Tensor, jobs: Tensor | None = None, machines: Tensor | None = None) -> None:
        if not isinstance(times, Tensor) or times.dim() != 3:
            raise InputError("the times must be a tensor (batch, jobs, machines); `FrontState.of(instances)` makes a state")
        self.times = times.double()
        (batch, most_jobs, most_machines), device = times.shape, times.device
        self.jobs = torch.full((batch,), most_jobs, device=device) if jobs is None else jobs
        self.machines = torch.full((batch,), most_machines, device=device) if machines is None else machines
        self.open = torch.arange(most_jobs, device=device) < self.jobs[:, None]
        numbers = torch.arange(most_machines, device=device)
        self._seen = numbers < self.machines[:, None]
        # Where each machine stands in the mirrored problem; padding stays at the end.
        self._mirror = torch.where(self._seen, self.machines[:, None] - 1 - numbers, numbers)
        self.front = torch.zeros(batch, most_machines, dtype=torch.float64, device=device)
        self.back = torch.zeros_like(self.front)

    @classmethod
    def of(cls, instances: Any, device: torch.device | str = "cpu") -> FrontState:
        """No job placed yet."""
        shops = instances_of(instances)
        tables = []
        for one in shops:
            times = torch.as_tensor(one.times).double()
            mean = times.mean()
            # Rust divides in double precision and keeps single precision.
            tables.append((times / mean if mean > 0 else times).float())
        sizes = torch.tensor([[one.num_jobs, one.num_machines] for one in shops], device=device)
        return cls(stacked(tables).to(device), *sizes.unbind(dim=1))

    def place(self, jobs: Tensor, at_back: Tensor) -> FrontState:
        """The state after one more job of each instance, at the front or at the back; whole orders stay as they are."""
        is_left = self.open.any(dim=1)
        self._check(jobs, at_back, is_left)
        rows = torch.arange(len(jobs), device=jobs.device)
        times = self.times[rows, jobs]
        new = FrontState.__new__(FrontState)
        new.__dict__.update(self.__dict__)
        new.open = self.open.clone()
        new.open[rows, jobs] = False
        mirrored = self._mirrored(self._advance(self._mirrored(self.back), self._mirrored(times)))
        new.front = torch.where((is_left & ~at_back)[:, None], self._advance(self.front, times), self.front)
        new.back = torch.where((is_left & at_back)[:, None], mirrored, self.back)
        return new

    def _check(self, jobs: Any, at_back: Any, is_left: Tensor) -> None:
        batch = (len(self.times),)
        if not isinstance(jobs, Tensor) or jobs.dtype != torch.int64 or jobs.shape != batch:
            raise InputError(f"the jobs must be a tensor of int64 of the shape {batch}, one for each instance")
        if not isinstance(at_back, Tensor) or at_back.dtype != torch.bool or at_back.shape != batch:
            raise InputError(f"the ends must be a tensor of bool of the shape {batch}: True is the back")
        # A look at the numbers would make a GPU wait.
        if jobs.device.type == "cpu":
            most = self.times.shape[1]
            for row, job in enumerate(jobs.tolist()):
                if not 0 <= job < most or (is_left[row] and not self.open[row, job]):
                    raise InputError(f"instance {row} has no job {job} that is left")

    def makespans(self) -> Tensor:
        """Of whole orders, in units of the mean time."""
        return (self.front + self.back).amax(dim=1)

    def features(self, end: int) -> Tensor:
        """What the network sees of each job on each machine at an end: (batch, jobs, machines, 16)."""
        if end == 0:
            return self._features(self.times, self.front, self.back)
        return self._features(*(self._mirrored(one) for one in (self.times, self.back, self.front)))

    def scalars(self) -> Tensor:
        """The share of jobs left, and logarithms of the sizes: (batch, 4)."""
        left = self.open.sum(dim=1).clamp(min=1).double()
        jobs, machines = self.jobs.double(), self.machines.double()
        return torch.stack([left / jobs, left.log() / 4, jobs.log() / 4, machines.log() / 3], dim=1)

    def mean_and_largest(self, rows: Tensor) -> Tensor:
        """Means and maxima over the machines of what has the shape (batch, jobs, machines, width)."""
        seen = self._seen[:, None, :, None]
        count = self.machines.to(rows.dtype)[:, None, None]
        mean = rows.masked_fill(~seen, 0.0).sum(dim=2) / count
        return torch.cat([mean, rows.masked_fill(~seen, -torch.inf).amax(dim=2)], dim=2)

    def _mirrored(self, rows: Tensor) -> Tensor:
        index = self._mirror if rows.dim() == 2 else self._mirror[:, None, :].expand_as(rows)
        return rows.gather(rows.dim() - 1, index)

    def _advance(self, front: Tensor, times: Tensor) -> Tensor:
        columns = []
        done = torch.zeros_like(front[:, 0])
        for machine in range(front.shape[1]):
            done = torch.maximum(done, front[:, machine]) + times[:, machine]
            columns.append(done)
        return torch.stack(columns, dim=1).masked_fill(~self._seen, 0.0)

    def _features(self, times: Tensor, own: Tensor, other: Tensor) -> Tensor:
        """The definition of docs/reference/networks.md, in the view of one end."""
        left = self.open.sum(dim=1).clamp(min=1).double()
        work = (times * self.open[:, :, None]).sum(dim=1)
        load = (own + work + other).masked_fill(~self._seen, -torch.inf)
        slack = (load - load.amax(dim=1, keepdim=True)).masked_fill(~self._seen, 0.0)[:, None, :].expand_as(times)
        last = other.gather(1, self.machines[:, None] - 1)[:, None, :]
        own, other = own[:, None, :].expand_as(times), other[:, None, :].expand_as(times)
        done = torch.zeros_like(times[:, :, 0])
        completions, waits = [], []
        for machine in range(times.shape[2]):
            start = torch.maximum(done, own[:, :, machine])
            waits.append(start - done if machine else torch.zeros_like(done))
            done = start + times[:, :, machine]
            completions.append(done)
        completion, wait = torch.stack(completions, dim=2), torch.stack(waits, dim=2)
        idle = completion - times - own
        heads = times.cumsum(dim=2) - times
        tails = times.flip(2).cumsum(dim=2).flip(2) - times
        root, count = left.sqrt()[:, None, None], left[:, None, None]
        curved = [
            times,
            idle,
            wait,
            slack,
            slack + idle,
            completion - completion[:, :, :1],
            own - own[:, :, :1],
            other - last,
            heads,
            tails,
            slack / root,
            8.0 * (slack + idle) / count,
        ]
        numbers = torch.arange(times.shape[2], dtype=times.dtype, device=times.device)
        position = (numbers / (self.machines - 1).clamp(min=1)[:, None])[:, None, :]
        plain = [
            (work / left[:, None])[:, None, :].expand_as(times) - 1.0,
            position.expand_as(times),
            (count / self.jobs[:, None, None]).expand_as(times),
            (count.log() / 4).expand_as(times),
        ]
        return torch.cat([torch.stack(curved, dim=3).asinh(), torch.stack(plain, dim=3)], dim=3)
