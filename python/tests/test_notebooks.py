"""The notebooks run from the first cell to the last."""

from __future__ import annotations

import importlib.util
import os
import time
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"

#: What each notebook uses beyond numpy.
NEEDS = {
    "planner": ["pandas"],
    "researcher": ["pandas", "matplotlib", "scipy", "pyjobshop"],
    "learner": ["torch", "safetensors", "gymnasium"],
    "own-instances": ["torch", "safetensors"],
    "paper": ["torch", "safetensors"],
}


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_a_notebook_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Those that train for minutes train for seconds.
    monkeypatch.setenv("PFSS_QUICK", "1")
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    missing = [need for need in NEEDS[name] if importlib.util.find_spec(need) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed")
    notebook = nbformat.read(EXAMPLES / f"{name}.ipynb", as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(EXAMPLES)}})
    client.execute()


def test_an_interrupt_in_a_notebook_gives_the_best_so_far() -> None:
    pytest.importorskip("ipykernel")
    client_module = pytest.importorskip("jupyter_client.manager")
    manager, client = client_module.start_new_kernel(kernel_name="python3", cwd=os.sep)
    try:
        client.execute("import pfss; print('on'); print(pfss.solve(pfss.taillard('ta051')).stop_reason)")
        said = ""
        while "on" not in said:
            said += printed(client)
        time.sleep(1.0)
        manager.interrupt_kernel()
        while said.count("\n") < 2:
            said += printed(client)
        assert said.split() == ["on", "cancelled"]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def printed(client: Any) -> str:
    """What the next message of a kernel prints."""
    message = client.get_iopub_msg(timeout=60)
    assert message["msg_type"] != "error", message["content"]
    return str(message["content"].get("text", ""))


def test_every_notebook_is_tested_and_stored_without_outputs() -> None:
    nbformat = pytest.importorskip("nbformat")
    assert {file.stem for file in EXAMPLES.glob("*.ipynb")} == set(NEEDS)
    for file in EXAMPLES.glob("*.ipynb"):
        cells = nbformat.read(file, as_version=4).cells
        assert all(not cell.get("outputs") for cell in cells), file.name
