"""A line that tells how far a search is, in a terminal or a notebook."""

from __future__ import annotations

import sys
import time
from typing import TextIO

_WIDTH = 20
_PAUSE = 0.1


class Progress:
    """Rewrites one line on standard error. `limit` is the time in seconds, or `total` how many things there are to do."""

    def __init__(self, limit: float | None = None, total: int | None = None, stream: TextIO | None = None) -> None:
        self._limit, self._total = limit, total
        self._stream = sys.stderr if stream is None else stream
        self._start = time.monotonic()
        self._drawn, self._length, self._done = 0.0, 0, 0
        self._best = ""

    def improvement(self, value: float, bound: float) -> None:
        """There is a new best order."""
        gap = f" ({100 * (value - bound) / abs(bound):.2f} %)" if bound else ""
        self._best = f"  {value:g} >= {bound:g}{gap}"
        self.tick(self._done)

    def tick(self, done: int) -> None:
        """Time goes by."""
        self._done = done
        now = time.monotonic()
        if now - self._drawn >= _PAUSE:
            self._drawn = now
            self._write(self._line(now - self._start))

    def close(self) -> None:
        """It is over."""
        self._write(self._line(time.monotonic() - self._start))
        self._stream.write("\n")
        self._stream.flush()

    def _line(self, elapsed: float) -> str:
        share = None
        if self._total:
            share = self._done / self._total
        elif self._limit:
            share = elapsed / self._limit
        bar = ""
        if share is not None:
            full = min(_WIDTH, int(_WIDTH * share))
            bar = f"[{'#' * full}{'.' * (_WIDTH - full)}] "
        count = f"  {self._done}/{self._total}" if self._total else ""
        limit = f" of {self._limit:g}" if self._limit else ""
        return f"{bar}{elapsed:.1f}{limit} s{count}{self._best}"

    def _write(self, line: str) -> None:
        self._stream.write("\r" + line.ljust(self._length))
        self._stream.flush()
        self._length = len(line)
