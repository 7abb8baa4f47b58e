"""The networks in PyTorch agree with the inference in Rust."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest
from conftest import ROOT

import pfss

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

import pfss.torch as networks  # noqa: E402

TOLERANCE = 1e-4


def front_rows(network: networks.FrontNetwork, shop: pfss.Instance, order: list[int]) -> np.ndarray:
    """As `Policy.log_probabilities` has them."""
    state, rows = networks.FrontState.of([shop]), []
    with torch.no_grad():
        for job in order:
            rows.append(network(state).flatten(1)[0].numpy())
            state = state.place(torch.tensor([job]), torch.tensor([False]))
    return np.stack(rows)


def assert_close(ours: np.ndarray, theirs: np.ndarray) -> None:
    assert (np.isneginf(ours) == np.isneginf(theirs)).all()
    finite = np.isfinite(ours)
    # The inference in Rust keeps single precision, which shows in the last digits of very unlikely choices.
    assert np.allclose(ours[finite], theirs[finite], atol=TOLERANCE, rtol=1e-5)


@pytest.mark.parametrize("model", ["front", "front-wide"])
@pytest.mark.parametrize(("jobs", "machines"), [(20, 5), (13, 20), (7, 1), (30, 40)])
def test_the_front_network_reads_our_models(model: str, jobs: int, machines: int) -> None:
    network = networks.FrontNetwork.load(ROOT / "models" / model)
    policy = pfss.Policy(ROOT / "models" / model)
    for shop in pfss.generate("gamma", num_jobs=jobs, num_machines=machines, count=2, seed=5):
        order = np.random.default_rng(1).permutation(jobs).tolist()
        assert_close(policy.log_probabilities(shop, order), front_rows(network, shop, order))


def test_a_front_network_of_ones_own_is_read_by_pfss(tmp_path: pathlib.Path) -> None:
    torch.manual_seed(1)
    network = networks.FrontNetwork(hidden=24, width=40)
    file = tmp_path / "own.safetensors"
    network.save(file)
    again = networks.FrontNetwork.load(file)
    assert all(torch.equal(a, b) for a, b in zip(network.state_dict().values(), again.state_dict().values()))
    shop = pfss.taillard("ta001")
    order = list(range(19, -1, -1))
    assert_close(pfss.Policy(file).log_probabilities(shop, order), front_rows(network, shop, order))
    result = pfss.solve(shop, algorithm="policy", settings={"model": str(file)})
    assert sorted(result.order_numbers) == list(range(20))


def test_states_grow_from_both_ends() -> None:
    shop = pfss.generate("uniform", num_jobs=6, num_machines=4)[0]
    state = networks.FrontState.of([shop, shop])
    for front, back in [(0, 5), (1, 4), (2, 3)]:
        state = state.place(torch.tensor([front, front]), torch.tensor([False, False]))
        state = state.place(torch.tensor([back, back]), torch.tensor([True, True]))
    makespan = pfss.evaluate(shop, [0, 1, 2, 3, 4, 5])
    assert np.allclose(state.makespans().numpy() * shop.times.mean(), makespan, rtol=1e-6)
    assert not state.open.any()


@pytest.mark.parametrize("jobs", [20, 5, 2])
def test_the_papers_network_reads_our_models(jobs: int) -> None:
    network = networks.PaperNetwork.load(ROOT / "models" / "gamma-m5")
    policy = pfss.Policy(ROOT / "models" / "gamma-m5")
    shops = pfss.generate("gamma", num_jobs=jobs, num_machines=5, count=3, seed=9)
    orders = [np.random.default_rng(seed).permutation(jobs).tolist() for seed in range(3)]
    with torch.no_grad():
        rows = network(network.features(shops), torch.tensor(orders)).numpy()
    for shop, order, own in zip(shops, orders, rows):
        assert_close(policy.log_probabilities(shop, order), own)


@pytest.mark.parametrize("normalization", ["batch", "layer", "none"])
@pytest.mark.parametrize("aggregation", ["mean", "sum", "max"])
def test_a_papers_network_of_ones_own_is_read_by_pfss(
    normalization: str, aggregation: str, tmp_path: pathlib.Path
) -> None:
    torch.manual_seed(2)
    network = networks.PaperNetwork(
        4, width=32, heads=4, layers=2, normalization=normalization, aggregation=aggregation, scale="mean"
    )
    shops = pfss.generate("uniform", num_jobs=15, num_machines=4, count=4)
    orders = torch.tensor(pfss.label(shops, expert="neh"))
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    times, losses = network.features(shops), []
    for _ in range(20):
        steps = network(times, orders)
        loss = -steps.gather(2, orders[:, :, None]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]
    file = tmp_path / "own.safetensors"
    network.save(file)
    network.eval()
    with torch.no_grad():
        rows = network(times, orders).numpy()
    for shop, order, own in zip(shops, orders.tolist(), rows):
        assert_close(pfss.Policy(file).log_probabilities(shop, order), own)


def test_foreign_files_are_told(tmp_path: pathlib.Path) -> None:
    with pytest.raises(pfss.InputError, match="no model of the kind"):
        networks.PaperNetwork.load(ROOT / "models" / "front")
    file = tmp_path / "x.safetensors"
    file.write_bytes(b"hello")
    with pytest.raises(pfss.InputError, match="cannot read"):
        networks.FrontNetwork.load(file)
    with pytest.raises(pfss.InputError, match="no parameter 'depth'"):
        networks.PaperNetwork(3, depth=2)
