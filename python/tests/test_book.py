"""The page of the book about this package: its code runs as it stands there."""

from __future__ import annotations

import pathlib
import re

import pytest
from conftest import ROOT


@pytest.mark.parametrize("page", [ROOT / "docs" / "tutorials" / "python.md", ROOT / "python" / "README.md"], ids=lambda p: p.name)
def test_the_code_of_a_page_runs(page: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.S | re.M)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)  # noqa: S102
    assert (tmp_path / "plan.svg").exists()
