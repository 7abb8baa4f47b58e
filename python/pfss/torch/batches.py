"""Instances and orders as tensors. Instances of several sizes share a batch: what is missing is padded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad

from .alone import InputError, instances_of


def sizes(instances: Any, device: torch.device | str | None = None) -> Tensor:
    """The numbers of jobs of some instances, which a network needs of a batch of several sizes.

    >>> import pfss, pfss.torch
    >>> small, large = pfss.taillard("ta001"), pfss.taillard("ta031")
    >>> pfss.torch.sizes([small, large])
    tensor([20, 50])
    """
    return torch.tensor([one.num_jobs for one in instances_of(instances)], device=device)


def padded(orders: Iterable[Any], device: torch.device | str | None = None) -> Tensor:
    """Orders of several lengths as one tensor. The places that are left follow at the end, by number.

    >>> import pfss.torch
    >>> pfss.torch.padded([[2, 0, 1], [1, 0]])
    tensor([[2, 0, 1],
            [1, 0, 2]])
    """
    rows = [_order(order, row) for row, order in enumerate(orders)]
    if not rows:
        raise InputError("there are no orders")
    most = max(len(row) for row in rows)
    return torch.stack([torch.cat([row, torch.arange(len(row), most)]) for row in rows]).to(device)


def _order(given: Any, row: int) -> Tensor:
    order = torch.as_tensor(given)
    if order.dim() != 1 or (order.is_floating_point() and len(order)):
        raise InputError(f"order {row} is no row of job numbers")
    return order.long()


def stacked(tables: list[Tensor]) -> Tensor:
    """Tables of several sizes as one tensor, padded with zeros: (batch, jobs, machines)."""
    if not tables:
        raise InputError("there are no instances")
    jobs, machines = (max(table.shape[dim] for table in tables) for dim in (0, 1))
    return torch.stack([pad(one, (0, machines - one.shape[1], 0, jobs - one.shape[0])) for one in tables])


def parts(instances: list[Any], numbers: int) -> Iterator[list[Any]]:
    """Batches of instances, each of so many numbers at most where an instance of the largest size has `numbers`."""
    size = max(1, 2**24 // max(1, numbers))
    for first in range(0, len(instances), size):
        yield instances[first : first + size]


def makespans(times: Tensor, orders: Tensor) -> Tensor:
    """The makespans of orders: (batch). Padded jobs take no time.

    >>> import torch, pfss.torch
    >>> times = torch.tensor([[[4.0, 3.0, 2.0], [2.0, 5.0, 3.0], [3.0, 1.0, 4.0]]])
    >>> pfss.torch.makespans(times, torch.tensor([[1, 0, 2]]))
    tensor([16.])
    """
    placed = times.gather(1, orders[:, :, None].expand(-1, -1, times.shape[2]))
    done = placed.cumsum(dim=2)
    ahead = done - placed
    front = torch.zeros_like(placed[:, 0])
    # A job is done on a machine when it went on without a wait from one of the machines before, the one that held it last.
    for step in range(placed.shape[1]):
        front = done[:, step] + (front - ahead[:, step]).cummax(dim=1).values
    return front[:, -1]


def bounds(times: Tensor) -> Tensor:
    """The one-machine bound: what no order undercuts (batch). Costs divided by it can be compared between sizes.

    >>> import torch, pfss.torch
    >>> pfss.torch.bounds(torch.tensor([[[4.0, 3.0], [2.0, 5.0]]]))
    tensor([10.])
    """
    jobs = times.shape[1]
    if jobs == 1:
        return times[:, 0].sum(dim=1)
    heads = times.cumsum(dim=2) - times
    tails = times.flip(2).cumsum(dim=2).flip(2) - times
    # Another job is first than last.
    around = heads[:, :, None, :] + tails[:, None, :, :]
    same = torch.eye(jobs, dtype=torch.bool, device=times.device)[None, :, :, None]
    least = around.masked_fill(same, torch.inf).amin(dim=(1, 2))
    return (least + times.sum(dim=1)).amax(dim=1)
