"""The paper's network: a gated graph convolution over similar jobs, and an attention decoder."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from pfss._pfss import InputError
from pfss.instances import Instance
from pfss.torch import files

_KEY = "pfss.policy/1"
_DEFAULTS: dict[str, Any] = {
    "problem": "flow-shop",
    "encoder": "ggcn",
    "width": 128,
    "layers": 3,
    "heads": 8,
    "clip": 10.0,
    "neighbours": 0.2,
    "aggregation": "mean",
    "normalization": "batch",
    "scale": "raw",
}


class PaperNetwork(nn.Module):
    """The network of "Learning to Optimize Permutation Flow Shop Scheduling via Graph-based Imitation Learning".

    ``network(times, orders)`` follows given orders: log-probabilities of the shape (batch, steps, jobs), where placed jobs
    have minus infinity. Batches of orders of an expert train it as the paper does.
    """

    def __init__(self, num_machines: int, **config: Any) -> None:
        super().__init__()
        unknown = set(config) - set(_DEFAULTS)
        if unknown:
            raise InputError(f"the network has no parameter {sorted(unknown)[0]!r}; known are {', '.join(_DEFAULTS)}")
        self.config = {"num_machines": num_machines, **_DEFAULTS, **config}
        if (self.config["problem"], self.config["encoder"]) != ("flow-shop", "ggcn"):
            raise InputError("only the paper's own network for flow shops (encoder `ggcn`) is written in PyTorch")
        width = self.config["width"]
        self.job_embedding = nn.Linear(num_machines, width)
        self.edge_embedding = _EdgeEmbedding(width)
        self.layers = nn.ModuleList([_Layer(self.config) for _ in range(self.config["layers"])])
        self.decoder = _Decoder(self.config)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> PaperNetwork:
        """Reads a model of pfss: a file, or the folder of a training. It comes ready for use, not for training."""
        config, tensors = files.load(path, _KEY)
        network = cls(**config)
        missing, unexpected = network.load_state_dict(tensors, strict=False)
        # PyTorch counts batches, pfss does not.
        wrong = [name for name in missing if not name.endswith("num_batches_tracked")] + list(unexpected)
        if wrong:
            raise InputError(f"{os.fspath(path)}: tensor {wrong[0]!r} does not belong there or is missing")
        return network.eval()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model that pfss reads."""
        tensors = {name: value for name, value in self.state_dict().items() if not name.endswith("num_batches_tracked")}
        files.save(path, _KEY, self.config, tensors)

    def features(self, instances: Sequence[Instance]) -> Tensor:
        """What the network sees of instances of one size: (batch, jobs, machines)."""
        times = torch.stack([torch.as_tensor(one.times).double() for one in instances])
        if self.config["scale"] == "mean":
            means = times.mean(dim=(1, 2), keepdim=True)
            times = times / torch.where(means > 0, means, 1.0)
        return times.to(self.job_embedding.weight)

    def encode(self, times: Tensor) -> Tensor:
        """The embeddings of the jobs (Eq. 1): (batch, jobs, width)."""
        neighbours, distances = _nearest(times, self.config["neighbours"])
        jobs, edges = self.job_embedding(times), self.edge_embedding(distances)
        for layer in self.layers:
            jobs, edges = layer(jobs, edges, neighbours)
        embedded: Tensor = jobs
        return embedded

    def forward(self, times: Tensor, orders: Tensor) -> Tensor:
        """The log-probabilities of all jobs at each step of the orders: (batch, steps, jobs)."""
        followed: Tensor = self.decoder(self.encode(times), orders)
        return followed


