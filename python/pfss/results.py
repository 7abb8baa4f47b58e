"""What solving an instance gave."""

from __future__ import annotations

import datetime
import html
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pfss import _pfss
from pfss.instances import Instance
from pfss.pictures import Picture

if TYPE_CHECKING:
    import matplotlib.axes

#: Charts with more operations are not drawn unasked.
_SHOWN = 20_000


@dataclass(frozen=True, slots=True)
class Improvement:
    """A new best order, as ``on_improvement`` gets it."""

    #: What is minimised.
    value: int | float
    #: No order has a smaller value.
    bound: int | float
    #: Seconds since the start.
    time: float
    #: Evaluations since the start.
    evaluations: int
    #: The jobs in order, by name, or by number where they have none.
    order: list[str] | list[int]


class Result:
    """The best order that was found, what is known about it, and what can be made of it.

    >>> import pfss
    >>> shop = pfss.Instance([[3, 2], [1, 5], [4, 1]], jobs=["axle", "wheel", "frame"])
    >>> result = pfss.solve(shop)
    >>> result
    Result(makespan=9, bound=9, gap=0.0, status='optimal')
    >>> result.order
    ['wheel', 'axle', 'frame']
    >>> result.schedule[0].tolist()
    ('wheel', 0, 0, 1)
    >>> result.schedule["end"].tolist()
    [1, 6, 4, 8, 8, 9]
    """

    __slots__ = ("_native",)

    def __init__(self, native: _pfss.NativeSolution) -> None:
        self._native = native

    @property
    def instance(self) -> Instance:
        """The instance that was solved."""
        return Instance._of(self._native.instance)

    @property
    def order(self) -> list[str] | list[int]:
        """The jobs in order, by name, or by number where they have none."""
        names = self._native.job_names
        return self._native.order.tolist() if names is None else names

    @property
    def order_numbers(self) -> NDArray[np.int64]:
        """The jobs in order, by number."""
        return self._native.order

    @property
    def makespan(self) -> int | float:
        """When the last job is done."""
        return self._native.makespan

    @property
    def done_at(self) -> datetime.datetime | None:
        """The date and time of day when the last job is done, where the instance has a clock."""
        date = self._native.done_at
        return None if date is None else date.tolist()[0]

    @property
    def objective(self) -> str:
        """What was minimised."""
        return ",".join(self._native.instance.objectives)

    @property
    def value(self) -> int | float:
        """The value of the first objective."""
        return self._native.value

    @property
    def values(self) -> list[int | float]:
        """The values of all objectives."""
        return self._native.values

    @property
    def bound(self) -> int | float:
        """No order has a smaller value."""
        return self._native.bound

    @property
    def gap(self) -> float | None:
        """``(value - bound) / bound``; None where the bound is zero and the value is not."""
        return self._native.gap

    @property
    def status(self) -> str:
        """``optimal`` where no order is better, as was proven, in any of the objectives; else ``feasible``."""
        return self._native.status

    @property
    def stop_reason(self) -> str:
        """Why the search ended: optimal, finished, time-limit, evaluation-limit, stalled, target or cancelled."""
        return self._native.stop_reason

    @property
    def algorithm(self) -> str:
        """The algorithm."""
        return self._native.algorithm

    @property
    def seed(self) -> int:
        """The seed."""
        return self._native.seed

    @property
    def runtime(self) -> float:
        """How many seconds it took."""
        return self._native.runtime

    @property
    def evaluations(self) -> int:
        """How many evaluations were made: full orders, or places of a job, that were priced."""
        return self._native.evaluations

    @property
    def schedule(self) -> np.recarray[Any, Any]:
        """Start and end of every operation as a record array: job, machine, start, end; jobs in order.

        Jobs and machines are called by their names, or by their numbers where they have none. Where the instance carries
        more than times there are two more fields: when the set-up before an operation starts, and when its job leaves.
        Times are in the units of the instance; where it has a clock they are dates (``datetime64``).
        """
        columns = self._native.operations()
        instance = self._native.instance
        fields: dict[str, NDArray[Any]] = {
            "job": _named(columns["job"], instance.jobs),
            "machine": _named(columns["machine"], instance.machines),
            "start": columns["start"],
            "end": columns["end"],
        }
        if columns["setup_start"] is not None and columns["leaves"] is not None:
            fields.update(setup_start=columns["setup_start"], leaves=columns["leaves"])
        return _records(fields)

    @property
    def trace(self) -> np.recarray[Any, Any]:
        """The course of the search as a record array: time, evaluations, value, bound."""
        time, evaluations, value, bound = self._native.trace()
        return _records({"time": time, "evaluations": evaluations, "value": value, "bound": bound})

    def to_pandas(self) -> Any:
        """The schedule as a DataFrame."""
        import pandas

        return pandas.DataFrame(self.schedule)

    def to_json(self) -> str:
        """The record of the schema ``pfss.result/1``, as the command line writes it."""
        return self._native.to_json()

    def plot(
        self, path: str | os.PathLike[str] | None = None, *, ax: matplotlib.axes.Axes | None = None
    ) -> Picture | matplotlib.axes.Axes:
        """The schedule as a Gantt chart.

        With a path, which ends in ``.svg`` or ``.html``, it is written there. Without, the picture that comes back is
        shown by notebooks. With ``ax``, it is drawn into the axes of matplotlib.
        """
        if ax is not None:
            return self._draw(ax)
        picture = Picture(self._native)
        if path is not None:
            picture.save(path)
        return picture

    def _draw(self, ax: matplotlib.axes.Axes) -> matplotlib.axes.Axes:
        import matplotlib

        columns = self._native.operations()
        colours = matplotlib.colormaps["tab20"].colors  # type: ignore[attr-defined]
        last = self._native.instance.num_machines
        ax.barh(
            columns["machine"],
            columns["end"] - columns["start"],
            left=columns["start"],
            color=[colours[job % len(colours)] for job in columns["job"]],
            edgecolor="white",
        )
        names = self._native.instance.machines or [f"M{machine + 1}" for machine in range(last)]
        ax.set_yticks(range(last), names)
        ax.invert_yaxis()
        ax.set_xlabel("time")
        ax.axvline(columns["end"].max(), linestyle="--", color="black", linewidth=1)
        return ax

    def to_plotly(self) -> Any:
        """The schedule as a figure of plotly."""
        import plotly.graph_objects

        schedule = self.schedule
        is_dated = self._native.instance.clock is not None
        figure = plotly.graph_objects.Figure()
        for job in dict.fromkeys(schedule["job"].tolist()):
            own = schedule[schedule["job"] == job]
            # Plotly takes the length of bars between dates as milliseconds.
            length = own["end"] - own["start"]
            length = length.astype(np.int64) if is_dated else length
            figure.add_bar(base=own["start"], x=length, y=own["machine"].astype(str), name=str(job), orientation="h")
        figure.update_layout(barmode="overlay", xaxis_title="time", yaxis={"autorange": "reversed", "type": "category"})
        figure.update_xaxes(type="date" if is_dated else "linear")
        return figure

    def __repr__(self) -> str:
        value = "" if self.objective == "makespan" else f"{self.objective}={self.value}, "
        return f"Result({value}makespan={self.makespan}, bound={self.bound}, gap={self.gap}, status={self.status!r})"

    def _repr_svg_(self) -> str | None:
        instance = self._native.instance
        return self._native.svg() if instance.num_jobs * instance.num_machines <= _SHOWN else None

    def _repr_html_(self) -> str:
        told = {
            "instance": self._native.instance.name,
            "" if self.objective == "makespan" else self.objective: self.value,
            "makespan": self.makespan,
            "bound": self.bound,
            "gap": "" if self.gap is None else f"{100 * self.gap:.2f} %",
            "done at": "" if self.done_at is None else self.done_at,
            "status": f"{self.status} ({self.stop_reason})",
            "algorithm": self.algorithm,
            "runtime": f"{self.runtime:.3f} s",
        }
        rows = "".join(
            f"<tr><th>{html.escape(str(name))}</th><td>{html.escape(str(value))}</td></tr>"
            for name, value in told.items()
            if name and value != ""
        )
        return f"<table>{rows}</table>{self._repr_svg_() or ''}"

    def __reduce__(self) -> tuple[Any, ...]:
        rows = [column.tolist() for column in self._native.trace()]
        return _restored, (self.instance, self.to_json(), list(zip(*rows, strict=True)))


def _records(fields: dict[str, NDArray[Any]]) -> np.recarray[Any, Any]:
    return np.rec.fromarrays(list(fields.values()), dtype=[(name, field.dtype) for name, field in fields.items()])


def _named(numbers: NDArray[np.int64], names: list[str] | None) -> NDArray[Any]:
    return numbers if names is None else np.asarray(names)[numbers]


def _restored(instance: Instance, record: str, trace: list[tuple[float, int, float, float]]) -> Result:
    return Result(_pfss.NativeSolution.from_json(instance._native, record, trace))
