"""Tables of pandas and polars: times, names, and columns that describe jobs."""

from __future__ import annotations

from typing import Any, NamedTuple

from pfss._pfss import InputError, column_role
from pfss.columns import JOB_ATTRIBUTES

#: Columns that name the jobs, where the index does not.
_NAMES = ("job", "name", "jobs")


class Frame(NamedTuple):
    """What a table says."""

    times: Any
    jobs: list[str] | None
    machines: list[str] | None
    attributes: dict[str, Any]


def is_frame(table: object) -> bool:
    """Whether this is a DataFrame."""
    return hasattr(table, "columns") and hasattr(table, "to_numpy") and hasattr(table, "shape")


def read_frame(table: Any) -> Frame:
    """The parts of a DataFrame. Columns called release, due, weight or family, or by another word for
    these, describe jobs, all others are machines."""
    attributes: dict[str, Any] = {}
    jobs: list[str] | None = None
    index = getattr(table, "index", None)
    if index is not None and type(index).__name__ != "RangeIndex":
        jobs = [str(name) for name in index]
    machines = []
    for column in table.columns:
        word = column_role(str(column))
        if word in JOB_ATTRIBUTES:
            if word in attributes:
                raise InputError(f"there are two columns `{word}`; keep one")
            attributes[word] = list(table[column])
        elif (word == "job" or str(column).strip().lower() in _NAMES) and jobs is None:
            jobs = [str(name) for name in table[column]]
        else:
            machines.append(column)
    if not machines:
        raise InputError("the table has no machines: every column describes jobs")
    has_names = type(table.columns).__name__ != "RangeIndex"
    names = [str(machine) for machine in machines] if has_names else None
    own = table if len(machines) == len(table.columns) else table[machines]
    return Frame(_times(own), jobs, names, attributes)


def _times(table: Any) -> Any:
    """The numbers as they are: an array of one type for all would make real numbers of whole ones, rounded."""
    if len({str(kind) for kind in table.dtypes}) == 1:
        return table.to_numpy()
    return table.to_numpy(dtype=object) if hasattr(table, "iloc") else table.rows()
