"""Types, stubs and the examples of the documentation."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import pfss

#: What a user may write; mypy must find nothing in it.
SCRIPT = """
import numpy as np
import pfss

shop = pfss.Instance(np.ones((3, 2), dtype=np.int64), jobs=["a", "b", "c"], due=[3, None, 5])
result: pfss.Result = pfss.solve(shop, time_limit=1.0, on_improvement=lambda new: new.value > 3)
names: list[str] | list[int] = result.order
late: int | float = result.value - result.bound
gap: float = 0.0 if result.gap is None else result.gap
starts = result.schedule["start"]
for one in pfss.generate("gamma", num_jobs=5, num_machines=2, count=3):
    print(one.name, pfss.lower_bound(one), pfss.evaluate(one, np.arange(5)))
orders, values = pfss.Policy("front").decode([shop], samples=2)
tie = pfss.algorithms()["neh"].parameters[1].choices
try:
    pfss.read("x.csv")
except (pfss.InputError, pfss.SolveError) as error:
    print(error)
"""

#: mypy must object to each.
WRONG = ["pfss.solve([[1]], time_limits=1.0)", "pfss.taillard('ta001').speed", "x: int = pfss.solve([[1]])"]


#: What parts of the package need.
NEEDS = {"pfss.gym": ["gymnasium"], "pfss.torch": ["torch", "safetensors"]}


def modules() -> list[str]:
    """All modules whose own dependencies are installed."""
    lacking = [part for part, needs in NEEDS.items() if not all(map(importlib.util.find_spec, needs))]
    names = [name for _, name, _ in pkgutil.walk_packages(pfss.__path__, "pfss.", onerror=lambda _: None)]
    return ["pfss", *(name for name in names if not any((name + ".").startswith(part + ".") for part in lacking))]


@pytest.mark.parametrize("part", NEEDS)
def test_the_extra_of_a_part_is_installed(part: str) -> None:
    """So that what is not looked at is counted as skipped."""
    if part not in modules():
        pytest.skip(f"{', '.join(NEEDS[part])} is not installed: types and examples of {part} are not looked at")
    assert importlib.import_module(part).__doc__


def mypy(tmp_path: Path, text: str) -> "subprocess.CompletedProcess[str]":
    pytest.importorskip("mypy")
    file = tmp_path / "script.py"
    file.write_text(text)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(file)]
    return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)


def test_a_users_script_is_typed(tmp_path: Path) -> None:
    done = mypy(tmp_path, SCRIPT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_wrong_calls_are_found(tmp_path: Path) -> None:
    done = mypy(tmp_path, "import pfss\n" + "\n".join(WRONG))
    assert [line.split(":")[1] for line in done.stdout.splitlines() if ": error:" in line] == ["2", "3", "4"], done.stdout


def test_stubs_agree_with_what_there_is(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    config = Path(__file__).parents[1] / "pyproject.toml"
    # A package stands for its modules; `pfss` itself would bring in what is not installed.
    names = [name for name in modules() if name.count(".") == 1]
    command = [sys.executable, "-m", "mypy.stubtest", "--mypy-config-file", str(config), *names]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", modules())
def test_examples_of_the_documentation(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_everything_public_is_documented() -> None:
    for name in pfss.__all__:
        thing = getattr(pfss, name)
        assert name == "__version__" or thing.__doc__, name
        members = vars(thing) if isinstance(thing, type) and thing.__module__.startswith("pfss.") else {}
        for member, value in members.items():
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__, f"{name}.{member}"
