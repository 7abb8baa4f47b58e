"""Orders of experts, and files of them."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

import pfss

BATCH = pfss.generate("gamma", num_jobs=12, num_machines=5, count=5, seed=3)


def test_labels_survive_their_file(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "labels.safetensors"
    orders = pfss.label(BATCH, expert="neh")
    pfss.write_labels(file, BATCH, orders, record={"expert": "neh", "seed": 3})
    labels = pfss.read_labels(file)
    assert (labels.orders == orders).all() and labels.orders.dtype == np.int64
    assert labels.record == {"expert": "neh", "seed": 3}
    for before, after in zip(BATCH, labels.instances, strict=True):
        assert (before.times == after.times).all()
    # The folder of a training has its labels under this name.
    assert (pfss.read_labels(tmp_path).orders == orders).all()


def test_whole_times_and_names_are_written(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "own.safetensors"
    shop = pfss.Instance([[4, 3], [2, 5]], jobs=["hood", "door"])
    pfss.write_labels(file, [shop, [[1, 2], [3, 4]]], [["door", "hood"], np.asarray([0, 1])])
    labels = pfss.read_labels(file)
    assert labels.orders.tolist() == [[1, 0], [0, 1]] and labels.record == {}
    assert (labels.instances[0].times == shop.times).all()


def test_an_expert_may_be_a_function() -> None:
    asked: list[pfss.Instance] = []

    def longest_first(shop: pfss.Instance) -> list[int]:
        asked.append(shop)
        return np.argsort(-shop.times.sum(axis=1)).tolist()

    orders = pfss.label(BATCH, expert=longest_first)
    assert asked == BATCH and orders.shape == (5, 12)
    for shop, order in zip(BATCH, orders):
        assert (np.diff(shop.times.sum(axis=1)[order]) <= 0).all()
    # A result is an order, and names are jobs.
    named = pfss.Instance([[4, 3], [2, 5], [1, 1]], jobs=["a", "b", "c"])
    assert pfss.label([named], expert=lambda shop: pfss.solve(shop, time_limit=1)).shape == (1, 3)
    assert pfss.label([named], expert=lambda _: ["c", "a", "b"]).tolist() == [[2, 0, 1]]
    mixed = pfss.label([named, *BATCH], expert=lambda shop: range(shop.num_jobs))
    assert [len(order) for order in mixed] == [3, 12, 12, 12, 12, 12]


def test_answers_of_an_expert_are_checked() -> None:
    with pytest.raises(pfss.InputError, match=r"the expert's order of instance 0 \(counted from 0\)"):
        pfss.label(BATCH, expert=lambda _: [0] * 12)
    with pytest.raises(pfss.InputError, match="the expert's order of instance 0"):
        pfss.label(BATCH, expert=lambda _: None)
    with pytest.raises(pfss.InputError, match="`settings` is for algorithms of pfss"):
        pfss.label(BATCH, expert=lambda _: range(12), settings={"tie": "ff"})
    with pytest.raises(pfss.InputError, match="`evaluations` is for algorithms of pfss"):
        pfss.label(BATCH, expert=lambda _: range(12), evaluations=5)

    def fails(_: pfss.Instance) -> Any:
        raise RuntimeError("no licence")

    with pytest.raises(RuntimeError, match="no licence"):
        pfss.label(BATCH, expert=fails)


ORDERS = pfss.label(BATCH, expert="neh")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda file: pfss.write_labels(file, BATCH, ORDERS[:3]), "5 instances and 3 orders"),
        (lambda file: pfss.write_labels(file, [], []), "no instances"),
        (lambda file: pfss.write_labels(file, [*BATCH[:2], pfss.taillard(1)], [*ORDERS[:2], range(20)]), "holds one size"),
        (lambda file: pfss.write_labels(file, BATCH, np.zeros((5, 12), dtype=int)), "order 0: "),
        (lambda file: pfss.write_labels(file, BATCH, ORDERS.astype(float)), "order 0: "),
        (lambda file: pfss.write_labels(file, BATCH, ORDERS, record={"x": object()}), "cannot be written as JSON"),
        (lambda file: pfss.write_labels(file / "no" / "where", BATCH, ORDERS), "where"),
        (lambda file: pfss.read_labels(file), "cannot read"),
        (lambda _: pfss.read_labels(ROOT / "models" / "front" / "model.safetensors"), "not a set of labelled instances"),
        (lambda _: pfss.read(ROOT / "models" / "front" / "model.safetensors"), "`pfss.Policy` reads models"),
    ],
    ids=["counts", "empty", "sizes", "orders", "reals", "record", "folder", "missing", "model", "instances"],
)
def test_what_is_no_label_is_told(wrong: Callable[[pathlib.Path], Any], told: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(pfss.InputError, match=told):
        wrong(tmp_path / "labels.safetensors")


@pytest.mark.parametrize(
    ("tensors", "told"),
    [
        ({"times": ("F32", (1, 2, 1), 4), "orders": ("U32", (1, 2), 4)}, "its times are F32; they must be float64"),
        ({"times": ("F64", (1, 2, 1), 8), "orders": ("I64", (1, 2), 8)}, "its orders are I64; they must be uint32"),
    ],
)
def test_other_types_of_numbers_are_told(tensors: Any, told: str, tmp_path: pathlib.Path) -> None:
    """They were said not to fit together."""
    header: dict[str, Any] = {"__metadata__": {"pfss.labels/1": "{}"}}
    end = 0
    for name, (dtype, shape, size) in tensors.items():
        begin, end = end, end + size * int(np.prod(shape))
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    file = tmp_path / "labels.safetensors"
    file.write_bytes(len(text).to_bytes(8, "little") + text + bytes(end))
    with pytest.raises(pfss.InputError, match=told):
        pfss.read_labels(file)
    with pytest.raises(pfss.InputError, match="labels.safetensors"):
        pfss.Policy(file)
