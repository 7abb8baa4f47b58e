"""Instances that are read from files, drawn at random, or Taillard's."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping

from pfss import _pfss
from pfss.clocks import Date, clock_of
from pfss.columns import whole
from pfss.instances import Instance, only


def read(
    path: str | os.PathLike[str],
    *,
    start_at: Date | None = None,
    unit: str | None = None,
    columns: Mapping[str | int, str] | None = None,
) -> Instance:
    """The instance in a file; its format is detected. ``FILE#2`` or ``FILE#NAME`` picks one of several.

    ``start_at`` and ``unit`` are the clock of files with dates, as `Instance` has it. ``columns`` says what columns of CSV
    files and sheets hold, by heading or number (from 1): ``job``, ``machine``, ``due``, ``release``, ``weight``,
    ``family`` or ``ignore``. What could have been read in another way is a warning.

    >>> import pathlib, tempfile, pfss
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "jobs.csv"
    >>> _ = file.write_text("job,saw,drill\\naxle,3,1\\nwheel,2,2\\n")
    >>> pfss.read(file).jobs
    ['axle', 'wheel']
    >>> _ = file.write_text("job,saw,wanted\\naxle,3,9\\n")
    >>> pfss.read(file, columns={"wanted": "due"}).due
    [9]
    """
    return only(_read(path, start_at, unit, columns), os.fspath(path))


def read_all(
    path: str | os.PathLike[str],
    *,
    start_at: Date | None = None,
    unit: str | None = None,
    columns: Mapping[str | int, str] | None = None,
) -> list[Instance]:
    """All instances in a file."""
    return [Instance._of(native) for native in _read(path, start_at, unit, columns)]


def _read(
    path: str | os.PathLike[str],
    start_at: Date | None,
    unit: str | None,
    columns: Mapping[str | int, str] | None,
) -> list[_pfss.NativeInstance]:
    text = os.fspath(path)
    said = [(str(column), str(role)) for column, role in (columns or {}).items()]
    found = _pfss.read(text, clock_of(start_at, unit), said)
    for note in dict.fromkeys(note for native in found for note in native.notes()):
        warnings.warn(f"{text}: {note}", stacklevel=3)
    return found


def taillard(name: str | int) -> Instance:
    """One of Taillard's 120 benchmark instances, made from its published seed.

    >>> import pfss
    >>> pfss.taillard("ta051")
    Instance('ta051', 50 jobs x 20 machines)
    """
    text = f"ta{name:03}" if isinstance(name, int) else name
    return only(_pfss.named(text), text)


def generate(
    distribution: str,
    *,
    num_jobs: int,
    num_machines: int,
    count: int = 1,
    seed: int = 1,
    **parameters: float,
) -> list[Instance]:
    """Random instances. The same seed gives the same instances as ``pfss generate`` on the command line.

    >>> import pfss
    >>> [line.name for line in pfss.generate("gamma", num_jobs=20, num_machines=5, count=2, seed=1, shape=1)]
    ['gamma_20x5_1', 'gamma_20x5_2']

    ``parameters`` are those of the distribution, and ``zeros``, the share of operations that jobs skip.
    """
    recipe = distribution + "".join(f"+{key.replace('_', '-')}={value}" for key, value in parameters.items())
    sizes = whole(num_jobs, "the number of jobs", 1), whole(num_machines, "the number of machines", 1)
    drawn = _pfss.generate(recipe, *sizes, whole(count, "count", 1), whole(seed, "the seed"))
    return [Instance._of(native) for native in drawn]
