"""What makes embeddings of the jobs: the paper's gated graph convolution (Eq. 1) and its rivals."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from .alone import InputError

#: How many times wider than the embeddings a Transformer's feed-forward layer is.
_FEED_FORWARD = 4


class Encoder(nn.Module):
    """A network that begins with embeddings of the jobs."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        #: Whether it is being written in another format, whose operations keep equal distances in order anyway.
        self.is_exported = False
        self.config = config
        width = config["width"]
        self.job_embedding = nn.Linear(config["num_machines"], width)
        layers: list[nn.Module]
        if config["encoder"] == "ggcn":
            self.edge_embedding = _EdgeEmbedding(width)
            layers = [_Convolution(config, last=layer == config["layers"] - 1) for layer in range(config["layers"])]
        else:
            kind = {"lstm": _Recurrent, "transformer": _Transformer}[config["encoder"]]
            layers = [kind(config) for _ in range(config["layers"])]
        self.layers = nn.ModuleList(layers)

    def encode(self, times: Tensor, sizes: Tensor | None = None) -> Tensor:
        """The embeddings of the jobs: (batch, jobs, width)."""
        present = present_jobs(times, sizes)
        jobs: Tensor = self.job_embedding(times)
        if self.config["encoder"] != "ggcn":
            for layer in self.layers:
                jobs = layer(jobs, present)
            return jobs
        graph = _Graph(times, self.config["neighbours"], sizes, present, self.is_exported)
        edges: Tensor = self.edge_embedding(graph.distances)
        for layer in self.layers:
            jobs, edges = layer(jobs, edges, graph)
        return jobs


def present_jobs(jobs: Tensor, sizes: Tensor | None) -> Tensor | None:
    """Which jobs of a padded batch there are; None where there are all."""
    if sizes is None:
        return None
    return torch.arange(jobs.shape[1], device=jobs.device) < sizes[:, None]


class _EdgeEmbedding(nn.Module):
    """A distance to a vector; stored without the dimension of one."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width).uniform_(-1.0, 1.0))
        self.bias = nn.Parameter(torch.empty(width).uniform_(-1.0, 1.0))

    def forward(self, distances: Tensor) -> Tensor:
        return distances[..., None] * self.weight + self.bias


class _Graph:
    """The nearest jobs of each job, equally near ones by number: (batch, jobs, neighbours)."""

    def __init__(
        self, times: Tensor, share: float, sizes: Tensor | None, present: Tensor | None, is_exported: bool = False
    ) -> None:
        batch, jobs, _ = times.shape
        squares = (times[:, :, None, :] - times[:, None, :, :]).square().sum(dim=3)
        absent = torch.eye(jobs, dtype=torch.bool, device=times.device)
        if present is not None:
            absent = absent | ~present[:, None, :]
        squares = squares.masked_fill(absent, torch.inf)
        degree: Any
        if is_exported:
            # In whole numbers, which stay expressions in the number of jobs.
            part = Fraction(share).limit_denominator(1000)
            degree = torch.sym_min(torch.sym_max(jobs * part.numerator // part.denominator, 1), jobs - 1)
            near, places = squares.topk(degree, dim=2, largest=False)
        else:
            degree = _degree(jobs, share)
            near, places = squares.sort(dim=2, stable=True)
        self.present, self.used, self.counts = present, None, None
        if sizes is not None and present is not None:
            least = (sizes.double() * share + 1e-9).long().clamp(min=1)
            self.counts = torch.minimum(least, sizes - 1)
            used = torch.arange(degree, device=times.device) < self.counts[:, None]
            self.used = used[:, None, :] & present[:, :, None]
            near = near[:, :, :degree].masked_fill(~self.used, 0.0)
        self.distances = near[:, :, :degree].sqrt()
        self.places = places[:, :, :degree]
        # The rows of the neighbours among those of all jobs of the batch.
        first = torch.arange(batch, device=times.device)[:, None, None] * jobs
        self._rows = (self.places + first).reshape(-1)

    def neighbours(self, jobs: Tensor) -> Tensor:
        """What stands at the neighbours: (batch, jobs, neighbours, width)."""
        looked_up = jobs.reshape(-1, jobs.shape[2]).index_select(0, self._rows)
        return looked_up.view(*self.places.shape, jobs.shape[2])

    def gather(self, sent: Tensor, aggregation: str) -> Tensor:
        """What the neighbours sent, put together: (batch, jobs, width)."""
        count: Any = sent.shape[2]
        if count == 0:
            return sent.new_zeros(sent.shape[0], sent.shape[1], sent.shape[3])
        if self.used is not None and self.counts is not None:
            count = self.counts.clamp(min=1)[:, None, None]
            used = self.used[..., None]
            if aggregation == "max":
                return sent.masked_fill(~used, -torch.inf).amax(dim=2).masked_fill(~used.any(dim=2), 0.0)
            sent = sent * used
        if aggregation == "max":
            return sent.amax(dim=2)
        total = sent.sum(dim=2)
        return total / count if aggregation == "mean" else total


def _degree(jobs: int, share: float) -> int:
    # A little more than the product, so that 0.2 x 5 is one and not the number just below.
    return min(max(int(jobs * share + 1e-9), 1), jobs - 1)


class _Convolution(nn.Module):
    """One gated graph convolution (Eq. 1)."""

    def __init__(self, config: dict[str, Any], last: bool) -> None:
        super().__init__()
        width = config["width"]
        self.aggregation, self.last = config["aggregation"], last
        self.b, self.c, self.d, self.e, self.f = (nn.Linear(width, width) for _ in range(5))
        self.job_norm, self.edge_norm = _norm(config), _norm(config)

    def forward(self, jobs: Tensor, edges: Tensor, graph: _Graph) -> tuple[Tensor, Tensor]:
        sent = edges.sigmoid() * graph.neighbours(self.c(jobs))
        inner = self.b(jobs) + graph.gather(sent, self.aggregation)
        new_jobs = jobs + _normed(self.job_norm, inner, graph.present).relu()
        # What the last layer makes of the edges is never used.
        if not self.last:
            inner = self.d(edges) + self.e(jobs)[:, :, None, :] + graph.neighbours(self.f(jobs))
            edges = edges + _normed(self.edge_norm, inner, graph.used).relu()
        return new_jobs, edges


class _Attention(nn.Module):
    """Self-attention of all jobs."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.output = (nn.Linear(width, width, bias=False) for _ in range(4))

    def forward(self, jobs: Tensor, present: Tensor | None) -> Tensor:
        mask = None if present is None else present[:, None, None, :]
        query, key, value = (split_heads(part(jobs), self.heads) for part in (self.query, self.key, self.value))
        seen = scaled_dot_product_attention(query, key, value, attn_mask=mask)
        mapped: Tensor = self.output(seen.transpose(1, 2).flatten(2))
        return mapped


