"""Solving, its limits and its results."""

from __future__ import annotations

import itertools
import json
import pathlib
import pickle
import xml.dom.minidom

import numpy as np
import pytest

import pfss

TIMES = [[4, 3, 2], [2, 5, 3], [3, 1, 4], [5, 2, 2], [1, 6, 1]]


def makespan(times: np.ndarray, order: list[int]) -> float:
    """By the plain recurrence."""
    front = np.zeros(times.shape[1])
    for job in order:
        done = 0.0
        for machine, time in enumerate(times[job]):
            done = max(done, front[machine]) + time
            front[machine] = done
    return float(front[-1])


def test_the_answer_is_the_best_of_all_orders() -> None:
    times = np.asarray(TIMES)
    best = min(makespan(times, list(order)) for order in itertools.permutations(range(5)))
    result = pfss.solve(TIMES)
    assert (result.makespan, result.bound, result.gap, result.status) == (best, best, 0.0, "optimal")
    assert isinstance(result.makespan, int) and isinstance(result.order[0], int)
    assert makespan(times, [int(job) for job in result.order]) == best
    assert pfss.evaluate(TIMES, result.order) == best
    assert pfss.lower_bound(TIMES) <= best
    real = pfss.solve(times / 4)
    assert isinstance(real.makespan, float) and real.makespan == best / 4


def test_schedules_are_those_of_the_order() -> None:
    shop = pfss.Instance(TIMES, jobs=list("abcde"), machines=["x", "y", "z"])
    result = pfss.solve(shop)
    schedule = result.schedule
    assert schedule.dtype.names == ("job", "machine", "start", "end")
    assert len(schedule) == 15 and schedule["end"].max() == result.makespan
    assert list(dict.fromkeys(schedule["job"].tolist())) == result.order
    assert schedule.start.dtype == np.int64
    for machine in "xyz":
        own = schedule[schedule["machine"] == machine]
        assert (own["start"][1:] >= own["end"][:-1]).all()
    numbers = pfss.solve(TIMES).schedule
    assert numbers["machine"].tolist() == [0, 1, 2] * 5
    assert result.instance == shop
    assert [shop.jobs.index(str(job)) for job in result.order] == result.order_numbers.tolist()  # type: ignore[union-attr]


def test_results_become_other_things(tmp_path: pathlib.Path) -> None:
    result = pfss.solve(pfss.Instance(TIMES, jobs=["<a>", "b", "c", "d", "e"], name="line"), seed=3)
    record = json.loads(result.to_json())
    assert record["schema"] == "pfss.result/1" and record["makespan"] == result.makespan
    assert record["seed"] == 3 and record["job_names"] == result.order and len(record["instance_hash"]) == 64
    for ending in ("svg", "html"):
        file = tmp_path / f"plan.{ending}"
        assert isinstance(result.plot(file), pfss.Picture)
        assert result.instance.name in file.read_text() and "<a>" not in file.read_text()
    xml.dom.minidom.parseString((tmp_path / "plan.svg").read_text())
    with pytest.raises(pfss.InputError, match=".svg or .html"):
        result.plot(tmp_path / "plan.png")
    picture = result.plot()
    assert isinstance(picture, pfss.Picture) and picture._repr_svg_().startswith("<svg")
    shown = result._repr_html_()
    assert "<svg" in shown and "optimal" in shown and str(result.makespan) in shown
    assert (result._repr_svg_() or "").startswith("<svg")


def test_results_survive_pickle() -> None:
    result = pfss.solve(pfss.taillard("ta001"), algorithm="iterated-greedy", evaluations=20_000)
    again = pickle.loads(pickle.dumps(result))
    assert again.to_json() == result.to_json() and again.order == result.order
    assert (again.schedule == result.schedule).all() and (again.trace == result.trace).all()
    assert again.plot().svg == result.plot().svg


