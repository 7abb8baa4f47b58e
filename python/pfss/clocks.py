"""Clock time: when time zero is, how long a unit takes, and what Python and its libraries have for dates."""

from __future__ import annotations

import datetime
from typing import Any, TypeAlias

import numpy as np

from pfss._pfss import InputError, NativeClock

#: A date with or without a time of day: a text such as ``2026-11-16T06:00``, or an object of datetime, numpy or pandas.
Date: TypeAlias = str | datetime.date | np.datetime64


def clock_of(start_at: Date | None, unit: str | None) -> NativeClock | None:
    """The clock that starts there, where one is given."""
    if start_at is None and unit is None:
        return None
    if start_at is None or unit is None:
        raise InputError('`start_at` and `unit` go together, as in start_at="2026-11-16T06:00", unit="min"')
    start = date_text(start_at)
    if start is None:
        raise InputError(f"`start_at` is {start_at!r}; expected a date such as 2026-11-16T06:00")
    return NativeClock(start, str(unit))


def start_of(clock: NativeClock) -> datetime.datetime:
    """When time zero is."""
    return datetime.datetime.fromisoformat(clock.start_at)


def date_text(value: Any) -> str | None:
    """The text of a date or a time of day, or None where it is neither; any text may be one."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, np.datetime64):
        has_time = np.datetime_data(value)[0] not in ("Y", "M", "W", "D")
        return str(np.datetime_as_string(value, unit="ms" if has_time else "D"))
    if isinstance(value, datetime.datetime | datetime.time):
        if value.tzinfo is not None:
            raise InputError(f"{value} has a time zone; plans are in local time: leave the zone out")
        return value.isoformat(timespec="milliseconds")
    return value.isoformat() if isinstance(value, datetime.date) else None