class _Recurrent(nn.Module):
    """Attention, then a long short-term memory that passes over the jobs in the order in which they are given."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        width = config["width"]
        self.attention = _Attention(width, config["heads"])
        self.attention_norm = _norm(config)
        self.lstm = nn.LSTM(width, width, batch_first=True)

    def forward(self, jobs: Tensor, present: Tensor | None) -> Tensor:
        jobs = _normed(self.attention_norm, jobs + self.attention(jobs, present), present)
        # Padding comes last, where it changes nothing.
        passed: Tensor = self.lstm(jobs)[0]
        return jobs + passed


class _Transformer(nn.Module):
    """Attention, then two maps of each job, both with residual and normalisation."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        width = config["width"]
        self.attention = _Attention(width, config["heads"])
        self.attention_norm = _norm(config)
        self.expand = nn.Linear(width, _FEED_FORWARD * width)
        self.contract = nn.Linear(_FEED_FORWARD * width, width)
        self.feed_forward_norm = _norm(config)

    def forward(self, jobs: Tensor, present: Tensor | None) -> Tensor:
        jobs = _normed(self.attention_norm, jobs + self.attention(jobs, present), present)
        return _normed(self.feed_forward_norm, jobs + self.contract(self.expand(jobs).relu()), present)


def split_heads(rows: Tensor, heads: int) -> Tensor:
    """By instance, head, row and feature."""
    return rows.view(*rows.shape[:2], heads, rows.shape[2] // heads).transpose(1, 2)


def head_scale(width: int, heads: int) -> float:
    """What attention divides its scores by."""
    return math.sqrt(width // heads)


def _norm(config: dict[str, Any]) -> nn.Module:
    kinds = {"batch": nn.BatchNorm1d, "layer": nn.LayerNorm}
    kind = kinds.get(config["normalization"])
    return nn.Identity() if kind is None else kind(config["width"])


def _normed(norm: nn.Module, rows: Tensor, present: Tensor | None) -> Tensor:
    """Every row by itself, or all rows of a batch together; padding has no part in their statistics."""
    if isinstance(norm, nn.Identity) or not rows.numel():
        return rows
    by_batch = norm.training and isinstance(norm, nn.BatchNorm1d)
    if present is None or not by_batch:
        given = rows.flatten(0, -2)
        _check_count(given, by_batch)
        normed: Tensor = norm(given).view_as(rows)
        return normed
    given = rows[present]
    _check_count(given, by_batch)
    return torch.zeros_like(rows).masked_scatter(present[..., None], norm(given))


def _check_count(rows: Tensor, by_batch: bool) -> None:
    if by_batch and len(rows) < 2:
        raise InputError("a batch of one job has no spread to be normalised by; train on more, or call network.eval()")