def test_traces_tell_the_course() -> None:
    trace = pfss.solve(pfss.taillard("ta031"), evaluations=50_000).trace
    assert trace.dtype.names == ("time", "evaluations", "value", "bound")
    assert len(trace) > 1
    assert (np.diff(trace["value"]) <= 0).all() and (np.diff(trace["bound"]) >= 0).all()
    assert (np.diff(trace["time"]) >= 0).all() and (trace["bound"] <= trace["value"]).all()


def test_the_same_seed_gives_the_same_answer() -> None:
    shop = pfss.taillard("ta011")
    def order(seed: int) -> list[int] | list[str]:
        return pfss.solve(shop, algorithm="iterated-greedy", seed=seed, evaluations=30_000).order
    assert order(1) == order(1)
    assert len({tuple(order(seed)) for seed in range(4)}) > 1


def test_limits_end_the_search() -> None:
    shop = pfss.taillard("ta051")
    timed = pfss.solve(shop, time_limit=0.2)
    assert timed.stop_reason == "time-limit" and 0.15 < timed.runtime < 2.0 and timed.status == "feasible"
    assert timed.gap is not None and timed.gap > 0
    stopped = pfss.solve(shop, target=1e9, time_limit=20)
    assert stopped.stop_reason == "target"
    assert pfss.solve(shop, stall=1_000, algorithm="iterated-greedy").stop_reason == "stalled"
    start = timed.order
    warm = pfss.solve(shop, algorithm="iterated-greedy", evaluations=100, start=start)
    assert warm.makespan <= timed.makespan
    both = pfss.solve(shop, time_limit=0.3, threads=2)
    assert json.loads(both.to_json())["threads"] == 2


def test_settings_and_algorithms_are_checked() -> None:
    all_of_them = pfss.algorithms()
    assert list(all_of_them)[0] == "auto" and "neh" in all_of_them
    tie = next(parameter for parameter in all_of_them["neh"].parameters if parameter.name == "tie")
    assert tie.type == "choice" and tie.choices is not None and tie.default in tie.choices
    result = pfss.solve(TIMES, algorithm="neh", settings={"tie": "first", "local_search": True})
    assert json.loads(result.to_json())["config"]["local-search"] is True
    for arguments, told in [
        ({"algorithm": "nhe"}, "there is no algorithm `nhe`; known are: auto"),
        ({"algorithm": "neh", "settings": {"ties": "first"}}, "ties"),
        ({"algorithm": "neh", "settings": {"tie": object()}}, "settings"),
        ({"algorithm": "random-search", "settings": {"samples": 0}}, "samples"),
        ({"time_limit": -1.0}, "time limit"),
        ({"time_limit": "soon"}, "time limit is 'soon'"),
        ({"seed": -1}, "seed is -1"),
        ({"threads": 0}, "threads is 0; expected a whole number, at least 1"),
        ({"evaluations": 1.5}, "evaluations is 1.5"),
        ({"start": [0, 1, 2]}, "order to start from"),
        ({"start": [0, 0, 1, 2, 3]}, "order to start from"),
        ({"start": [0, 1, 2, 3, "x"]}, "no job `x`"),
        ({"objective": "speed"}, "no objective `speed`"),
    ]:
        with pytest.raises(pfss.InputError, match=told):
            pfss.solve(TIMES, **arguments)  # type: ignore[arg-type]
    with pytest.raises(pfss.SolveError, match="brute-force"):
        pfss.solve(pfss.taillard("ta001"), algorithm="brute-force")


def test_orders_are_evaluated_one_by_one_and_in_arrays() -> None:
    times = np.asarray(TIMES)
    orders = np.asarray(list(itertools.permutations(range(5)))[:20])
    values = pfss.evaluate(TIMES, orders)
    assert values.tolist() == [makespan(times, order.tolist()) for order in orders]
    for wrong in ([0, 1], [0, 1, 2, 3, 9], [0, 1, 2, 3, 3], "abcde"):
        with pytest.raises(pfss.InputError):
            pfss.evaluate(TIMES, wrong)
