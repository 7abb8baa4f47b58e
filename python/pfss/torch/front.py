"""The bidirectional network."""

from __future__ import annotations

import os
from typing import Any

import torch
from torch import Tensor, nn

from . import files
from .alone import InputError, instances_of
from .batches import parts
from .states import FrontState

_KEY = "pfss.front/1"
_FEATURES, _SCALARS = 16, 4


class FrontNetwork(nn.Module):
    """The bidirectional policy: log-probabilities of placing each job that is left at the front or at the back.

    ``network(state)`` has the shape (batch, 2, jobs): front and back; jobs that are placed have minus infinity.

    >>> import pfss, pfss.torch
    >>> network = pfss.torch.FrontNetwork.load("front")
    >>> shops = [pfss.taillard("ta001"), pfss.generate("gamma", num_jobs=7, num_machines=3)[0]]
    >>> orders, values = network.decode(shops, samples=4)
    >>> [len(order) for order in orders]
    [20, 7]
    """

    def __init__(self, hidden: int = 64, width: int = 128, clip: float = 10.0) -> None:
        super().__init__()
        for name, value in (("hidden", hidden), ("width", width)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InputError(f"{name} is {value!r}; it must be a whole number from 1 on")
        if isinstance(clip, bool) or not isinstance(clip, int | float) or not clip > 0:
            raise InputError(f"clip is {clip!r}; it must be a number above 0")
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
        if not isinstance(state, FrontState):
            raise InputError("the network takes a state; `FrontState.of(instances)` makes one")
        logits = self.logits(state)
        closed = ~state.open[:, None, :].expand_as(logits)
        # Whole orders have no choice left, and no sum of probabilities either.
        masked = logits.masked_fill(closed & state.open.any(dim=1)[:, None, None], -torch.inf)
        return masked.flatten(1).log_softmax(dim=1).view_as(logits).masked_fill(closed, -torch.inf)

    def decode(self, instances: Any, *, samples: int = 0, temperature: float = 1.0, seed: int = 1) -> Any:
        """The best order that the network builds for each instance, and its makespan, as `pfss.Policy.decode` has them.

        Built are the greedy order and ``samples`` drawn ones; the same seed draws the same ones again. Every job is placed
        by the network: `pfss.Policy` looks at fewer jobs where there are many, and leaves the last ones to a small search.
        """
        from pfss.policies import checked_sampling, decoded

        samples, temperature = checked_sampling(samples, temperature)
        shops = instances_of(instances)
        generator = torch.Generator(self.candidate.weight.device).manual_seed(seed)
        largest = max((one.num_jobs for one in shops), default=0), max((one.num_machines for one in shops), default=0)
        with torch.no_grad():
            numbers = largest[0] * largest[1] * self.hidden
            found = [self._best(part, samples, temperature, generator) for part in parts(shops, numbers)]
        return decoded(shops, [order for part in found for order in part])

    def _best(
        self, shops: list[Any], samples: int, temperature: float, generator: torch.Generator
    ) -> list[list[int]]:
        """The best of the greedy order and so many drawn ones, for each instance."""
        state = FrontState.of(shops, self.candidate.weight.device)
        best, least = self.draw(state)
        for _ in range(samples):
            drawn, value = self.draw(state, temperature, generator)
            best = torch.where((value < least)[:, None], drawn, best)
            least = torch.minimum(value, least)
        return [row[: one.num_jobs] for row, one in zip(best.tolist(), shops, strict=True)]

    def draw(
        self, state: FrontState, temperature: float | None = None, generator: torch.Generator | None = None
    ) -> tuple[Tensor, Tensor]:
        """Whole orders from states at their beginning, padded, and their makespans in units of the mean time.

        They are built step by step: the likeliest choice, or at a temperature one that is drawn.
        """
        batch, most = state.open.shape
        ends = torch.stack([torch.zeros_like(state.jobs), state.jobs - 1], dim=1)
        orders = torch.zeros(batch, most + 1, dtype=torch.int64, device=state.times.device)
        for _ in range(most):
            likely = self(state).flatten(1)
            if temperature is not None:
                # The largest sum of a logit and of a number of the Gumbel distribution.
                noise = torch.empty_like(likely).exponential_(generator=generator).log_()
                likely = likely / temperature - noise
            choice = likely.argmax(dim=1)
            end, job = choice // most, choice % most
            is_left = state.open.any(dim=1)
            at = ends.gather(1, end[:, None])
            # What is chosen for whole orders goes nowhere.
            orders.scatter_(1, torch.where(is_left[:, None], at, most), job[:, None])
            ends.scatter_add_(1, end[:, None], 1 - 2 * end[:, None])
            state = state.place(job, end == 1)
        return orders[:, :most], state.makespans()

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
        seen = torch.cat([state.mean_and_largest(hidden), scalars], dim=2)
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
    # Of whole orders nothing is left; what they have here is not used.
    closed = ~is_open[:, :, None] & is_open.any(dim=1)[:, None, None]
    largest = [one.masked_fill(closed, -torch.inf).amax(dim=1) for one in z]
    return [torch.cat([means[end], largest[end], means[1 - end]], dim=1) for end in (0, 1)]
