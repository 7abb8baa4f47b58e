"""Instances, made from times."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pfss import _pfss, columns
from pfss._pfss import InputError
from pfss.clocks import Date, clock_of, start_of
from pfss.frames import is_frame, read_frame

#: One value for each job or machine: a list, an array, a column, or a mapping by name or number.
Values: TypeAlias = Sequence[Any] | Mapping[Any, Any] | NDArray[Any] | Any


class Instance:
    """A flow shop: how long each job takes on each machine, and what else there is to say.

    Rows are jobs and columns are machines. Lists, numpy arrays and DataFrames are accepted; of a DataFrame the index and
    the columns are the names, and columns called ``release``, ``due``, ``weight`` or ``family`` describe jobs.

    >>> import pfss
    >>> line = pfss.Instance([[4, 3], [2, 5]], jobs=["hood", "door"], machines=["spray", "oven"], due=[9, 12])
    >>> line
    Instance(2 jobs x 2 machines, due)
    >>> line.times.tolist(), line.jobs
    ([[4, 3], [2, 5]], ['hood', 'door'])

    Parameters
    ----------
    times
        A row for each job. Whole numbers stay whole; one real number makes all real.
    jobs, machines, name
        Names, which appear in every result.
    release, due, weight, family
        One value for each job (None where there is none), or a mapping by job.
    available_from, breaks, resume
        One value for each machine, or a mapping by machine: when it is free, the intervals ``(from, to)`` in which it
        stands still, and whether an operation that meets one goes on afterwards (True) or waits until it fits (False).
    setup
        Rows ``(machine, from, to, time)``: the time between jobs of two families, ``from`` is None before the first job.
        A DataFrame with these columns is accepted, too.
    buffer, no_wait
        One value for all gaps, one for each machine, or a mapping by machine: how many jobs fit behind it (0: a job stays
        on its machine until the next one is free), and whether jobs must go on at once.
    first, precedence
        Jobs at the beginning, and pairs of which the first comes somewhere before the second.
    objective
        ``makespan``, ``total-completion``, ``total-tardiness``, ``max-lateness`` or ``late-jobs``, or several of them,
        the most important first.
    start_at, unit
        A clock: when time 0 is (``2026-11-16T06:00``, or an object of datetime, numpy or pandas), and how long a unit of
        time is (``s``, ``min``, ``h`` or ``d``). Releases, due dates, breaks and ``available_from`` may then be dates or
        times of day, and schedules and charts have dates. A date without a time of day is its first moment, as a due
        date its last; a time of day is the first one from the start on.

    >>> line = pfss.Instance([[4, 3], [2, 5]], due=["14:30", "2026-11-17"], start_at="2026-11-16T06:00", unit="h")
    >>> line.due, line.start_at
    ([8.5, 42], datetime.datetime(2026, 11, 16, 6, 0))
    >>> str(pfss.solve(line).schedule["end"].max())
    '2026-11-16T16:00:00.000'
    """

    __slots__ = ("_native",)
    _native: _pfss.NativeInstance

    def __init__(
        self,
        times: ArrayLike | Any,
        *,
        jobs: Sequence[object] | None = None,
        machines: Sequence[object] | None = None,
        name: str = "",
        release: Values | None = None,
        due: Values | None = None,
        weight: Values | None = None,
        family: Values | None = None,
        available_from: Values | None = None,
        breaks: Values | None = None,
        resume: Values | bool | None = None,
        setup: Values | None = None,
        buffer: Values | int | None = None,
        no_wait: Values | bool | None = None,
        first: Sequence[object] | None = None,
        precedence: Sequence[tuple[object, object]] | None = None,
        objective: str | Sequence[str] | None = None,
        start_at: Date | None = None,
        unit: str | None = None,
    ) -> None:
        clock = clock_of(start_at, unit)
        given: dict[str, Any] = dict(release=release, due=due, weight=weight, family=family)
        if isinstance(times, Instance):
            raise InputError("this is an instance already")
        if is_frame(times):
            frame = read_frame(times)
            times = frame.times
            jobs = frame.jobs if jobs is None else jobs
            machines = frame.machines if machines is None else machines
            given.update({key: value for key, value in frame.attributes.items() if given[key] is None})
        job_names = None if jobs is None else [str(job) for job in jobs]
        machine_names = None if machines is None else [str(machine) for machine in machines]
        given.update(available_from=available_from, breaks=breaks, resume=resume, setup=setup)
        given.update(buffer=buffer, no_wait=no_wait, first=first, precedence=precedence, objective=objective)
        # What is no table is told by the native part.
        if all(value is None for value in given.values()) or not _is_table(times):
            self._native = _pfss.NativeInstance(times, name, job_names, machine_names, None, clock)
            return
        table: Any = times if isinstance(times, np.ndarray) else list(cast("Iterable[Any]", times))
        count = len(table), len(table[0]) if len(table) and hasattr(table[0], "__len__") else 0
        lists = _lists(given, count, (job_names, machine_names), clock)
        self._native = _pfss.NativeInstance(table, name, job_names, machine_names, lists, clock)

    @classmethod
    def _of(cls, native: _pfss.NativeInstance) -> Instance:
        instance = cls.__new__(cls)
        instance._native = native
        return instance

    @classmethod
    def from_json(cls, text: str, *, start_at: Date | None = None, unit: str | None = None) -> Instance:
        """The instance in a text of the schema ``pfss.instance/1`` or ``pfss.instance/2``."""
        return only(_pfss.instances_from_json(text, clock_of(start_at, unit)), "the text")

    def to_json(self) -> str:
        """One line of JSON that `read` and the command line read. It holds everything but the clock: dates are units."""
        return self._native.to_json()

    @property
    def name(self) -> str:
        """The name; empty where there is none."""
        return self._native.name

    @property
    def num_jobs(self) -> int:
        """The number of jobs."""
        return self._native.num_jobs

    @property
    def num_machines(self) -> int:
        """The number of machines."""
        return self._native.num_machines

    @property
    def times(self) -> NDArray[Any]:
        """A new array of the times, a row for each job: int64 where all are whole, else float64."""
        return self._native.times()

    @property
    def jobs(self) -> list[str] | None:
        """The names of the jobs, where they have any."""
        return self._native.jobs

    @property
    def machines(self) -> list[str] | None:
        """The names of the machines, where they have any."""
        return self._native.machines

    @property
    def objective(self) -> str:
        """What is minimised; several are separated by commas."""
        return ",".join(self._native.objectives)

    @property
    def start_at(self) -> datetime.datetime | None:
        """When time 0 is, where there is a clock."""
        clock = self._native.clock
        return None if clock is None else start_of(clock)

    @property
    def unit(self) -> str | None:
        """How long a unit of time is, where there is a clock: ``s``, ``min``, ``h`` or ``d``."""
        clock = self._native.clock
        return None if clock is None else clock.unit

    @property
    def release(self) -> list[int | float] | None:
        """When the jobs may start, in units of time, where that is said."""
        rows = self._native.job_attributes()
        return [row[0] for row in rows] if any(row[0] for row in rows) else None

    @property
    def due(self) -> list[int | float | None] | None:
        """When the jobs are due, in units of time, where that is said."""
        rows = self._native.job_attributes()
        return [row[1] for row in rows] if any(row[1] is not None for row in rows) else None

    @property
    def weight(self) -> list[float] | None:
        """What a unit of time costs, where not all weigh the same."""
        rows = self._native.job_attributes()
        return [row[2] for row in rows] if any(row[2] != 1.0 for row in rows) else None

    @property
    def family(self) -> list[str | None] | None:
        """The families of the jobs, where they have any."""
        rows = self._native.job_attributes()
        return [row[3] for row in rows] if any(row[3] is not None for row in rows) else None

    @property
    def is_plain(self) -> bool:
        """Whether jobs and machines carry times only, and the makespan is minimised."""
        return self._native.is_plain

    @property
    def best_known(self) -> tuple[float | None, float | None]:
        """The lower and the upper bound that the file told, where it did."""
        return self._native.known_bounds

    @property
    def fingerprint(self) -> str:
        """The hash that results carry as ``instance_hash``."""
        return self._native.fingerprint

    def __repr__(self) -> str:
        name = f"{self.name!r}, " if self.name else ""
        carried = [word for word in columns.JOB_ATTRIBUTES if getattr(self, word) is not None]
        if not self.is_plain and not carried:
            carried = [self.objective if self.objective != "makespan" else "with attributes"]
        told = "".join(f", {word}" for word in carried)
        return f"Instance({name}{self.num_jobs} jobs x {self.num_machines} machines{told})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instance) and self._native.equals(other._native)

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __reduce__(self) -> tuple[Any, ...]:
        clock = self._native.clock
        return _restored, (self.to_json(), *((clock.start_at, clock.unit) if clock else (None, None)))


def _is_table(times: Any) -> bool:
    if isinstance(times, np.ndarray):
        return times.ndim == 2
    return isinstance(times, Iterable) and not isinstance(times, str)


def _restored(text: str, start_at: str | None, unit: str | None) -> Instance:
    return Instance.from_json(text, start_at=start_at, unit=unit)


def _lists(
    given: Mapping[str, Any],
    count: tuple[int, int],
    names: tuple[list[str] | None, list[str] | None],
    clock: _pfss.NativeClock | None,
) -> dict[str, Any]:
    """One list for each attribute that is given, None for all others."""
    of_jobs, of_machines = (names[0], count[0]), (names[1], count[1])
    lists: dict[str, Any] = dict.fromkeys(given)
    for key, value in given.items():
        if value is None:
            continue
        elif key == "due":
            lists[key] = columns.dues(value, *of_jobs, clock)
        elif key == "release":
            lists[key] = columns.begins(value, *of_jobs, key, clock)
        elif key == "weight":
            lists[key] = columns.weights(value, *of_jobs)
        elif key == "family":
            lists[key] = columns.texts(value, *of_jobs, key)
        elif key == "available_from":
            lists[key] = columns.begins(value, *of_machines, key, clock)
        elif key == "breaks":
            lists[key] = columns.breaks(value, *of_machines, clock)
        elif key == "resume":
            lists[key] = columns.resumes(value, *of_machines)
        elif key == "buffer":
            lists[key] = columns.buffers(value, *of_machines)
        elif key == "no_wait":
            lists[key] = columns.no_waits(value, *of_machines)
        elif key == "setup":
            lists[key] = columns.setups(value)
        elif key == "objective":
            lists[key] = columns.objectives(value)
        elif key == "precedence":
            lists[key] = columns.pairs(value)
        else:
            lists[key] = value
    return lists


def only(found: list[_pfss.NativeInstance], where: str) -> Instance:
    """The one instance that was found."""
    if len(found) != 1:
        raise InputError(f"{where}: holds {len(found)} instances, one is wanted; `pfss.read_all` gives all")
    return Instance._of(found[0])


def as_instance(
    given: Instance | ArrayLike | Any, start_at: Date | None = None, unit: str | None = None
) -> Instance:
    """The instance itself, or one with these times; with a clock, where one is given."""
    if isinstance(given, str | os.PathLike):
        raise InputError(f"{os.fspath(given)!r} is no instance; `pfss.read` reads files, `pfss.taillard` knows benchmarks")
    if not isinstance(given, Instance):
        return Instance(given, start_at=start_at, unit=unit)
    clock = clock_of(start_at, unit)
    if clock is None:
        return given
    if given.start_at is not None:
        raise InputError("the instance has `start_at` and `unit` already; leave them out here")
    return Instance._of(given._native.with_clock(clock))


def as_instances(given: Any) -> list[Instance]:
    """Several instances: a list of them, one, or an array of three dimensions."""
    if isinstance(given, Instance):
        return [given]
    if is_frame(given):
        return [Instance(given)]
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"{given!r} is no list of instances")
    if isinstance(given, np.ndarray) and given.ndim != 3:
        raise InputError(f"the array has {given.ndim} dimensions; three are needed: instances, jobs, machines")
    return [as_instance(one) for one in given]


def natives(instances: Sequence[Instance]) -> Iterator[_pfss.NativeInstance]:
    """What the native part takes."""
    return (instance._native for instance in instances)
