"""The paper's network as ONNX agrees with PyTorch, for any batch and number of jobs."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import pfss

torch = pytest.importorskip("torch")
for needed in ("safetensors", "onnx", "onnxscript"):
    pytest.importorskip(needed)
onnxruntime = pytest.importorskip("onnxruntime")

import pfss.torch as networks  # noqa: E402

# Where others use the cores as well, the threads of small networks wait for each other longer than they work.
torch.set_num_threads(1)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("encoder", ["ggcn", "lstm", "transformer"])
def test_onnx_gives_the_same_log_probabilities(encoder: str, tmp_path: pathlib.Path) -> None:
    torch.manual_seed(1)
    network = networks.PaperNetwork(5, encoder=encoder, width=32, heads=4, layers=2)
    # Running statistics that are not those of the start.
    network.encode(network.features(pfss.generate("gamma", num_jobs=9, num_machines=5, count=4)))
    file = tmp_path / "network.onnx"
    networks.to_onnx(network, file)
    assert network.training and not network.is_exported
    network.eval()
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    # Whole times have many equal distances.
    for jobs, count, times in [(11, 3, "gamma"), (20, 2, "gamma"), (7, 1, "gamma"), (2, 4, "gamma"), (23, 2, "whole")]:
        shops = pfss.generate("gamma", num_jobs=jobs, num_machines=5, count=count, seed=jobs)
        seen = network.features(shops)
        seen = seen.ceil().clamp(max=2) if times == "whole" else seen
        orders = networks.padded(np.random.default_rng(row).permutation(jobs) for row in range(count))
        given = {"times": seen.numpy(), "orders": orders.numpy()}
        (found,) = session.run(["log_probabilities"], given)
        with torch.no_grad():
            expected = network(seen, orders).numpy()
        assert (np.isneginf(found) == np.isneginf(expected)).all()
        finite = np.isfinite(expected)
        assert np.allclose(found[finite], expected[finite], atol=1e-4), (jobs, count)


def test_other_networks_are_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(pfss.InputError, match="only the paper's network"):
        networks.to_onnx(networks.FrontNetwork(8, 16), tmp_path / "front.onnx")
