"""What must not go wrong around a search: callbacks, signals, threads, forks."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

import pfss

Script = Callable[..., "subprocess.CompletedProcess[str]"]


class OwnError(Exception):
    """Nobody else raises it."""


def fail(_: pfss.Improvement) -> None:
    raise OwnError("out of here")


def test_what_is_no_function_is_no_callback() -> None:
    with pytest.raises(pfss.InputError, match="expected a function"):
        pfss.solve([[1, 2]], on_improvement=3)  # type: ignore[arg-type]


def test_callbacks_hear_of_every_improvement() -> None:
    heard: list[pfss.Improvement] = []
    threads = set()

    def hear(new: pfss.Improvement) -> None:
        heard.append(new)
        threads.add(threading.current_thread())

    shop = pfss.taillard("ta031")
    result = pfss.solve(shop, evaluations=50_000, on_improvement=hear)
    values = [new.value for new in heard]
    assert values == sorted(set(values), reverse=True) and values[-1] == result.makespan
    assert pfss.evaluate(shop, heard[-1].order) == heard[-1].value
    assert all(new.bound <= new.value for new in heard)
    assert threads == {threading.current_thread()}


def test_a_callback_that_returns_false_stops() -> None:
    heard = []

    def stop(new: pfss.Improvement) -> bool:
        heard.append(new.value)
        return len(heard) < 2

    result = pfss.solve(pfss.taillard("ta051"), on_improvement=stop, time_limit=30)
    assert len(heard) == 2 and result.stop_reason == "cancelled" and result.runtime < 10
    # Zero is no "stop": it is what a callback happened to compute.
    assert pfss.solve([[1, 2], [2, 1]], on_improvement=lambda _: 0).status == "optimal"


@pytest.mark.parametrize("on_main", [True, False])
def test_exceptions_of_callbacks_come_out_as_themselves(on_main: bool) -> None:
    caught: list[BaseException] = []

    def solve() -> None:
        try:
            pfss.solve(pfss.taillard("ta051"), time_limit=30, on_improvement=fail)
        except OwnError as error:
            caught.append(error)

    start = time.monotonic()
    if on_main:
        solve()
    else:
        thread = threading.Thread(target=solve)
        thread.start()
        thread.join()
    assert len(caught) == 1 and str(caught[0]) == "out of here" and time.monotonic() - start < 10
    assert "fail" in "".join(entry.name for entry in _entries(caught[0]))
    # Nothing is left behind.
    time.sleep(0.2)
    assert threading.active_count() == 1
    assert pfss.solve([[1, 2], [2, 1]]).status == "optimal"


def _entries(error: BaseException) -> list[object]:
    import traceback

    return list(traceback.extract_tb(error.__traceback__))


def test_an_interrupt_gives_the_best_so_far(run_script: Script) -> None:
    done = run_script(
        """
import os, signal, threading, time, pfss
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
result = pfss.solve(pfss.taillard("ta051"), time_limit=30)
print(result.stop_reason, time.monotonic() - start < 5, len(result.order))
"""
    )
    assert done.stdout.split() == ["cancelled", "True", "50"], done.stderr


def test_an_interrupt_inside_a_callback_gives_the_best_so_far(run_script: Script) -> None:
    done = run_script(
        """
import os, signal, time, pfss
def hear(new):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.01)
result = pfss.solve(pfss.taillard("ta051"), time_limit=30, on_improvement=hear)
print(result.stop_reason)
"""
    )
    assert done.stdout.split() == ["cancelled"], done.stderr


def test_a_second_interrupt_leaves(run_script: Script) -> None:
    done = run_script(
        """
import os, signal, threading, time, pfss
def twice():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.5, twice).start()
count = 0
try:
    for _ in range(50):
        pfss.solve(pfss.taillard("ta051"), time_limit=30)
        count += 1
except KeyboardInterrupt:
    print("left", count)
"""
    )
    assert done.stdout.split() == ["left", "1"], done.stderr


def test_labels_end_at_the_first_interrupt(run_script: Script) -> None:
    done = run_script(
        """
import os, signal, threading, time, pfss
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    pfss.label([pfss.taillard("ta051")] * 8, evaluations=10**12)
except KeyboardInterrupt:
    print(time.monotonic() - start < 5)
