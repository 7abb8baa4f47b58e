"""The bidirectional network."""

from __future__ import annotations

import os
from typing import Any

import torch
from torch import Tensor, nn

from . import files
from .alone import instances_of

_KEY = "pfss.front/1"
_FEATURES, _SCALARS = 16, 4


class FrontState:
    """Orders that grow from both ends, for a batch of instances of one size.

    `times` has the shape (batch, jobs, machines) and is divided by the mean of each instance. `open` tells which jobs are
    left, `front` when each machine finishes the jobs at the front, `back` the same of the back in the mirrored problem.
    Sums are kept in double precision, as the Rust inference does.
    """

    def __init__(self, times: Tensor) -> None:
        self.times = times.double()
        batch, jobs, machines = times.shape
        self.open = torch.ones(batch, jobs, dtype=torch.bool, device=times.device)
        self.front = torch.zeros(batch, machines, dtype=torch.float64, device=times.device)
        self.back = torch.zeros_like(self.front)

    @classmethod
    def of(cls, instances: Any, device: torch.device | str = "cpu") -> FrontState:
        """No job placed yet."""
        times = torch.stack([torch.as_tensor(one.times).double() for one in instances_of(instances)])
        means = times.mean(dim=(1, 2), keepdim=True)
        # Rust divides in double precision and keeps single precision.
        scaled = (times / torch.where(means > 0, means, 1.0)).float()
        return cls(scaled.to(device))

    def place(self, jobs: Tensor, at_back: Tensor) -> FrontState:
        """The state after one more job of each instance, at the front or at the back."""
        rows = torch.arange(len(jobs), device=jobs.device)
        times = self.times[rows, jobs]
        new = FrontState.__new__(FrontState)
        new.times, new.open = self.times, self.open.clone()
        new.open[rows, jobs] = False
        mirrored = _advance(self.back.flip(1), times.flip(1)).flip(1)
        new.front = torch.where(at_back[:, None], self.front, _advance(self.front, times))
        new.back = torch.where(at_back[:, None], mirrored, self.back)
        return new

    def makespans(self) -> Tensor:
        """Of whole orders, in units of the mean time."""
        return (self.front + self.back).amax(dim=1)

    def features(self, end: int) -> Tensor:
        """What the network sees of each job on each machine at an end: (batch, jobs, machines, 16)."""
        if end == 0:
            return _features(self.times, self.front, self.back, self.open)
        return _features(self.times.flip(2), self.back.flip(1), self.front.flip(1), self.open)

    def scalars(self) -> Tensor:
        """The share of jobs left, and logarithms of the sizes: (batch, 4)."""
        left = self.open.sum(dim=1).clamp(min=1).double()
        _, jobs, machines = self.times.shape
        n, m = torch.full_like(left, jobs), torch.full_like(left, machines)
        return torch.stack([left / n, left.log() / 4, n.log() / 4, m.log() / 3], dim=1)


def _advance(front: Tensor, times: Tensor) -> Tensor:
    columns = []
    done = torch.zeros_like(front[:, 0])
    for machine in range(front.shape[1]):
        done = torch.maximum(done, front[:, machine]) + times[:, machine]
        columns.append(done)
    return torch.stack(columns, dim=1)


def _features(times: Tensor, own: Tensor, other: Tensor, is_open: Tensor) -> Tensor:
    """The definition of docs/reference/networks.md, in the view of one end."""
    _, jobs, machines = times.shape
    left = is_open.sum(dim=1).clamp(min=1).double()
    work = (times * is_open[:, :, None]).sum(dim=1)
    load = own + work + other
    slack = (load - load.amax(dim=1, keepdim=True))[:, None, :].expand_as(times)
    own, other = own[:, None, :].expand_as(times), other[:, None, :].expand_as(times)
    done = torch.zeros_like(times[:, :, 0])
    completions, waits = [], []
    for machine in range(machines):
        start = torch.maximum(done, own[:, :, machine])
        waits.append(start - done if machine else torch.zeros_like(done))
        done = start + times[:, :, machine]
        completions.append(done)
    completion, wait = torch.stack(completions, dim=2), torch.stack(waits, dim=2)
    idle = completion - times - own
    heads = times.cumsum(dim=2) - times
    tails = times.flip(2).cumsum(dim=2).flip(2) - times
    root, count = left.sqrt()[:, None, None], left[:, None, None]
    curved = [
        times,
        idle,
        wait,
        slack,
        slack + idle,
        completion - completion[:, :, :1],
        own - own[:, :, :1],
        other - other[:, :, -1:],
        heads,
        tails,
        slack / root,
        8.0 * (slack + idle) / count,
    ]
    position = torch.arange(machines, dtype=times.dtype, device=times.device) / max(1, machines - 1)
    plain = [
        (work / left[:, None])[:, None, :].expand_as(times) - 1.0,
        position.expand_as(times),
        (count / jobs).expand_as(times),
        (count.log() / 4).expand_as(times),
    ]
    return torch.cat([torch.stack(curved, dim=3).asinh(), torch.stack(plain, dim=3)], dim=3)


