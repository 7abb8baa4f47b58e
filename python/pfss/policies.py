"""Trained policies."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pfss import _pfss
from pfss._pfss import InputError, number
from pfss.columns import whole
from pfss.instances import Instance, as_instance, as_instances, natives
from pfss.progress import Progress
from pfss.solving import cores, is_main


class Decoded(NamedTuple):
    """What a policy built for a batch."""

    #: A row for each instance: its jobs in order, by number. A list of arrays where sizes differ.
    orders: Any
    #: The makespan of each order.
    values: NDArray[Any]


class Policy:
    """A trained policy: one that is built in (``front``, ``front-wide``), or the file or folder of a training.

    >>> import pfss
    >>> policy = pfss.Policy("front")
    >>> batch = pfss.generate("gamma", num_jobs=20, num_machines=5, count=3, seed=1)
    >>> orders, values = policy.decode(batch, samples=4)
    >>> orders.shape, [pfss.evaluate(one, order) for one, order in zip(batch, orders)] == values.tolist()
    ((3, 20), True)
    """

    __slots__ = ("_model", "_native")

    def __init__(self, model: str | os.PathLike[str] = "front") -> None:
        self._model = os.fspath(model)
        self._native = _pfss.NativePolicy(self._model)

    @property
    def kind(self) -> str:
        """``network``: one job after the other, for one number of machines. ``front``: from both ends, for any."""
        return self._native.kind

    def decode(
        self,
        instances: Iterable[Instance] | NDArray[Any] | Instance,
        *,
        samples: int = 0,
        temperature: float = 1.0,
        beam: int = 0,
        reverse: bool = False,
        seed: int = 1,
        threads: int | None = None,
        progress: bool = False,
    ) -> Decoded:
        """The best order that the policy builds for each instance, and its makespan.

        Built are the greedy order and ``samples`` drawn ones, or those of a ``beam`` of this width; with ``reverse`` also
        those of the mirrored instances. ``temperature`` divides the logits of drawn orders. ``threads`` is None for all
        cores; the result does not depend on it.
        """
        batch = as_instances(instances)
        if samples and beam:
            raise InputError("samples and beam exclude each other")
        samples, temperature = checked_sampling(samples, temperature)
        manner = {
            "samples": samples,
            "temperature": temperature,
            "beam": whole(beam, "the width of the beam"),
            "reverse": bool(reverse),
            "seed": whole(seed, "the seed"),
            "threads": cores() if threads is None else whole(threads, "the number of threads", 1),
        }
        bar = Progress(total=len(batch)) if progress else None
        try:
            built = self._native.decode(list(natives(batch)), manner, bar.tick if bar else None, is_main())
        finally:
            if bar is not None:
                bar.close()
        return Decoded(as_table([order for order, _ in built]), np.asarray([value for _, value in built]))

    def log_probabilities(
        self, instance: Instance, order: Sequence[Any] | NDArray[Any]
    ) -> NDArray[np.float32]:
        """The logarithms of the probabilities of all choices along an order that grows at the front.

        A row for each step. The columns of ``network`` are the jobs; those of ``front`` are the jobs at the front, then
        the jobs at the back. What is placed already has minus infinity.
        """
        rows = self._native.log_probabilities(as_instance(instance)._native, order)
        return np.asarray(rows, dtype=np.float32)

    def __repr__(self) -> str:
        return f"Policy({self._model!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Policy, (self._model,)


def checked_sampling(samples: int, temperature: float) -> tuple[int, float]:
    """How many orders are drawn, and at which temperature."""
    count = whole(samples, "the number of samples")
    divisor = number(temperature, "the temperature")
    if divisor != 1.0 and not count:
        raise InputError("a temperature changes drawn orders only; say how many with `samples`")
    if not 0.0 < divisor < np.inf:
        raise InputError(f"the temperature is {temperature}; expected a positive number")
    return count, divisor


def decoded(instances: Sequence[Instance], orders: list[list[int]]) -> Decoded:
    """Orders and what they are worth."""
    values = [_pfss.evaluate(one._native, order)[0] for one, order in zip(instances, orders, strict=True)]
    return Decoded(as_table(orders), np.asarray(values))


def as_table(orders: list[list[int]]) -> Any:
    """One array where all orders have the same length, else a list of arrays."""
    if len({len(order) for order in orders}) <= 1:
        return np.asarray(orders, dtype=np.int64)
    return [np.asarray(order, dtype=np.int64) for order in orders]
