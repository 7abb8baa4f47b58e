"""What several tests use."""

from __future__ import annotations

import pathlib
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

#: The root of the repository.
ROOT = pathlib.Path(__file__).resolve().parents[2]


# What is started in the background ignores interrupts, and so would every program that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def run_script(tmp_path: pathlib.Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a program in an interpreter of its own."""

    def run(text: str, *arguments: str, timeout: float = 60.0) -> subprocess.CompletedProcess[str]:
        file = tmp_path / "script.py"
        file.write_text(text)
        command = [sys.executable, str(file), *arguments]
        done = subprocess.run(command, capture_output=True, timeout=timeout, check=False)
        # Not as text: that would make line ends of carriage returns.
        return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())

    return run
