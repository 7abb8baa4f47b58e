"""What jobs and machines carry beyond times, from what people hand over to one list for each attribute."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from pfss._pfss import InputError, NativeClock, number
from pfss.clocks import date_text

#: Columns of a table that describe jobs; all others are machines.
JOB_ATTRIBUTES = ("release", "due", "weight", "family")


def is_missing(value: object) -> bool:
    """Whether a cell of a table is empty: None, NaN, or what pandas has for them."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, np.datetime64):
        return bool(np.isnat(value))
    return isinstance(value, float) and math.isnan(value)


def whole(value: Any, what: str, least: int = 0) -> Any:
    """A whole number that is not too small, or None."""
    if value is None:
        return None
    try:
        found = operator.index(value)
    except TypeError:
        found = None
    if found is None or isinstance(value, bool) or found < least or found >= 2**63:
        raise InputError(f"{what} is {value!r}; expected a whole number, at least {least}")
    return found


def spread(values: Any, names: Sequence[str] | None, count: int, what: str) -> list[Any]:
    """One value for each job or machine, from a list, or from a mapping by name or number."""
    if isinstance(values, Mapping):
        found: list[Any] = [None] * count
        places = {name: place for place, name in enumerate(names or [])}
        for key, value in values.items():
            place = key if isinstance(key, int | np.integer) and not isinstance(key, bool) else places.get(str(key), -1)
            if not 0 <= place < count:
                raise InputError(f"`{what}` names {key!r}, which is none of the {count} there are")
            found[place] = value
        return found
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"`{what}` is {values!r}; expected {count} values")
    found = list(values)
    if len(found) != count:
        raise InputError(f"`{what}` has {len(found)} values, expected are {count}")
    return found


def weights(values: Any, names: Sequence[str] | None, count: int) -> list[float]:
    """What a unit of time costs for each job: 1 where a cell is empty."""
    cells = enumerate(spread(values, names, count, "weight"))
    return [1.0 if is_missing(cell) else number(cell, _nth("weight", place)) for place, cell in cells]


def begins(values: Any, names: Sequence[str] | None, count: int, what: str, clock: NativeClock | None) -> list[float]:
    """When jobs or machines are there: from the start on where a cell is empty, or a date before that."""
    return [
        0.0 if is_missing(cell) else _begin(cell, _nth(what, place), clock)
        for place, cell in enumerate(spread(values, names, count, what))
    ]


def dues(values: Any, names: Sequence[str] | None, count: int, clock: NativeClock | None) -> list[float | None]:
    """When jobs are due, or None where a cell is empty."""
    cells = enumerate(spread(values, names, count, "due"))
    read = clock.due if clock else None
    return [None if is_missing(cell) else _moment(cell, _nth("due", place), read) for place, cell in cells]


def _nth(what: str, place: int) -> str:
    return f"`{what}` number {place} (counted from 0)"


def _begin(cell: object, what: str, clock: NativeClock | None) -> float:
    found = _moment(cell, what, clock.begin if clock else None)
    return found if date_text(cell) is None else max(0.0, found)


def _moment(cell: object, what: str, read: Callable[[str], float | None] | None) -> float:
    """Units of time: a number, or what the clock reads from a date or a time of day."""
    text = date_text(cell)
    if text is None:
        return number(cell, what)
    if read is None:
        raise InputError(
            f"{what} is {cell!r}; expected a number of units. "
            'Dates and times of day need a clock, as in start_at="2026-11-16T06:00", unit="min"'
        )
    units = read(text)
    if units is None:
        raise InputError(
            f"{what} is {cell!r}; expected a number of units, a date such as 2026-11-16T14:30, "
            "or a time of day such as 14:30"
        )
    return units


def texts(values: Any, names: Sequence[str] | None, count: int, what: str) -> list[str | None]:
    """Names, or None where a cell is empty."""
    return [None if is_missing(cell) else str(cell) for cell in spread(values, names, count, what)]


def truth(value: object, what: str) -> bool:
    """True or False, also as 1 or 0; texts and other numbers are neither."""
    if not isinstance(value, bool | np.bool_ | int | np.integer) or value not in (0, 1):
        raise InputError(f"{what} is {value!r}; expected True or False")
    return bool(value)


