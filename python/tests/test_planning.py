"""Due dates, set-ups and all else that jobs and machines may carry."""

from __future__ import annotations

import itertools
import json
import pathlib
import pickle
from fractions import Fraction

import numpy as np
import pytest

import pfss

TIMES = [[4, 3], [2, 5], [3, 3], [1, 2]]
DUE = [12, 7, 10, 20]


def completions(order: tuple[int, ...], release: list[float] | None = None) -> list[float]:
    """When the jobs are done, in order, by the plain recurrence."""
    first = second = 0.0
    done = []
    for job in order:
        first = max(first, release[job] if release else 0.0) + TIMES[job][0]
        second = max(first, second) + TIMES[job][1]
        done.append(second)
    return done


def best(value: object) -> float:
    return min(value(order) for order in itertools.permutations(range(4)))  # type: ignore[operator]


def tardiness(order: tuple[int, ...]) -> float:
    return sum(max(0.0, done - DUE[job]) for job, done in zip(order, completions(order)))


def test_objectives_are_minimised() -> None:
    late = {
        "total-completion": lambda order: sum(completions(order)),
        "total-tardiness": tardiness,
        "max-lateness": lambda order: max(done - DUE[job] for job, done in zip(order, completions(order))),
        "late-jobs": lambda order: sum(done > DUE[job] for job, done in zip(order, completions(order))),
    }
    shop = pfss.Instance(TIMES, due=DUE)
    for objective, value in late.items():
        result = pfss.solve(shop, objective=objective)
        assert result.value == best(value) and result.status == "optimal", objective
        assert result.objective == objective and result.bound == result.value
        order = tuple(int(job) for job in result.order)
        assert value(order) == result.value and result.makespan == completions(order)[-1]
        assert pfss.evaluate(pfss.Instance(TIMES, due=DUE, objective=objective), order) == result.value


def test_several_objectives_are_lexicographic() -> None:
    shop = pfss.Instance(TIMES, due=DUE, objective="total-tardiness,makespan")
    result = pfss.solve(shop)
    least = best(tardiness)
    second = min(completions(o)[-1] for o in itertools.permutations(range(4)) if tardiness(o) == least)
    assert result.values == [least, second] and result.value == least
    assert pfss.evaluate(shop, result.order) == (least, second)
    assert result.objective == "total-tardiness,makespan"


def test_results_of_plans_carry_more() -> None:
    shop = pfss.Instance(TIMES, jobs=list("abcd"), due={"a": 12, "b": 7}, family=["r", "g", "r", "g"],
                         setup=[("M1", None, "r", 1), (0, "r", "g", 2), (0, "g", "r", 2)], objective="total-tardiness")
    result = pfss.solve(shop)
    assert result.schedule.dtype.names == ("job", "machine", "start", "end", "setup_start", "leaves")
    record = json.loads(result.to_json())
    assert record["objective"] == "total-tardiness" and record["value"] == result.value
    assert {job["name"] for job in record["jobs"]} == set("abcd")
    assert (result._repr_svg_() or "").startswith("<svg") and "<html" in result.plot().html.lower()
    assert "total-tardiness" in result._repr_html_()
    again = pickle.loads(pickle.dumps(result))
    assert again.to_json() == result.to_json() and again.instance == result.instance
    heard: list[float] = []
    pfss.solve(shop, on_improvement=lambda new: heard.append(new.value))
    assert heard[-1] == result.value


def test_releases_and_weights_count() -> None:
    release = [5.0, 0.0, 2.0, 0.0]
    weight = [1.0, 2.0, 1.0, 3.0]
    shop = pfss.Instance(TIMES, release=release, weight=weight, objective="total-completion")
    expected = best(lambda order: sum(weight[j] * c for j, c in zip(order, completions(order, release))))
    assert pfss.solve(shop).value == expected
    assert shop.release == release and shop.weight == weight and shop.due is None