class _EdgeEmbedding(nn.Module):
    """A distance to a vector; stored without the dimension of one."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width).uniform_(-1.0, 1.0))
        self.bias = nn.Parameter(torch.empty(width).uniform_(-1.0, 1.0))

    def forward(self, distances: Tensor) -> Tensor:
        return distances[..., None] * self.weight + self.bias


def _nearest(times: Tensor, share: float) -> tuple[Tensor, Tensor]:
    """The nearest jobs of each job and their distances, equally near ones by number: (batch, jobs, neighbours)."""
    jobs = times.shape[1]
    degree = min(max(int(jobs * share + 1e-9), 1), jobs - 1)
    squares = (times[:, :, None, :] - times[:, None, :, :]).square().sum(dim=3)
    squares = squares.masked_fill(torch.eye(jobs, dtype=torch.bool, device=times.device), torch.inf)
    sorted_squares, places = squares.sort(dim=2, stable=True)
    return places[:, :, :degree], sorted_squares[:, :, :degree].sqrt()


class _Layer(nn.Module):
    """One gated graph convolution (Eq. 1)."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        width = config["width"]
        self.aggregation = config["aggregation"]
        self.b, self.c, self.d, self.e, self.f = (nn.Linear(width, width) for _ in range(5))
        self.job_norm, self.edge_norm = _norm(config), _norm(config)

    def forward(self, jobs: Tensor, edges: Tensor, neighbours: Tensor) -> tuple[Tensor, Tensor]:
        sent = edges.sigmoid() * _gather(self.c(jobs), neighbours)
        if neighbours.shape[2] == 0:
            gathered = torch.zeros_like(jobs)
        elif self.aggregation == "max":
            gathered = sent.amax(dim=2)
        else:
            gathered = sent.mean(dim=2) if self.aggregation == "mean" else sent.sum(dim=2)
        new_jobs = jobs + _normed(self.job_norm, self.b(jobs) + gathered).relu()
        inner = self.d(edges) + self.e(jobs)[:, :, None, :] + _gather(self.f(jobs), neighbours)
        return new_jobs, edges + _normed(self.edge_norm, inner).relu()


def _gather(jobs: Tensor, neighbours: Tensor) -> Tensor:
    rows = torch.arange(len(jobs), device=jobs.device)[:, None, None]
    return jobs[rows, neighbours]


def _norm(config: dict[str, Any]) -> nn.Module:
    kinds = {"batch": nn.BatchNorm1d, "layer": nn.LayerNorm}
    kind = kinds.get(config["normalization"])
    return nn.Identity() if kind is None else kind(config["width"])


def _normed(norm: nn.Module, rows: Tensor) -> Tensor:
    """Every row by itself, or all rows of a batch together."""
    normed: Tensor = norm(rows.flatten(0, -2)).view_as(rows)
    return normed


class _Decoder(nn.Module):
    """Attention over the jobs that are left (Eq. 2 to 5)."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        width = config["width"]
        self.heads, self.clip, self.width = config["heads"], config["clip"], width
        self.placeholders = nn.Parameter(torch.empty(2, width).uniform_(-1.0, 1.0))
        self.jobs = nn.Linear(width, 3 * width, bias=False)
        self.graph_context = nn.Linear(width, width, bias=False)
        self.step_context = nn.Linear(2 * width, width, bias=False)
        self.output = nn.Linear(width, width, bias=False)

    def forward(self, jobs: Tensor, orders: Tensor) -> Tensor:
        batch, count, width = jobs.shape
        rows = torch.arange(batch, device=jobs.device)[:, None]
        followed = jobs[rows, orders]
        # The first job and the one before; placeholders stand for both at the first step.
        first = followed[:, :1].expand(-1, orders.shape[1] - 1, -1)
        later = torch.cat([first, followed[:, :-1]], dim=2)
        context = torch.cat([self.placeholders.view(1, 1, -1).expand(batch, -1, -1), later], dim=1)
        query = self.graph_context(jobs.mean(dim=1))[:, None, :] + self.step_context(context)
        keys, values, logit_keys = self.jobs(jobs).split(width, dim=2)
        steps = torch.arange(orders.shape[1], device=jobs.device)
        place = torch.empty_like(orders).scatter_(1, orders, steps.expand_as(orders))
        closed = place[:, None, :] < steps[None, :, None]
        glimpse = self._glimpse(query, keys, values, closed)
        inner = self.output(glimpse) @ logit_keys.transpose(1, 2) / math.sqrt(width)
        logits = (self.clip * inner.tanh()).masked_fill(closed, -torch.inf)
        followed_probabilities: Tensor = logits.log_softmax(dim=2)
        return followed_probabilities

    def _glimpse(self, query: Tensor, keys: Tensor, values: Tensor, closed: Tensor) -> Tensor:
        def heads(rows: Tensor) -> Tensor:
            return rows.view(*rows.shape[:2], self.heads, -1).transpose(1, 2)

        scores = heads(query) @ heads(keys).transpose(2, 3) / math.sqrt(self.width // self.heads)
        shares = scores.masked_fill(closed[:, None], -torch.inf).softmax(dim=3)
        glimpse: Tensor = (shares @ heads(values)).transpose(1, 2).flatten(2)
        return glimpse