def resumes(values: Any, names: Sequence[str] | None, count: int) -> list[bool]:
    """Whether operations that meet a break go on afterwards on each machine."""
    cells = [values] * count if isinstance(values, bool) else spread(values, names, count, "resume")
    return [True if is_missing(cell) else truth(cell, _nth("resume", place)) for place, cell in enumerate(cells)]


def buffers(values: Any, names: Sequence[str] | None, count: int) -> list[int | None]:
    """How many jobs fit behind each machine, or None for any number."""
    cells = enumerate(_gaps(values, names, count, "buffer"))
    return [whole(cell, _nth("buffer", place)) for place, cell in cells]


def no_waits(values: Any, names: Sequence[str] | None, count: int) -> list[bool]:
    """Whether jobs must go on at once behind each machine."""
    cells = enumerate(_gaps(values, names, count, "no_wait"))
    return [cell is not None and truth(cell, _nth("no_wait", place)) for place, cell in cells]


def _gaps(values: Any, names: Sequence[str] | None, count: int, what: str) -> list[Any]:
    """A value for each machine, or one for all gaps: the last machine has none behind it."""
    if isinstance(values, bool | int):
        return [values] * (count - 1) + [None]
    return [None if is_missing(cell) else cell for cell in spread(values, names, count, what)]


def pairs(values: Any) -> list[tuple[object, object]]:
    """Jobs of which the first comes before the second."""
    try:
        return [(before, after) for before, after in values]
    except (TypeError, ValueError):
        raise InputError(f"`precedence` is {values!r}; expected a list of pairs of jobs") from None


def breaks(
    values: Any, names: Sequence[str] | None, count: int, clock: NativeClock | None
) -> list[list[tuple[float, float]]]:
    """Intervals in which machines stand still."""
    found = []
    for place, cell in enumerate(spread(values, names, count, "breaks")):
        try:
            pairs = [_break(start, end, clock) for start, end in ([] if cell is None else cell)]
        except (TypeError, ValueError) as error:
            reason = error if isinstance(error, InputError) else "expected pairs (from, to)"
            raise InputError(f"`breaks` of machine {place} (counted from 0): {reason}") from None
        found.append([pair for pair in pairs if pair is not None])
    return found


def _break(start: object, end: object, clock: NativeClock | None) -> tuple[float, float] | None:
    """Begin and end in units, or None where a break is over before the start: it has no effect."""
    begin = _moment(start, "the begin of a break", clock.begin if clock else None)
    finish = _moment(end, "the end of a break", partial(clock.end_after, begin) if clock else None)
    if date_text(start) is None:
        return begin, finish
    if finish <= begin:
        raise InputError(f"the break from {start} to {end} has no length; its end comes after its begin")
    return (max(0.0, begin), finish) if finish > 0.0 else None


def setups(values: Any) -> list[tuple[object, str | None, str, float]]:
    """Rows of machine, family before (empty before the first job), family after, and time."""
    if hasattr(values, "to_dict") and hasattr(values, "columns"):
        values = values.to_dict("records")
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"`setup` is {values!r}; expected rows of machine, from, to, time")
    found = []
    for place, row in enumerate(values):
        if isinstance(row, Mapping):
            missing = [key for key in ("machine", "to", "time") if key not in row]
            if missing:
                raise InputError(f"set-up {place} (counted from 0) has no `{missing[0]}`")
            row = (row["machine"], row.get("from"), row["to"], row["time"])
        try:
            machine, before, after, time = row
        except (TypeError, ValueError):
            raise InputError(
                f"set-up {place} (counted from 0) is {row!r}; expected machine, from, to, time"
            ) from None
        start = None if is_missing(before) or before == "" else str(before)
        found.append((machine, start, str(after), number(time, f"the time of set-up {place}")))
    return found


def objectives(value: str | Sequence[str] | None) -> list[str] | None:
    """The objectives of `total-tardiness,makespan` or of a list."""
    if value is None:
        return None
    if not isinstance(value, Iterable):
        raise InputError(f"`objective` is {value!r}; expected a name such as total-tardiness, or a list of names")
    names = value.split(",") if isinstance(value, str) else list(value)
    return [str(name).strip() for name in names]
