"""Instances from all that people hand over."""

from __future__ import annotations

import pathlib
import pickle
import resource
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import pfss

TIMES = [[4, 3, 2], [2, 5, 3], [3, 1, 4], [1, 1, 1]]


@pytest.mark.parametrize(
    "dtype",
    ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", ">i4", ">f8"],
)
def test_arrays_of_all_types_give_the_same_times(dtype: str) -> None:
    array = np.asarray(TIMES, dtype=dtype)
    instance = pfss.Instance(array)
    assert instance.times.tolist() == TIMES
    assert instance.times.dtype == (np.float64 if array.dtype.kind == "f" else np.int64)
    assert pfss.Instance(np.asfortranarray(array)) == instance
    assert pfss.Instance(np.asarray(array[::2])).times.tolist() == TIMES[::2]
    assert pfss.Instance(array[:, ::-1]).times.tolist() == [row[::-1] for row in TIMES]


def test_lists_tuples_and_generators_are_tables() -> None:
    expected = pfss.Instance(TIMES)
    assert pfss.Instance(tuple(map(tuple, TIMES))) == expected
    assert pfss.Instance([np.asarray(row) for row in TIMES]) == expected
    assert pfss.Instance(iter(TIMES)) == expected
    assert pfss.Instance(np.asarray(TIMES, dtype=object)) == expected
    mixed = pfss.Instance([[1, 2.5], [3, 4]])
    assert mixed.times.dtype == np.float64 and mixed.times.tolist() == [[1.0, 2.5], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("times", "told"),
    [
        ([[1, 2], [3, -4]], ["row 1", "column 1", "-4"]),
        ([[1, 2], [3, float("nan")]], ["row 1", "column 1", "nan"]),
        ([[1, 2], [3, float("inf")]], ["row 1", "column 1", "inf"]),
        ([[1, "2"], [3, 4]], ["row 0", "column 1", "'2'"]),
        ([[1, 2], [3, None]], ["row 1", "column 1", "None"]),
        ([[1, 2], [True, 4]], ["row 1", "column 0", "True"]),
        ([[1, 2], [3, 2**40]], ["row 1", "column 1", "coarser unit"]),
        ([[1, 2], [3]], ["row 1", "1 times", "2 were expected"]),
        ([1, 2, 3], ["row 0", "one value"]),
        (["ab", "cd"], ["row 0", "one value"]),
        ("jobs.csv", ["pfss.read"]),
        (7, ["no table"]),
        ([], ["no jobs"]),
        ([[], []], ["no machines"]),
        (np.zeros((0, 3)), ["no jobs"]),
        (np.zeros((3, 0), dtype=int), ["no machines"]),
        (np.zeros(3), ["1 dimensions", "two are needed"]),
        (np.zeros((2, 2, 2)), ["3 dimensions"]),
        (np.asarray([[1.0, 2.0], [np.nan, 4.0]]), ["row 1", "column 0", "NaN"]),
        (np.asarray([[1.0, 2.0], [3.0, -4.0]], dtype=np.float32), ["row 1", "column 1", "-4"]),
        (np.asarray([[1, 2], [3, -4]], dtype=np.int8), ["row 1", "column 1", "-4"]),
        (np.asarray([[1, 2], [2**33, 4]]), ["row 1", "column 0", "coarser unit"]),
        (np.asarray([["1", "2"], ["3", "4"]]), ["row 0", "column 0", "'1'"]),
        (np.asarray([[1, 2], [3, None]], dtype=object), ["row 1", "column 1", "None"]),
        (np.asarray([[True, False]]), ["row 0", "column 0"]),
        (np.asarray([[1 + 2j, 3]]), ["row 0", "column 0"]),
        # Whole numbers above 64 bits became real ones.
        ([[1, 2], [3, 2**63]], ["row 1", "column 1", "9223372036854775808", "more than 4294967295"]),
        ([[1, 2.5], [3, 2**53 + 1]], ["row 1", "column 1", "9007199254740993", "more than 4294967295"]),
        ([[1, -(2**63) - 1]], ["row 0", "column 1", "-9223372036854775809", "not negative"]),
        ([[1, 10**400]], ["row 0", "column 1", "more than 4294967295"]),
        (np.asarray([[1, 2**64 - 1]], dtype=np.uint64), ["row 0", "column 1", "18446744073709551615"]),
        (np.asarray([[1, 2**70]], dtype=object), ["row 0", "column 1", "more than 4294967295"]),
        ([[np.uint64(2**63), 1]], ["row 0", "column 0", "more than 4294967295"]),
        # What Python makes a number of, although it is none or another.
        ([[np.True_, 1]], ["row 0", "column 0", "True"]),
        ([[np.complex64(1 + 2j), 1]], ["row 0", "column 0", "1+2j"]),
        ([[1, np.complex64(1)]], ["row 0", "column 1"]),
        ([[b"1", 2]], ["row 0", "column 0"]),
        ([[np.asarray([1]), 2]], ["row 0", "column 0"]),
        ([[np.timedelta64(5, "s"), 2]], ["row 0", "column 0"]),
        (np.asarray([[5, 6]], dtype="m8[s]"), ["row 0", "column 0"]),
        (np.zeros((1, 2), dtype=[("time", "f8")]), ["row 0", "column 0"]),
        ([[Fraction(1, 3), 1]], ["row 0", "column 0", "round it"]),
        ([[1, Decimal("0.1000000000000000000001")]], ["row 0", "column 1", "round it"]),
        ([[Decimal("NaN"), 1]], ["row 0", "column 0", "NaN"]),
        ([[Decimal("-0.1"), 1]], ["row 0", "column 0", "not negative"]),
        (np.asarray([[1, 1 / np.longdouble(3)]]), ["row 0", "column 1", "round it"]),
        (np.asarray([[1, np.inf]], dtype=np.float16), ["row 0", "column 1", "inf"]),
        (np.ma.masked_array([[1, 2], [3, 4]], mask=[[0, 0], [1, 0]]), ["row 1", "column 0", "masked"]),
        ([np.ma.masked_array([1.5, 2], mask=[1, 0])], ["row 0", "column 0"]),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_what_is_no_table_of_times_is_told_with_its_place(times: Any, told: list[str]) -> None:
    with pytest.raises(pfss.InputError) as error:
        pfss.solve(times)
    for word in told:
        assert word in str(error.value), str(error.value)
    assert isinstance(error.value, ValueError)


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (Decimal("0.1"), 0.1),
        (Decimal("2.50"), 2.5),
        (Fraction(1, 10), 0.1),
        (Fraction(3, 4), 0.75),
        (np.longdouble("0.5"), 0.5),
        (np.float16(0.25), 0.25),
        (np.float32(1234.5), 1234.5),
        (np.asarray(7), 7),
        (np.uint64(2**30), 2**30),
    ],
)
def test_numbers_of_other_types_are_taken_exactly(item: Any, expected: float) -> None:
    times = pfss.Instance([[item, 1]]).times
    assert times.tolist() == [[expected, 1]]
    assert pfss.Instance([[1, 1]], due=[item]).due == [expected]


