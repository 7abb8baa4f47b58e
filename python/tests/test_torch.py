"""The networks in PyTorch agree with the inference in Rust."""

from __future__ import annotations

import pathlib
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from conftest import ROOT

import pfss

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")

import pfss.torch as networks  # noqa: E402

# Where others use the cores as well, the threads of small networks wait for each other longer than they work.
torch.set_num_threads(1)

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


@pytest.mark.parametrize("glimpse", ["open", "all"])
@pytest.mark.parametrize("normalization", ["batch", "layer", "none"])
@pytest.mark.parametrize("encoder", ["ggcn", "lstm", "transformer"])
def test_all_encoders_agree_with_the_inference_in_rust(
    encoder: str, normalization: str, glimpse: str, tmp_path: pathlib.Path
) -> None:
    torch.manual_seed(3)
    network = networks.PaperNetwork(
        4, encoder=encoder, width=32, heads=4, layers=2, normalization=normalization, scale="mean", glimpse=glimpse
    )
    shops = pfss.generate("uniform", num_jobs=12, num_machines=4, count=8, seed=2)
    times, orders = network.features(shops), torch.tensor(pfss.label(shops, expert="neh"))
    # Small steps: where all logits are at their limit, every order is as good as another.
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    for _ in range(5):
        optimizer.zero_grad()
        (-network(times, orders).gather(2, orders[:, :, None]).mean()).backward()
        optimizer.step()
    file = tmp_path / "own.safetensors"
    network.save(file)
    again = networks.PaperNetwork.load(file)
    policy = pfss.Policy(file)
    with torch.no_grad():
        rows = again(times, orders).numpy()
    for shop, order, own in zip(shops, orders.tolist(), rows):
        assert_close(policy.log_probabilities(shop, order), own)
    assert (policy.decode(shops).orders == again.decode(shops).orders).all()


@pytest.mark.parametrize("is_trained", [False, True])
@pytest.mark.parametrize(
    ("encoder", "aggregation", "glimpse"),
    [
        ("ggcn", "mean", "open"),
        ("ggcn", "sum", "open"),
        ("ggcn", "max", "open"),
        ("lstm", "mean", "open"),
        ("transformer", "mean", "open"),
        ("ggcn", "mean", "all"),
    ],
)
def test_an_instance_means_the_same_in_a_mixed_batch(
    encoder: str, aggregation: str, glimpse: str, is_trained: bool
) -> None:
    torch.manual_seed(4)
    shape = {"encoder": encoder, "aggregation": aggregation, "glimpse": glimpse, "width": 16, "heads": 2, "layers": 2}
    network = networks.PaperNetwork(3, **shape)
    network.train(is_trained)
    counts = [6, 6] if is_trained else [1, 2, 9, 17, 30]
    shops = [pfss.generate("gamma", num_jobs=n, num_machines=3, seed=seed)[0] for seed, n in enumerate(counts, 1)]
    orders = [np.random.default_rng(n).permutation(n).tolist() for n in counts]
    times, labels = network.features(shops), networks.padded(orders)
    if is_trained:
        # Padding has no part in the statistics of the batch.
        times, labels = torch.nn.functional.pad(times, (0, 0, 0, 5)), networks.padded([*orders, range(11)])[:2]
    mixed = network(times, labels, networks.sizes(shops))
    noted = {name: value.clone() for name, value in network.named_buffers() if "running" in name}
    if is_trained:
        torch.manual_seed(4)
        network = networks.PaperNetwork(3, **shape)
        alone = network(network.features(shops), torch.tensor(orders))
        assert torch.allclose(mixed[:, :6, :6], alone, atol=1e-5)
        for name, value in network.named_buffers():
            assert name not in noted or torch.allclose(value, noted[name], atol=1e-6), name
    else:
        for row, (shop, order) in enumerate(zip(shops, orders)):
            alone = network(network.features([shop]), torch.tensor([order]))[0]
            assert torch.allclose(mixed[row, : len(order), : len(order)], alone, atol=1e-5)
    # The rest of a short order is certain, so that sums are those of the orders.
    chosen = mixed.gather(2, labels[:, :, None]).squeeze(2)
    for row, count in enumerate(counts):
        assert (chosen[row, count:] == 0).all()
    chosen.sum().backward()
    assert all(one.grad is None or one.grad.isfinite().all() for one in network.parameters())


