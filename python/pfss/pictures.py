"""Pictures that notebooks show and that can be saved."""

from __future__ import annotations

import os
from pathlib import Path

from pfss import _pfss
from pfss._pfss import InputError


class Picture:
    """A schedule as a Gantt chart. Notebooks show it; `save` writes it as ``.svg`` or ``.html``."""

    __slots__ = ("_solution",)

    def __init__(self, solution: _pfss.NativeSolution) -> None:
        self._solution = solution

    @property
    def svg(self) -> str:
        """The chart as an SVG text."""
        return self._solution.svg()

    @property
    def html(self) -> str:
        """The chart as a page that needs nothing else, with zoom and a filter."""
        return self._solution.html()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the chart; the ending of the path says how."""
        file = Path(path)
        if file.suffix not in (".svg", ".html"):
            raise InputError(f"{os.fspath(path)}: a picture ends in .svg or .html")
        file.write_text(self.svg if file.suffix == ".svg" else self.html, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return "<pfss.Picture: save it as .svg or .html, or show it in a notebook>"
