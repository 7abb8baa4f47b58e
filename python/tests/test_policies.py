"""Policies and labels."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from conftest import ROOT

import pfss

BATCH = pfss.generate("gamma", num_jobs=12, num_machines=5, count=5, seed=3)


@pytest.mark.parametrize("model", ["front", str(ROOT / "models" / "gamma-m5")])
def test_batches_are_decoded(model: str) -> None:
    policy = pfss.Policy(model)
    greedy = policy.decode(BATCH)
    sampled = policy.decode(BATCH, samples=16)
    beam = policy.decode(BATCH, beam=4)
    assert greedy.orders.shape == (5, 12) and greedy.values.shape == (5,)
    for orders, values in (greedy, sampled, beam):
        assert all(sorted(order) == list(range(12)) for order in orders.tolist())
        assert values.tolist() == [pfss.evaluate(shop, order) for shop, order in zip(BATCH, orders)]
    assert (sampled.values <= greedy.values).all()
    alone = policy.decode(BATCH, samples=16, threads=1)
    assert (alone.orders == sampled.orders).all()
    assert (policy.decode(BATCH, samples=16, reverse=True).values <= sampled.values).all()
    again = pickle.loads(pickle.dumps(policy))
    assert (again.decode(BATCH).orders == greedy.orders).all()


def test_arrays_and_mixed_sizes_are_batches() -> None:
    times = np.stack([shop.times for shop in BATCH])
    policy = pfss.Policy()
    assert policy.kind == "front"
    assert (policy.decode(times).orders == policy.decode(BATCH).orders).all()
    mixed = policy.decode([BATCH[0], pfss.taillard("ta001")])
    assert [len(order) for order in mixed.orders] == [12, 20]
    with pytest.raises(pfss.InputError, match="three are needed"):
        policy.decode(times[0])


def test_probabilities_sum_to_one_at_every_step() -> None:
    shop, order = BATCH[0], list(range(12))
    for model, columns in [("front", 24), (str(ROOT / "models" / "gamma-m5"), 12)]:
        rows = pfss.Policy(model).log_probabilities(shop, order)
        assert rows.shape == (12, columns)
        assert np.allclose(np.exp(rows).sum(axis=1), 1.0, atol=1e-4)
        assert np.isneginf(rows[3, :3]).all()


def test_wrong_models_and_manners_are_told() -> None:
    with pytest.raises(pfss.InputError, match="front and front-wide are built in"):
        pfss.Policy("no such model")
    with pytest.raises(pfss.InputError, match="machines"):
        pfss.Policy(ROOT / "models" / "gamma-m5").decode([pfss.taillard("ta011")])
    policy = pfss.Policy("front")
    for wrong in ({"samples": -1}, {"samples": 2, "beam": 2}, {"samples": 2, "temperature": 0.0}):
        with pytest.raises(pfss.InputError):
            policy.decode(BATCH, **wrong)  # type: ignore[arg-type]


def test_labels_are_the_experts_orders() -> None:
    labels = pfss.label(BATCH, expert="iterated-greedy", evaluations=2_000)
    assert labels.shape == (5, 12) and labels.dtype == np.int64
    assert (labels == pfss.label(BATCH, evaluations=2_000, threads=1)).all()
    neh = pfss.label(BATCH, expert="neh")
    better = [pfss.evaluate(shop, a) <= pfss.evaluate(shop, b) for shop, a, b in zip(BATCH, labels, neh)]
    assert all(better)
    mixed = pfss.label([BATCH[0], pfss.taillard("ta001")], expert="neh")
    assert [len(order) for order in mixed] == [12, 20]
    with pytest.raises(pfss.InputError, match="say how many evaluations"):
        pfss.label(BATCH, evaluations=None)
    with pytest.raises(pfss.InputError, match="there is no algorithm"):
        pfss.label(BATCH, expert="nobody")


def test_what_is_no_batch_is_told() -> None:
    for wrong in (7, "ta001"):
        with pytest.raises(pfss.InputError, match="no list of instances"):
            pfss.label(wrong, expert="neh")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["front", "front-wide"])
def test_the_folders_of_the_built_in_policies_hold_them(name: str) -> None:
    folder = pfss.Policy(ROOT / "models" / name)
    assert folder.kind == "front" and (folder.decode(BATCH).orders == pfss.Policy(name).decode(BATCH).orders).all()


def test_a_temperature_without_drawn_orders_is_refused() -> None:
    """It changed nothing."""
    policy = pfss.Policy()
    for given in ({}, {"beam": 3}):
        with pytest.raises(pfss.InputError, match="drawn orders only; say how many with `samples`"):
            policy.decode(BATCH, temperature=3, **given)
    with pytest.raises(pfss.InputError, match="the temperature is -1"):
        policy.decode(BATCH, samples=2, temperature=-1)
    assert policy.decode(BATCH, samples=2, temperature=3).orders.shape == (5, 12)