def test_the_front_network_takes_instances_of_all_sizes() -> None:
    network = networks.FrontNetwork.load("front")
    sizes = [(5, 3), (1, 4), (9, 1), (7, 12)]
    shops = [pfss.generate("gamma", num_jobs=n, num_machines=m, seed=n)[0] for n, m in sizes]
    rng = np.random.default_rng(5)
    mixed, alone = networks.FrontState.of(shops), [networks.FrontState.of([shop]) for shop in shops]
    for step in range(9):
        with torch.no_grad():
            rows = network(mixed)
        jobs, ends = [], []
        for row, (state, (n, _)) in enumerate(zip(alone, sizes)):
            left = state.open[0].nonzero().flatten().tolist()
            jobs.append(int(rng.choice(left)) if left else 0)
            ends.append(bool(rng.integers(2)))
            with torch.no_grad():
                own = network(state)[0]
            assert torch.allclose(rows[row, :, :n], own, atol=1e-5), (step, row)
            assert (rows[row, :, n:] == -torch.inf).all()
            alone[row] = state.place(torch.tensor(jobs[-1:]), torch.tensor(ends[-1:])) if left else state
        mixed = mixed.place(torch.tensor(jobs), torch.tensor(ends))
    assert torch.allclose(mixed.makespans(), torch.cat([state.makespans() for state in alone]))


def test_a_front_network_learns_from_mixed_batches() -> None:
    network = networks.FrontNetwork(8, 16)
    state = networks.FrontState.of(pfss.generate("gamma", num_jobs=2, num_machines=2) + [pfss.taillard(1)])
    for job in (0, 1, 2):
        state = state.place(torch.tensor([job % 2, job]), torch.tensor([False, True]))
    # The first order is whole.
    likely = network(state)
    likely[likely.isfinite()].sum().backward()
    assert all(one.grad.isfinite().all() for one in network.parameters())


@pytest.mark.parametrize("encoder", ["front", "ggcn", "lstm", "transformer"])
def test_networks_decode_batches_of_all_sizes(encoder: str) -> None:
    torch.manual_seed(7)
    is_front = encoder == "front"
    network = networks.FrontNetwork(8, 16) if is_front else networks.PaperNetwork(5, encoder=encoder, width=16, heads=2)
    shops = [pfss.generate("gamma", num_jobs=n, num_machines=5, seed=n)[0] for n in (4, 11, 20)]
    greedy, best, again = (network.decode(shops, samples=samples, seed=3) for samples in (0, 8, 8))
    for shop, order, value in zip(shops, greedy.orders, greedy.values):
        alone = network.decode([shop])
        assert (alone.orders[0] == order).all() and alone.values[0] == value == pfss.evaluate(shop, order)
    assert (best.values <= greedy.values).all() and (best.values < greedy.values).any()
    assert all((a == b).all() for a, b in zip(best.orders, again.orders))
    cool = network.decode(shops, samples=8, seed=3, temperature=0.02)
    assert any((a != b).any() for a, b in zip(best.orders, cool.orders))
    assert len(network.decode([]).orders) == 0
    with pytest.raises(pfss.InputError, match="drawn orders only"):
        network.decode(shops, temperature=2.0)


def test_large_batches_are_decoded_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    network = networks.PaperNetwork(5, width=16, heads=2)
    shops = pfss.generate("gamma", num_jobs=20, num_machines=5, count=9)
    whole = network.decode(shops)
    asked: list[int] = []
    best = network._best
    monkeypatch.setattr(network, "_best", lambda part, *more: asked.append(len(part)) or best(part, *more))
    parts = networks.paper.parts
    monkeypatch.setattr(networks.paper, "parts", lambda shops, numbers: parts(shops, 2**22))
    assert (network.decode(shops).orders == whole.orders).all() and asked == [4, 4, 1]