def test_machines_and_gaps_carry_attributes() -> None:
    free = pfss.solve(pfss.Instance(TIMES)).makespan
    late = pfss.solve(pfss.Instance(TIMES, available_from=[100, 0])).makespan
    assert late == free + 100
    pause = pfss.Instance(TIMES, breaks=[[(0, 50)], []])
    assert pfss.solve(pause).makespan == free + 50
    waits = pfss.solve(pfss.Instance([[4, 4]], breaks=[[(2, 10)], []], resume=False))
    goes_on = pfss.solve(pfss.Instance([[4, 4]], breaks=[[(2, 10)], []]))
    assert (waits.makespan, goes_on.makespan) == (18, 16)
    blocking = pfss.solve(pfss.Instance(TIMES, buffer=0)).makespan
    tight = pfss.solve(pfss.Instance(TIMES, no_wait=True)).makespan
    assert free <= blocking <= tight
    fixed = pfss.solve(pfss.Instance(TIMES, jobs=list("abcd"), first=["d", "a"], precedence=[("c", "b")]))
    assert fixed.order == ["d", "a", "c", "b"]


def test_layers_of_precedence_heed_callbacks_and_limits() -> None:
    times = [[3 * j % 11 + 1, 5 * j % 11 + 1, 7 * j % 11 + 1] for j in range(100)]
    pairs = [(j // 5 * 5 - 5 + i, j) for j in range(5, 100) for i in range(5)]
    shop = pfss.Instance(times, precedence=pairs, objective="total-completion")
    stopped = pfss.solve(shop, time_limit=60, on_improvement=lambda _: False)
    assert stopped.stop_reason == "cancelled" and stopped.runtime < 10
    assert pfss.solve(shop, time_limit=0.2).runtime < 5


def test_a_dataframe_with_due_dates_is_a_plan(tmp_path: pathlib.Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"spray": [4, 2, 3], "oven": [3, 5, 3], "Due": [12, 7, None], "family": ["red", "blue", None]},
        index=["hood", "door", "roof"],
    )
    setup = pandas.DataFrame({"machine": ["spray"], "from": ["red"], "to": ["blue"], "time": [3]})
    shop = pfss.Instance(frame, setup=setup, objective="total-tardiness", name="line")
    assert shop.machines == ["spray", "oven"] and shop.due == [12, 7, None]
    assert shop.family == ["red", "blue", None]
    result = pfss.solve(shop)
    assert set(result.order) == {"hood", "door", "roof"}
    table = result.to_pandas()
    assert list(table.columns)[:4] == ["job", "machine", "start", "end"] and len(table) == 6
    file = tmp_path / "line.json"
    file.write_text(shop.to_json())
    assert pfss.read(file) == shop and pickle.loads(pickle.dumps(shop)) == shop
    assert repr(shop) == "Instance('line', 3 jobs x 2 machines, due, family)"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"due": [1, 2]}, "`due` has 2 values, expected are 4"),
        ({"due": [1, 2, "soon", 4]}, "`due` number 2 .counted from 0. is .soon."),
        ({"due": {"z": 4}}, "names 'z'"),
        ({"release": [-1, 0, 0, 0]}, "release"),
        ({"weight": [1, 1, 1, -1]}, "weight"),
        ({"objective": "speed"}, "no objective `speed`"),
        ({"objective": "total-tardiness"}, "due"),
        ({"setup": [(0, "r", "", 2)]}, "the name of a family is missing"),
        ({"setup": [(5, None, "r", 2)], "family": ["r"] * 4}, "no machine `5`"),
        ({"setup": [(0, "r")], "family": ["r"] * 4}, "expected machine, from, to, time"),
        ({"breaks": [[(5, 3)], []]}, "break"),
        ({"breaks": [[5], []]}, "expected pairs"),
        ({"no_wait": True, "breaks": [[(1, 2)], []]}, "no_wait|no-wait|wait"),
        ({"buffer": -1}, "`buffer` number 0 .* is -1; expected a whole number"),
        ({"buffer": [1.5, None]}, "`buffer` number 0 .* is 1.5; expected a whole number"),
        ({"precedence": [1]}, "expected a list of pairs"),
        ({"setup": 7}, "expected rows of machine, from, to, time"),
        ({"objective": 7}, "expected a name such as"),
        ({"first": 7}, "expected a list of job names"),
        ({"jobs": ["a", "b", "a", "c"]}, "jobs 0 and 2 .* are both called `a`"),
        ({"first": ["z"]}, "no job `z`"),
        # What Python makes a number of, although it is none or another.
        ({"first": [True]}, "no job `True`"),
        ({"due": [True, 1, 2, 3]}, "`due` number 0 .* True"),
        ({"due": [np.True_, 1, 2, 3]}, "`due` number 0 .* expected a number"),
        ({"due": {True: 3}}, "`due` names True"),
        ({"weight": [1, b"2", 3, 4]}, "`weight` number 1 .* expected a number"),
        ({"weight": [1, 2**63, 3, 4]}, "`weight` number 1 .* 9223372036854775808"),
        ({"weight": [1, 2**53 + 1, 3, 4]}, "`weight` number 1 .* 9007199254740993"),
        ({"weight": [1, 20000000.5, 3, 0.125]}, "job 1: the weight is 20000000.5; .* 4294967.295"),
        ({"weight": [1, Fraction(1, 3), 3, 4]}, "`weight` number 1 .* round it"),
        ({"release": [1, 2**40, 3, 4]}, "job 1: the release is 1099511627776"),
        ({"available_from": [np.complex64(1), 2]}, "`available_from` number 0"),
        ({"no_wait": ["False", None]}, "`no_wait` number 0 .* True or False"),
        ({"resume": [2, True]}, "`resume` number 0 .* True or False"),
        ({"setup": [(True, None, "r", 1)], "family": list("rgrg")}, "no machine `True`"),
        ({"precedence": [(0, 1), (1, 0)]}, "before|circle|cycle"),
    ],
)
def test_what_cannot_be_is_told(arguments: dict[str, object], told: str) -> None:
    with pytest.raises(pfss.InputError, match=told):
        pfss.Instance(TIMES, **arguments)  # type: ignore[arg-type]


