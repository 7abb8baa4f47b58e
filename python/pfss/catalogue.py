"""The algorithms there are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pfss import _pfss


@dataclass(frozen=True)
class Parameter:
    """A parameter of an algorithm, which ``settings`` may set."""

    name: str
    help: str
    #: integer, real, choice, flag or text.
    type: str
    default: Any
    #: The least and the greatest value of a number.
    range: tuple[float, float] | None = None
    #: The words of a choice.
    choices: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Algorithm:
    """An algorithm: what ``solve(algorithm=...)`` accepts."""

    name: str
    summary: str
    reference: str
    parameters: tuple[Parameter, ...]


def algorithms(*, plans: bool = False) -> dict[str, Algorithm]:
    """All algorithms by name; with ``plans`` those for instances that carry more than times.

    >>> import pfss
    >>> list(pfss.algorithms())[:3]
    ['auto', 'random-search', 'iterated-local-search']
    >>> [parameter.name for parameter in pfss.algorithms()["neh"].parameters]
    ['order', 'tie', 'local-search']
    """
    return {row["name"]: _algorithm(row) for row in json.loads(_pfss.algorithms(plans))}


def _algorithm(row: dict[str, Any]) -> Algorithm:
    parameters = tuple(_parameter(parameter) for parameter in row["parameters"])
    return Algorithm(row["name"], row["summary"], row["reference"], parameters)


def _parameter(row: dict[str, Any]) -> Parameter:
    bounds = (row["min"], row["max"]) if "min" in row else None
    choices = tuple(row["values"]) if "values" in row else None
    return Parameter(row["name"], row["help"], row["type"], row["default"], bounds, choices)