def test_draws_follow_the_probabilities() -> None:
    torch.manual_seed(6)
    network = networks.PaperNetwork(2, width=16, heads=2, layers=1).eval()
    shop = pfss.generate("gamma", num_jobs=3, num_machines=2, seed=4)[0]
    times = network.features([shop] * 4000)
    with torch.no_grad():
        orders = network.decoder.draw(network.encode(times), None, 1.0, torch.Generator().manual_seed(1))
        first = network(times[:1], torch.tensor([[0, 1, 2]]))[0, 0].exp()
    shares = torch.bincount(orders[:, 0], minlength=3) / 4000
    assert torch.allclose(shares, first, atol=0.04)


def test_costs_and_bounds_are_those_of_pfss() -> None:
    shops = [pfss.generate("gamma", num_jobs=n, num_machines=4, seed=n)[0] for n in (1, 2, 9)]
    orders = [np.random.default_rng(n).permutation(n) for n in (1, 2, 9)]
    times = networks.batches.stacked([torch.as_tensor(shop.times) for shop in shops])
    expected = [pfss.evaluate(shop, order) for shop, order in zip(shops, orders)]
    assert np.allclose(networks.makespans(times, networks.padded(orders)), expected)
    for shop, value in zip(shops, expected):
        bound = networks.bounds(torch.as_tensor(shop.times)[None])[0].item()
        assert 0 < bound * (1 - 1e-9) <= pfss.lower_bound(shop) and bound * (1 - 1e-9) <= value


def test_a_critic_has_the_size_of_the_papers() -> None:
    critic = networks.Critic(5, encoder="lstm")
    assert sum(one.numel() for one in critic.parameters()) == 266_881
    assert critic(torch.rand(3, 20, 5)).shape == (3,)


@pytest.mark.parametrize("name", ["front", "front-wide", "gamma-m5"])
def test_names_of_models_work_as_in_policies(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    kind = networks.PaperNetwork if name == "gamma-m5" else networks.FrontNetwork
    own, stored = kind.load(name), kind.load(ROOT / "models" / name)
    assert all(torch.equal(a, b) for a, b in zip(own.state_dict().values(), stored.state_dict().values()))
    with pytest.raises(pfss.InputError, match="nowhere: cannot read the model"):
        kind.load("nowhere")


SHOP = [[4.0, 3.0], [2.0, 5.0], [3.0, 1.0]]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda paper, _: paper(SHOP, torch.tensor([[0, 1, 2]])), "must be a tensor of real numbers"),
        (lambda paper, _: paper(torch.ones(1, 3, 2), [[0, 1, 2]]), "tensor of int64"),
        (lambda paper, _: paper(torch.ones(1, 3, 2), torch.ones(1, 3)), "tensor of int64"),
        (lambda paper, _: paper(torch.ones(1, 3, 2), torch.tensor([[0, 1]])), r"expected is \(1, 3\)"),
        (lambda paper, _: paper(torch.ones(1, 3, 2), torch.tensor([[0, 1, 1]])), "order 0 does not have every job"),
        (lambda paper, _: paper(torch.ones(1, 3, 4), torch.tensor([[0, 1, 2]])), r"\(batch, jobs, 2\)"),
        (lambda paper, _: paper(torch.ones(3, 2), torch.tensor([[0, 1, 2]])), r"\(batch, jobs, 2\)"),
        (lambda paper, _: paper(torch.ones(2, 3, 2), torch.tensor([[0, 1, 2]] * 2), torch.tensor([3])), "the sizes"),
        (lambda paper, _: paper.features([[[1, 2, 3]]]), "has 3 machines; the network is for 2"),
        (lambda paper, _: paper.features(7), "no list of instances"),
        (lambda paper, _: paper.features([]), "there are no instances"),
        (lambda _, front: front([SHOP]), "takes a state"),
        (lambda paper, _: paper(torch.ones(1, 1, 2), torch.tensor([[0]])), "a batch of one job has no spread"),
        (lambda paper, _: paper.features([pfss.Instance(SHOP, due=[9, 9, 9])]), "instance 0 carries more than times"),
        (lambda _, front: networks.FrontState.of("ta001"), "no list of instances"),
        (lambda _, front: networks.FrontState([SHOP]), "must be a tensor"),
        (lambda _, front: networks.FrontState.of([SHOP]).place([0], [False]), "tensor of int64"),
        (
            lambda _, front: networks.FrontState.of([SHOP]).place(torch.tensor([3]), torch.tensor([False])),
            "no job 3 that is left",
        ),
        (lambda _, front: networks.FrontNetwork(hidden=0), "hidden is 0"),
        (lambda _, front: networks.PaperNetwork(2, encoder="gru"), "no encoder 'gru'; known are ggcn"),
        (lambda _, front: networks.PaperNetwork("5"), "num_machines is '5'"),
        (lambda _, front: networks.PaperNetwork(5, heads=3), "the heads must divide it"),
        (lambda _, front: networks.PaperNetwork.load(3), "3 is no model"),
        (lambda _, front: networks.padded([[0.5]]), "order 0 is no row of job numbers"),
    ],
)
def test_what_cannot_be_used_is_told(wrong: Callable[..., object], told: str) -> None:
    with pytest.raises(pfss.InputError, match=told):
        wrong(networks.PaperNetwork(2, width=16, heads=2, layers=1), networks.FrontNetwork(8, 16))


