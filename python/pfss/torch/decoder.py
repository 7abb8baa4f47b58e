"""Attention over the jobs that are left (Eq. 2 to 5 of the paper)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from .encoders import head_scale, present_jobs, split_heads


class Decoder(nn.Module):
    """The probabilities of each next job, from embeddings of all."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        width = config["width"]
        self.heads, self.clip, self.width = config["heads"], config["clip"], width
        # Eq. 3 looks at all jobs; the paper's program at those that are left.
        self.sees_all = config["glimpse"] == "all"
        self.placeholders = nn.Parameter(torch.empty(2, width).uniform_(-1.0, 1.0))
        self.jobs = nn.Linear(width, 3 * width, bias=False)
        self.graph_context = nn.Linear(width, width, bias=False)
        self.step_context = nn.Linear(2 * width, width, bias=False)
        self.output = nn.Linear(width, width, bias=False)

    def forward(self, jobs: Tensor, orders: Tensor, sizes: Tensor | None = None) -> Tensor:
        """Log-probabilities along given orders, all steps at once: (batch, steps, jobs)."""
        count = jobs.shape[1]
        followed = jobs.gather(1, orders[:, :, None].expand(-1, -1, self.width))
        # The first job and the one before; placeholders stand for both at the first step.
        first = followed[:, :1].expand(-1, count - 1, -1)
        later = torch.cat([first, followed[:, :-1]], dim=2)
        context = torch.cat([self.placeholders.view(1, 1, -1).expand(jobs.shape[0], -1, -1), later], dim=1)
        query = self._graph(jobs, sizes)[:, None, :] + self.step_context(context)
        keys, values, logit_keys = self.jobs(jobs).split(self.width, dim=2)
        steps = torch.arange(count, device=jobs.device)
        place = torch.empty_like(orders).scatter_(1, orders, steps.expand_as(orders))
        closed = place[:, None, :] < steps[None, :, None]
        present = present_jobs(jobs, sizes)
        if present is not None:
            # Padding is placed at the end, each at its own step.
            closed = closed | (~present[:, None, :] & (steps[None, None, :] != steps[None, :, None]))
        scores = split_heads(query, self.heads) @ split_heads(keys, self.heads).transpose(2, 3)
        unseen = self._unseen(closed, None if present is None else ~present[:, None, :])
        shares = (scores / head_scale(self.width, self.heads)).masked_fill(unseen[:, None], -torch.inf).softmax(dim=3)
        glimpse = (shares @ split_heads(values, self.heads)).transpose(1, 2).flatten(2)
        logits = self._clipped(self.output(glimpse) @ logit_keys.transpose(1, 2))
        return logits.masked_fill(closed, -torch.inf).log_softmax(dim=2)

    def draw(
        self,
        jobs: Tensor,
        sizes: Tensor | None = None,
        temperature: float | None = None,
        generator: torch.Generator | None = None,
    ) -> Tensor:
        """Orders that are built job by job: the likeliest job at each step, or at a temperature one that is drawn."""
        known = self.known(jobs, sizes)
        present = present_jobs(jobs, sizes)
        closed = jobs.new_zeros(jobs.shape[:2], dtype=torch.bool) if present is None else ~present
        query, first, order = known.start, None, []
        for step in range(jobs.shape[1]):
            if present is not None:
                closed[:, step] &= present[:, step]
            logits = self.logits(known, query, closed)
            if temperature is not None:
                # The largest sum of a logit and of a number of the Gumbel distribution.
                noise = torch.empty_like(logits).exponential_(generator=generator).log_()
                logits = logits / temperature - noise
            job = logits.argmax(dim=1)
            order.append(job)
            closed = closed.scatter(1, job[:, None], True)
            at = job[:, None, None].expand(-1, 1, self.width)
            first = known.as_first.gather(1, at).squeeze(1) if first is None else first
            query = first + known.as_last.gather(1, at).squeeze(1) + known.graph
        return torch.stack(order, dim=1)

    def known(self, jobs: Tensor, sizes: Tensor | None = None) -> Known:
        """What stays the same at all steps."""
        keys, values, logit_keys = self.jobs(jobs).split(self.width, dim=2)
        graph, present = self._graph(jobs, sizes), present_jobs(jobs, sizes)
        as_first, as_last = (jobs @ half.t() for half in self.step_context.weight.chunk(2, dim=1))
        return Known(
            split_heads(keys, self.heads).transpose(2, 3),
            split_heads(values, self.heads),
            (logit_keys @ self.output.weight).transpose(1, 2),
            graph,
            self.step_context(self.placeholders.view(1, -1)) + graph,
            as_first,
            as_last,
            None if present is None else ~present,
        )

    def logits(self, known: Known, query: Tensor, closed: Tensor) -> Tensor:
        """The clipped logits of one step; those of closed jobs are minus infinity: (batch, jobs)."""
        scores = query.view(len(query), self.heads, 1, -1) @ known.keys / head_scale(self.width, self.heads)
        unseen = self._unseen(closed, known.padding)
        shares = scores.masked_fill(unseen[:, None, None, :], -torch.inf).softmax(dim=3)
        glimpse = (shares @ known.values).view(len(query), 1, self.width)
        return self._clipped(glimpse @ known.logit_keys).squeeze(1).masked_fill(closed, -torch.inf)

    def _unseen(self, closed: Tensor, padding: Tensor | None) -> Tensor:
        """Which jobs a glimpse leaves out."""
        if not self.sees_all:
            return closed
        return torch.zeros_like(closed) if padding is None else padding.expand_as(closed)

    def _graph(self, jobs: Tensor, sizes: Tensor | None) -> Tensor:
        """The part of every query that all jobs together make."""
        present = present_jobs(jobs, sizes)
        if sizes is None or present is None:
            mean = jobs.mean(dim=1)
        else:
            mean = jobs.masked_fill(~present[..., None], 0.0).sum(dim=1) / sizes[:, None]
        mapped: Tensor = self.graph_context(mean)
        return mapped

    def _clipped(self, inner: Tensor) -> Tensor:
        clipped: Tensor = self.clip * (inner / math.sqrt(self.width)).tanh()
        return clipped


class Known(NamedTuple):
    """What a decoder knows of a batch at all steps."""

    keys: Tensor
    values: Tensor
    logit_keys: Tensor
    #: The part of all queries, that of the first step, and those of the first job and of the last one.
    graph: Tensor
    start: Tensor
    as_first: Tensor
    as_last: Tensor
    #: Which rows are no jobs, where there are some.
    padding: Tensor | None