"""
    )
    assert done.stdout.split() == ["True"], done.stderr


def test_other_signal_handlers_run_during_a_search(run_script: Script) -> None:
    done = run_script(
        """
import signal, time, pfss
class Bell(Exception): pass
def ring(*_): raise Bell()
signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.3)
start = time.monotonic()
try:
    pfss.solve(pfss.taillard("ta051"), time_limit=30)
except Bell:
    print("rang", time.monotonic() - start < 5)
"""
    )
    assert done.stdout.split() == ["rang", "True"], done.stderr


def test_the_lock_is_released() -> None:
    beats = 0
    over = threading.Event()

    def beat() -> None:
        nonlocal beats
        while not over.is_set():
            beats += 1
            time.sleep(0.001)

    thread = threading.Thread(target=beat)
    thread.start()
    pfss.solve(pfss.taillard("ta051"), time_limit=0.5)
    over.set()
    thread.join()
    assert beats > 20


def test_two_threads_solve_at_the_same_time() -> None:
    results: dict[int, pfss.Result] = {}

    def solve(seed: int) -> None:
        results[seed] = pfss.solve(pfss.taillard("ta051"), seed=seed, time_limit=0.5)

    threads = [threading.Thread(target=solve, args=(seed,)) for seed in (1, 2)]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - start < 0.95 and set(results) == {1, 2}


def solved(shop: pfss.Instance) -> pfss.Result:
    """For other processes."""
    return pfss.solve(shop, algorithm="iterated-greedy", evaluations=5_000)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_forks_solve_too() -> None:
    shops = pfss.generate("gamma", num_jobs=15, num_machines=4, count=4)
    # Threads of an earlier search must not be missed in the child.
    pfss.Policy("front").decode(shops, samples=2)
    here = [solved(shop).order for shop in shops]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        there = pool.map(solved, shops)
    assert [result.order for result in there] == here
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(solved, shops[:1])[0].order == here[0]


def test_progress_is_one_line_on_standard_error(run_script: Script) -> None:
    done = run_script("import pfss; pfss.solve(pfss.taillard('ta051'), time_limit=0.6, progress=True)")
    assert done.returncode == 0 and done.stdout == ""
    assert "of 0.6 s" in done.stderr and ">=" in done.stderr and done.stderr.count("\n") == 1
    assert done.stderr.count("\r") > 3
    quiet = run_script("import pfss; pfss.solve(pfss.taillard('ta051'), time_limit=0.2)")
    assert quiet.stdout == quiet.stderr == ""


def test_an_interrupt_from_outside_ends_a_program_that_solves() -> None:
    program = "import pfss; print('on', flush=True); print(pfss.solve(pfss.taillard('ta051')).stop_reason)"
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=os.sep)
    assert process.stdout is not None and process.stdout.readline() == "on\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert out == "cancelled\n" and process.returncode == 0


PACKED = np.dtype([("note", "S1"), ("time", "f8"), ("count", "i8"), ("more", "i2")])


@pytest.mark.parametrize("field", ["time", "count", "more"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_misaligned_fields_of_records_are_read(field: str, order: str) -> None:
    """They were read at addresses where no number of their type may lie."""
    records = np.zeros((4, 3), dtype=PACKED, order=order)  # type: ignore[call-overload]
    records[field] = [[4, 3, 2], [2, 5, 3], [3, 1, 4], [1, 1, 1]]
    view = records[field]
    assert not view.flags.aligned
    for array in (view, view[::2], view[:, ::-1], view[1:, 1:]):
        assert pfss.Instance(array).times.tolist() == array.tolist()
    swapped = records.astype(PACKED.newbyteorder())[field]
    assert pfss.Instance(swapped).times.tolist() == view.tolist()


def test_views_of_all_kinds_are_read() -> None:
    whole = np.arange(1, 25, dtype=np.int64).reshape(4, 6)
    odd = np.frombuffer(b"\0" + whole.tobytes(), dtype=np.uint8)[1:].view(np.int64).reshape(4, 6)
    still = whole.copy()
    still.flags.writeable = False
    wide = np.lib.stride_tricks.as_strided(whole, shape=(3, 2), strides=(48, 24))
    same = np.broadcast_to(np.asarray([3, 1, 2]), (5, 3))
    for array in (odd, still, wide, same, whole.T, whole[::-1, ::-2]):
        assert pfss.Instance(array).times.tolist() == array.tolist()
