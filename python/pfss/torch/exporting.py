"""The paper's network in other formats."""

from __future__ import annotations

import os
from pathlib import Path

import torch
from torch import Tensor, nn

from .alone import InputError
from .encoders import Encoder
from .paper import PaperNetwork


class _Follow(nn.Module):
    """What a network says along given orders, without the checks, which look at numbers."""

    def __init__(self, network: PaperNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, times: Tensor, orders: Tensor) -> Tensor:
        followed: Tensor = self.network.decoder(Encoder.encode(self.network, times), orders)
        return followed


def to_onnx(network: PaperNetwork, path: str | os.PathLike[str]) -> None:
    """Writes a network as ONNX (``pip install pfss[onnx]``): from ``times`` and ``orders`` to ``log_probabilities``.

    The names are those of `PaperNetwork.forward`; the batch and the number of jobs may be any. `PaperNetwork.features` makes
    times (divided by their mean first, where the network was made so). Row ``t`` depends on the first ``t`` jobs of an order
    only, so that an order is built from any first one by taking the likeliest job of one row after the other.
    """
    try:
        import onnx  # noqa: F401
        import onnxscript  # noqa: F401
    except ImportError as error:
        raise InputError(f"writing ONNX needs the packages onnx and onnxscript: {error}") from None
    if not isinstance(network, PaperNetwork):
        raise InputError("only the paper's network is written as ONNX: the bidirectional one sees states, not orders")
    was_training, was_exported = network.training, network.is_exported
    network.eval()
    network.is_exported = True
    device = network.job_embedding.weight.device
    times = torch.rand(3, 11, network.config["num_machines"], device=device)
    orders = torch.stack([torch.randperm(11, device=device) for _ in range(3)])
    shapes = {0: torch.export.Dim("batch", min=1), 1: torch.export.Dim("jobs", min=2)}
    try:
        torch.onnx.export(
            _Follow(network),
            (times, orders),
            Path(path),
            input_names=["times", "orders"],
            output_names=["log_probabilities"],
            dynamic_shapes={"times": shapes, "orders": shapes},
            external_data=False,
            dynamo=True,
            verbose=False,
        )
    finally:
        network.is_exported = was_exported
        network.train(was_training)