def test_damaged_models_are_told(tmp_path: pathlib.Path) -> None:
    from safetensors.torch import save_file

    file = tmp_path / "own.safetensors"
    for config, told in [
        ('{"hidden": 8, "depth": 3}', "unexpected keyword argument 'depth'"),
        ("[1]", "configuration of the model cannot be read"),
        ('{"hidden": 8, "width": 16}', "tensor 'machine.0.weight' is missing"),
    ]:
        save_file({"x": torch.ones(1)}, file, metadata={"pfss.front/1": config})
        with pytest.raises(pfss.InputError, match=told):
            networks.FrontNetwork.load(file)
    network = networks.FrontNetwork(8, 16)
    network.norm.weight.data[0] = torch.nan
    with pytest.raises(pfss.InputError, match="'norm.weight' holds a value that is not finite"):
        network.save(file)


@pytest.mark.parametrize("method", ["imitation", "actor-critic"])
@pytest.mark.parametrize("encoder", ["ggcn", "lstm"])
def test_the_training_in_pytorch_runs(method: str, encoder: str, tmp_path: pathlib.Path) -> None:
    shops = pfss.generate("gamma", num_jobs=6, num_machines=3, count=20)
    labels, model = tmp_path / "labels.safetensors", tmp_path / "model.safetensors"
    pfss.write_labels(labels, shops, pfss.label(shops, expert="neh"))
    tiny = ["--method", method, "--encoder", encoder, "--instances", "20", "--batch", "8", "--warm-up", "1"]
    given = ["--labels", str(labels)] if method == "imitation" else ["-n", "6", "-m", "3"]
    told = train([*tiny, *given, "--threads", "1", "-o", str(model)])
    assert "seconds per step" in told
    assert pfss.Policy(model).decode(shops).orders.shape == (20, 6)


def test_the_training_in_pytorch_needs_nothing_compiled() -> None:
    """A machine with a GPU may have PyTorch and no wheel of pfss."""
    told = train(["-n", "5", "-m", "2", "--instances", "16", "--batch", "8"], without="pfss")
    assert "seconds per epoch" in told


def train(arguments: list[str], without: str | None = None) -> str:
    file = ROOT / "experiments" / "train-in-pytorch.py"
    text = f"import runpy, sys\nsys.modules[{without!r}] = None\n" if without else "import runpy, sys\n"
    text += f"sys.argv = {['train', *arguments]!r}\nrunpy.run_path({str(file)!r}, run_name='__main__')\n"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_foreign_files_are_told(tmp_path: pathlib.Path) -> None:
    with pytest.raises(pfss.InputError, match="no model of the kind"):
        networks.PaperNetwork.load(ROOT / "models" / "front")
    file = tmp_path / "x.safetensors"
    file.write_bytes(b"hello")
    with pytest.raises(pfss.InputError, match="cannot read"):
        networks.FrontNetwork.load(file)
    with pytest.raises(pfss.InputError, match="no parameter 'depth'"):
        networks.PaperNetwork(3, depth=2)