def test_an_order_to_start_from_must_be_allowed() -> None:
    shop = pfss.Instance(TIMES, first=[3], due=DUE, objective="total-tardiness")
    assert pfss.solve(shop, start=[3, 1, 2, 0]).order[0] == 3
    for start, told in [([1, 3, 2, 0], "the order to start from: .*first"), (7, "the order to start from: expected a list")]:
        with pytest.raises(pfss.InputError, match=told):
            pfss.solve(shop, start=start)  # type: ignore[arg-type]
    with pytest.raises(pfss.InputError, match="expected a list of job names or numbers"):
        pfss.evaluate(TIMES, 7)  # type: ignore[arg-type]


@pytest.mark.parametrize("times", [7, "ab", np.zeros(3), np.zeros(())])
def test_attributes_of_no_table_are_told(times: object) -> None:
    with pytest.raises(pfss.InputError, match="dimensions|no table|no instance"):
        pfss.Instance(times, due=[1])


def test_policies_and_labels_refuse_plans() -> None:
    shop = pfss.Instance(np.asarray(TIMES), due=DUE)
    for call in (pfss.Policy("front").decode, pfss.label):
        with pytest.raises(pfss.InputError, match="plain problem"):
            call([shop])  # type: ignore[operator]


def test_algorithms_for_plans_are_told() -> None:
    assert set(pfss.algorithms(plans=True)) < set(pfss.algorithms())
    with pytest.raises(pfss.InputError, match="known are: auto, neh"):
        pfss.solve(pfss.Instance(TIMES, due=DUE), algorithm="palmer", objective="total-tardiness")


def test_columns_are_called_as_planners_call_them(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "jobs.csv"
    file.write_text("Teil,saw,Due Date,wanted\nA,3,9,1\nB,4,8,2\n")
    assert pfss.read(file, columns={"wanted": "weight"}).due == [9, 8]
    assert pfss.read_all(file, columns={4: "weight", "due-date": "ignore"})[0].weight == [1, 2]
    with pytest.raises(pfss.InputError, match="no column `x`; there are `Teil`, `saw`"):
        pfss.read(file, columns={"x": "due"})
    with pytest.raises(pfss.InputError, match="`columns`: a column cannot be `date`"):
        pfss.read(file, columns={"wanted": "date"})
    file.write_text("part,saw\n11,3\n12,4\n")
    with pytest.warns(UserWarning, match="read as a machine"):
        assert pfss.read(file).num_machines == 2


def test_a_dataframe_has_synonyms_and_no_silent_machines() -> None:
    pandas = pytest.importorskip("pandas")
    shop = pfss.Instance(pandas.DataFrame({"saw": [1, 2], "Due Date": [5, 6], "priority": [1, 2]}))
    assert (shop.machines, shop.due, shop.weight) == (["saw"], [5, 6], [1, 2])
    with pytest.raises(pfss.InputError, match="rename it to say which"):
        pfss.Instance(pandas.DataFrame({"saw": [1, 2], "due (Mon)": [5, 6]}))
