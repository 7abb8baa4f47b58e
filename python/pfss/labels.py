"""Orders of experts to train one's own policies, and files of them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pfss import _pfss
from pfss._pfss import InputError
from pfss.columns import whole
from pfss.instances import Instance, as_instances, natives
from pfss.policies import as_table
from pfss.progress import Progress
from pfss.results import Result
from pfss.solving import as_settings, cores, is_main


class Labels(NamedTuple):
    """Instances of one size with an expert's orders."""

    instances: list[Instance]
    #: A row for each instance: its jobs in order, by number.
    orders: NDArray[np.int64]
    #: Where they come from: what `write_labels` was given, or what the command line wrote.
    record: dict[str, Any]


def label(
    instances: Iterable[Instance] | NDArray[Any],
    *,
    expert: str | Callable[[Instance], Any] = "iterated-greedy",
    evaluations: int | None = 200_000,
    settings: Mapping[str, Any] | None = None,
    seed: int = 1,
    threads: int | None = None,
    progress: bool = False,
) -> Any:
    """The orders of an expert, one row for each instance, to learn from; a list of arrays where sizes differ.

    ``expert`` is an algorithm, or a function of one's own that is given an instance and returns an order of its jobs (names,
    numbers, or a `Result`). ``evaluations`` limits an algorithm's search on each instance, so that labels do not
    depend on the machine; experts that end by themselves do not need it. Ctrl-C raises KeyboardInterrupt: an order that was
    cut short is no label.

    >>> import numpy as np, pfss
    >>> batch = pfss.generate("gamma", num_jobs=10, num_machines=5, count=4, seed=1)
    >>> pfss.label(batch, expert="iterated-greedy", evaluations=1000).shape
    (4, 10)
    >>> shortest_first = pfss.label(batch, expert=lambda one: np.argsort(one.times.sum(axis=1)))
    >>> bool(batch[0].times[shortest_first[0, 0]].sum() == batch[0].times.sum(axis=1).min())
    True
    """
    batch = as_instances(instances)
    if callable(expert):
        given = {"settings": settings is not None, "threads": threads is not None}
        given["evaluations"] = evaluations not in (None, 200_000)
        for name in given:
            if given[name]:
                raise InputError(f"`{name}` is for algorithms of pfss, not for an expert of your own")
    wishes = {
        "algorithm": str(expert),
        "settings": as_settings(settings),
        "evaluations": whole(evaluations, "the number of evaluations"),
        "seed": whole(seed, "the seed"),
        "threads": cores() if threads is None else whole(threads, "the number of threads", 1),
    }
    bar = Progress(total=len(batch)) if progress else None
    try:
        if callable(expert):
            return as_table(_asked(batch, expert, bar))
        orders = _pfss.label(list(natives(batch)), wishes, bar.tick if bar else None, is_main())
    finally:
        if bar is not None:
            bar.close()
    return as_table(orders)


def _asked(batch: Sequence[Instance], expert: Callable[[Instance], Any], bar: Progress | None) -> list[list[int]]:
    """The orders of an expert of one's own."""
    orders = []
    for index, instance in enumerate(batch):
        answer = expert(instance)
        orders.append(_numbers(instance, answer, f"the expert's order of instance {index} (counted from 0)"))
        if bar is not None:
            bar.tick(index + 1)
    return orders


def _numbers(instance: Instance, order: Any, what: str) -> list[int]:
    if isinstance(order, Result):
        return list(order.order_numbers)
    try:
        return _pfss.numbers(instance._native, order)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None


def read_labels(path: str | os.PathLike[str]) -> Labels:
    """Labelled instances from a file of `write_labels`, ``pfss train label``, or the folder of a training.

    >>> import pathlib, tempfile, pfss
    >>> batch = pfss.generate("gamma", num_jobs=10, num_machines=5, count=4, seed=1)
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "labels.safetensors"
    >>> pfss.write_labels(file, batch, pfss.label(batch, expert="neh"), record={"expert": "neh"})
    >>> labels = pfss.read_labels(file)
    >>> len(labels.instances), labels.orders.shape, labels.record
    (4, (4, 10), {'expert': 'neh'})
    """
    file = os.path.join(path, "labels.safetensors") if os.path.isdir(path) else os.fspath(path)
    times, orders, record = _pfss.read_labels(file)
    return Labels([Instance(table) for table in times], np.asarray(orders, dtype=np.int64), json.loads(record))


def write_labels(
    path: str | os.PathLike[str],
    instances: Iterable[Instance] | NDArray[Any],
    orders: Sequence[Any] | NDArray[Any],
    *,
    record: Mapping[str, Any] | None = None,
) -> None:
    """Writes instances of one size and orders of their jobs, for ``pfss train bc --labels`` and `read_labels`.

    ``record`` says where they come from, in what JSON can hold; trainings repeat it in theirs.
    """
    batch, given = as_instances(instances), list(orders)
    if len(batch) != len(given):
        raise InputError(f"there are {len(batch)} instances and {len(given)} orders; each instance needs one")
    if not batch:
        raise InputError("there are no instances")
    shape = batch[0].num_jobs, batch[0].num_machines
    for index, one in enumerate(batch):
        if (one.num_jobs, one.num_machines) != shape:
            raise InputError(
                f"instance {index} has {one.num_jobs} jobs on {one.num_machines} machines and the first one "
                f"{shape[0]} on {shape[1]}; a file holds one size"
            )
        if not one.is_plain:
            raise InputError(f"instance {index} carries more than times; labels are for the plain problem")
    numbers = [_numbers(one, order, f"order {index}") for index, (one, order) in enumerate(zip(batch, given, strict=True))]
    try:
        text = json.dumps(dict(record or {}), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"the record cannot be written as JSON: {error}") from None
    times = np.stack([one.times for one in batch]).astype(np.float64)
    _pfss.write_labels(os.fspath(path), times, numbers, text)
