"""Solving, judging and bounding instances."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pfss import _pfss
from pfss._pfss import InputError, number
from pfss.clocks import Date
from pfss.columns import objectives, whole
from pfss.instances import Instance, as_instance
from pfss.progress import Progress
from pfss.results import Improvement, Result


def solve(
    instance: Instance | ArrayLike | Any,
    *,
    algorithm: str = "auto",
    objective: str | Sequence[str] | None = None,
    time_limit: float | None = None,
    evaluations: int | None = None,
    stall: int | None = None,
    target: float | None = None,
    seed: int = 1,
    threads: int | None = 1,
    memory: int | None = None,
    start: Sequence[Any] | NDArray[Any] | None = None,
    start_at: Date | None = None,
    unit: str | None = None,
    settings: Mapping[str, Any] | None = None,
    on_improvement: Callable[[Improvement], Any] | None = None,
    progress: bool = False,
) -> Result:
    """Solves an instance: the best order within the limits, with a bound.

    >>> import pfss
    >>> pfss.solve([[3, 2, 4], [1, 5, 2], [4, 1, 3]]).makespan
    15
    >>> costs = []
    >>> result = pfss.solve(
    ...     pfss.taillard("ta001"), algorithm="iterated-greedy", evaluations=50_000, settings={"destruction-size": 3},
    ...     on_improvement=lambda new: costs.append(new.value))
    >>> costs[-1] == result.makespan
    True

    Without a limit it ends when the best order is proven. The interpreter's lock is released. Ctrl-C ends the search with
    the best order so far; a second one raises KeyboardInterrupt.

    Parameters
    ----------
    instance
        An `Instance`, or the times: a row for each job.
    algorithm, settings
        One of `algorithms`, and values of its parameters.
    objective
        What to minimise, in the place of what the instance says.
    time_limit, evaluations, stall, target
        Seconds, evaluations, evaluations without an improvement, and a value that is good enough. A limit of evaluations
        gives the same answer on every machine.
    seed, threads, memory
        The seed of all random choices, how many threads may search (None: all cores), and about how many bytes.
    start
        An order to start from, by names or numbers; the answer is never worse.
    start_at, unit
        When time 0 is and how long a unit of time is, as `Instance` has them: the schedule and the chart then have dates.
    on_improvement
        Is called with each `Improvement`. The search waits for it, and ends when it returns False.
    progress
        Whether a line on standard error tells how far it is.

    Raises
    ------
    InputError
        What was given cannot be used.
    SolveError
        The algorithm has no answer for this instance.
    """
    shop = as_instance(instance, start_at, unit)
    if not (on_improvement is None or callable(on_improvement)):
        raise InputError(f"`on_improvement` is {on_improvement!r}; expected a function")
    wishes = {
        "algorithm": str(algorithm),
        "settings": as_settings(settings),
        "seed": whole(seed, "the seed"),
        "threads": cores() if threads is None else whole(threads, "the number of threads", 1),
        "time_limit": None if time_limit is None else number(time_limit, "the time limit"),
        "evaluations": whole(evaluations, "the number of evaluations"),
        "stall": whole(stall, "the number of evaluations without improvement"),
        "target": None if target is None else number(target, "the target"),
        "memory": whole(memory, "the memory"),
        "start": start,
        "objective": objectives(objective),
    }
    bar = Progress(limit=time_limit) if progress else None
    names = shop.jobs if on_improvement is not None else None

    def tell(order: list[int], value: int | float, bound: int | float, time: float, count: int) -> Any:
        if bar is not None:
            bar.improvement(value, bound)
        if on_improvement is None:
            return None
        named = order if names is None else [names[job] for job in order]
        answer = on_improvement(Improvement(value, bound, time, count, named))
        # Only a plain "no" stops: other empty values are what a callback happened to compute.
        return not (answer is False or (isinstance(answer, np.bool_) and not answer))

    listens = on_improvement is not None or bar is not None
    try:
        native = _pfss.solve(shop._native, wishes, tell if listens else None, bar.tick if bar else None, is_main())
    finally:
        if bar is not None:
            bar.close()
    return Result(native)


def is_main() -> bool:
    """Whether this is the thread that gets signals."""
    return threading.current_thread() is threading.main_thread()


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def as_settings(settings: Mapping[str, Any] | None) -> str:
    """Settings as JSON, their keys as the library writes them."""
    if not settings:
        return "{}"
    try:
        return json.dumps({str(key).replace("_", "-"): value for key, value in settings.items()})
    except (TypeError, ValueError) as error:
        raise InputError(f"the settings: {error}") from None


def evaluate(instance: Instance | ArrayLike | Any, order: Sequence[Any] | NDArray[Any]) -> Any:
    """The value of an order: its makespan, or what the instance says; several objectives give a tuple.

    Of a two-dimensional array every row is an order, and the values come as an array.

    >>> import pfss
    >>> shop = pfss.Instance([[3, 2], [1, 5], [4, 1]], jobs=["axle", "wheel", "frame"])
    >>> pfss.evaluate(shop, ["wheel", "axle", "frame"]), pfss.evaluate(shop, [0, 1, 2])
    (9, 11)
    """
    shop = as_instance(instance)
    if isinstance(order, np.ndarray) and order.ndim == 2:
        return np.asarray([evaluate(shop, row) for row in order])
    values = _pfss.evaluate(shop._native, order)
    return values[0] if len(values) == 1 else tuple(values)


def lower_bound(instance: Instance | ArrayLike | Any) -> int | float:
    """A value that no order undercuts, without any search.

    >>> import pfss
    >>> pfss.lower_bound(pfss.taillard("ta001"))
    1278
    """
    return _pfss.lower_bound(as_instance(instance)._native)