def test_masked_arrays_without_masked_cells_are_arrays() -> None:
    assert pfss.Instance(np.ma.masked_array(TIMES, mask=False)).times.tolist() == TIMES


def test_a_large_array_is_copied_once_only() -> None:
    array = np.random.default_rng(1).integers(1, 100, size=(100_000, 20))
    pfss.Instance(array[:10])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    instance = pfss.Instance(array)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    # The one copy holds four bytes for each time.
    assert grown < 1.5 * 4 * array.size, f"{grown / array.size:.1f} bytes for each time"
    assert instance.num_jobs == 100_000
    assert (instance.times == array).all()


def test_names_come_from_the_arguments() -> None:
    instance = pfss.Instance(TIMES, jobs=["a", "b", "c", 4], machines=["x", "y", "z"], name="line")
    assert (instance.jobs, instance.machines, instance.name) == (["a", "b", "c", "4"], ["x", "y", "z"], "line")
    assert repr(instance) == "Instance('line', 4 jobs x 3 machines)"
    with pytest.raises(pfss.InputError, match="2 job names were given for 4"):
        pfss.Instance(TIMES, jobs=["a", "b"])


def test_a_dataframe_brings_names() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(TIMES, index=["a", "b", "c", "d"], columns=["x", "y", "z"])
    instance = pfss.Instance(frame)
    assert instance == pfss.Instance(TIMES, jobs=["a", "b", "c", "d"], machines=["x", "y", "z"])
    assert set(pfss.solve(frame).order) == {"a", "b", "c", "d"}
    plain = pfss.Instance(pandas.DataFrame(TIMES))
    assert plain.jobs is None and plain.machines is None
    named = pandas.DataFrame({"job": ["a", "b"], "x": [1, 2], "y": [3.5, 4]})
    assert pfss.Instance(named).jobs == ["a", "b"]
    with pytest.raises(pfss.InputError, match="row 1, column 0"):
        pfss.Instance(pandas.DataFrame({"x": [1, None], "y": [3, 4]}))
    with pytest.raises(pfss.InputError, match="row 0, column 1"):
        pfss.Instance(pandas.DataFrame({"x": [1, 2], "y": ["three", "four"]}))
    # Beside a column of real numbers it was rounded.
    with pytest.raises(pfss.InputError, match="row 1, column 1 .* 9007199254740993"):
        pfss.Instance(pandas.DataFrame({"x": [1.5, 2.5], "y": [1, 2**53 + 1]}))