class FrontNetwork(nn.Module):
    """The bidirectional policy: log-probabilities of placing each job that is left at the front or at the back.

    ``network(state)`` has the shape (batch, 2, jobs): front and back; jobs that are placed have minus infinity.
    """

    def __init__(self, hidden: int = 64, width: int = 128, clip: float = 10.0) -> None:
        super().__init__()
        self.hidden, self.width, self.clip = hidden, width, clip
        self.machine = nn.ModuleList([nn.Linear(_FEATURES, hidden), nn.Linear(hidden, hidden)])
        self.candidate = nn.Linear(2 * hidden + _SCALARS, width)
        self.mix = _with_context(width)
        self.norm = nn.LayerNorm(width)
        self.score = _with_context(width)
        self.score["output"] = nn.Linear(width, 1)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> FrontNetwork:
        """Reads a model of pfss: its name, a file, or the folder of a training."""
        source, config, tensors = files.load(path, _KEY)
        network: FrontNetwork = files.filled(source, cls, config, tensors)
        return network

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model that pfss reads."""
        config = {"hidden": self.hidden, "width": self.width, "clip": self.clip}
        files.save(path, _KEY, config, self)

    def forward(self, state: FrontState) -> Tensor:
        """The log-probabilities of all choices: (batch, 2, jobs)."""
        logits = self.logits(state)
        closed = ~state.open[:, None, :].expand_as(logits)
        logits = logits.masked_fill(closed, -torch.inf)
        return logits.flatten(1).log_softmax(dim=1).view_as(logits)

    def logits(self, state: FrontState) -> Tensor:
        """The clipped logits of all jobs, also of those that are placed: (batch, 2, jobs)."""
        z = [self._embed(state, end) for end in (0, 1)]
        context = _contexts(z, state.open)
        z = [self.norm(one + _contextual(self.mix, one, about)) for one, about in zip(z, context, strict=True)]
        context = _contexts(z, state.open)
        scores = [
            self.score["output"](_contextual(self.score, one, about)).squeeze(2)
            for one, about in zip(z, context, strict=True)
        ]
        return self.clip * (torch.stack(scores, dim=1) / self.clip).tanh()

    def _embed(self, state: FrontState, end: int) -> Tensor:
        dtype = self.candidate.weight.dtype
        hidden = state.features(end).to(dtype)
        for layer in self.machine:
            hidden = layer(hidden).relu()
        scalars = state.scalars().to(dtype)[:, None, :].expand(-1, hidden.shape[1], -1)
        seen = torch.cat([hidden.mean(dim=2), hidden.amax(dim=2), scalars], dim=2)
        embedded: Tensor = self.candidate(seen).relu()
        return embedded


def _with_context(width: int) -> Any:
    return nn.ModuleDict({"own": nn.Linear(width, width), "context": nn.Linear(3 * width, width, bias=False)})


def _contextual(maps: Any, one: Tensor, about: Tensor) -> Tensor:
    mapped: Tensor = (maps["own"](one) + maps["context"](about)[:, None, :]).relu()
    return mapped


def _contexts(z: list[Tensor], is_open: Tensor) -> list[Tensor]:
    """Means and maxima of each end's candidates, and the means of the other's."""
    weight = is_open[:, :, None].to(z[0].dtype)
    count = weight.sum(dim=1).clamp(min=1)
    means = [(one * weight).sum(dim=1) / count for one in z]
    largest = [one.masked_fill(~is_open[:, :, None], -torch.inf).amax(dim=1) for one in z]
    return [torch.cat([means[end], largest[end], means[1 - end]], dim=1) for end in (0, 1)]