def test_files_and_benchmarks_are_read(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "jobs.csv"
    file.write_text("job,saw,drill\naxle,3,1\nwheel,2,2\n")
    assert pfss.read(file).times.tolist() == [[3, 1], [2, 2]]
    assert pfss.read(str(file)).machines == ["saw", "drill"]
    file.write_text("job,saw,drill\naxle,3,x\nwheel,2,2\n")
    with pytest.raises(pfss.InputError, match=r"jobs\.csv:2"):
        pfss.read(file)
    with pytest.raises(pfss.InputError, match="nothing.csv"):
        pfss.read(tmp_path / "nothing.csv")
    twice = tmp_path / "two.txt"
    twice.write_text("2 1 5 9 9\n1 2\n2 1 6 9 9\n3 4\n")
    assert [len(one.times) for one in pfss.read_all(twice)] == [2, 2]
    with pytest.raises(pfss.InputError, match="holds 2 instances"):
        pfss.read(twice)
    assert pfss.read(f"{twice}#2").times.tolist() == [[3], [4]]
    assert pfss.taillard(51) == pfss.taillard("ta051")
    assert pfss.taillard("ta001").num_jobs == 20
    with pytest.raises(pfss.InputError, match="ta121"):
        pfss.taillard("ta121")


def test_generated_instances_follow_their_seed() -> None:
    first = pfss.generate("gamma", num_jobs=20, num_machines=5, count=3, seed=1)
    assert first == pfss.generate("gamma", num_jobs=20, num_machines=5, count=3, seed=1)
    assert first != pfss.generate("gamma", num_jobs=20, num_machines=5, count=3, seed=2)
    skips = pfss.generate("uniform", num_jobs=50, num_machines=10, zeros=0.5)[0]
    assert 0.3 < (skips.times == 0).mean() < 0.7
    with pytest.raises(pfss.InputError, match="one of"):
        pfss.generate("beta", num_jobs=2, num_machines=2)
    with pytest.raises(pfss.InputError):
        pfss.generate("gamma", num_jobs=2, num_machines=2, size=3)
    with pytest.raises(pfss.InputError, match="count is 0"):
        pfss.generate("gamma", num_jobs=2, num_machines=2, count=0)


def test_instances_survive_pickle_and_json() -> None:
    for instance in [
        pfss.Instance(TIMES),
        pfss.Instance(np.asarray(TIMES) / 7, jobs=list("abcd"), name="ä \"b\""),
        pfss.taillard("ta001"),
        pfss.Instance([[1.0, 2.0]], machines=["x", "y"]),
    ]:
        again = pickle.loads(pickle.dumps(instance))
        assert again == instance and hash(again) == hash(instance)
        assert again.times.dtype == instance.times.dtype
        assert pfss.Instance.from_json(instance.to_json()) == instance
    assert pfss.Instance(TIMES) != pfss.Instance(TIMES, name="x") != 3
