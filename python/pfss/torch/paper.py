"""The paper's network and its rivals: an encoder, and a decoder that places one job after the other."""

from __future__ import annotations

import os
from typing import Any

import torch
from torch import Tensor, nn

from . import files
from .alone import InputError, instances_of
from .batches import makespans, parts, sizes, stacked
from .decoder import Decoder
from .encoders import Encoder

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
    "glimpse": "open",
}
_WORDS = {
    "problem": ("flow-shop",),
    "encoder": ("ggcn", "lstm", "transformer"),
    "aggregation": ("mean", "sum", "max"),
    "normalization": ("batch", "layer", "none"),
    "scale": ("raw", "mean"),
    "glimpse": ("open", "all"),
}


def _checked(num_machines: int, config: dict[str, Any]) -> dict[str, Any]:
    """The whole configuration of a network."""
    unknown = set(config) - set(_DEFAULTS)
    if unknown:
        raise InputError(f"the network has no parameter {sorted(unknown)[0]!r}; known are {', '.join(_DEFAULTS)}")
    whole = {"num_machines": num_machines, **_DEFAULTS, **config}
    for key, words in _WORDS.items():
        if whole[key] not in words:
            raise InputError(f"there is no {key} {whole[key]!r}; known are {', '.join(words)}")
    for key in ("num_machines", "width", "layers", "heads"):
        if isinstance(whole[key], bool) or not isinstance(whole[key], int) or whole[key] < 1:
            raise InputError(f"{key} is {whole[key]!r}; it must be a whole number from 1 on")
    if whole["width"] % whole["heads"]:
        raise InputError(f"a width of {whole['width']} with {whole['heads']} heads; the heads must divide it")
    for key in ("clip", "neighbours"):
        if isinstance(whole[key], bool) or not isinstance(whole[key], int | float) or not whole[key] > 0:
            raise InputError(f"{key} is {whole[key]!r}; it must be a number above 0")
    return whole


class PaperNetwork(Encoder):
    """The network of "Learning to Optimize Permutation Flow Shop Scheduling via Graph-based Imitation Learning".

    ``network(times, orders)`` follows given orders: log-probabilities of the shape (batch, steps, jobs), where placed jobs
    have minus infinity. Batches of orders of an expert train it as the paper does. ``encoder`` is the paper's ``ggcn``, or
    one of its rivals, ``lstm`` and ``transformer``; the other parameters are those of docs/reference/networks.md. Times are used
    as they are, as in the paper; ``scale="mean"``, the default of ``pfss train``, divides them by their mean first, and times
    of 1 to 99 need it.

    Instances of several sizes make one batch with ``sizes``, their numbers of jobs; `pfss.torch.padded` makes orders for
    it. The steps after the end of an instance have a choice of probability one.

    >>> import pfss, pfss.torch
    >>> network = pfss.torch.PaperNetwork(5, encoder="lstm", width=32)
    >>> shops = [pfss.generate("gamma", num_jobs=jobs, num_machines=5)[0] for jobs in (12, 20)]
    >>> orders, values = network.decode(shops, samples=4)
    >>> [len(order) for order in orders]
    [12, 20]
    >>> times, labels = network.features(shops), pfss.torch.padded(orders)
    >>> steps = network(times, labels, pfss.torch.sizes(shops))
    >>> steps.gather(2, labels[:, :, None]).sum(dim=(1, 2)).shape      # the logarithms of the orders' probabilities
    torch.Size([2])
    """

    def __init__(self, num_machines: int, **config: Any) -> None:
        super().__init__(_checked(num_machines, config))
        self.decoder = Decoder(self.config)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> PaperNetwork:
        """Reads a model of pfss: its name, a file, or the folder of a training. It comes ready for use, not for training."""
        source, config, tensors = files.load(path, _KEY)
        network: PaperNetwork = files.filled(source, cls, config, tensors)
        return network.eval()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model that pfss reads."""
        files.save(path, _KEY, self.config, self)

    def features(self, instances: Any) -> Tensor:
        """What the network sees of instances, padded where they differ in size: (batch, jobs, machines)."""
        tables = []
        for index, one in enumerate(instances_of(instances)):
            if one.num_machines != self.config["num_machines"]:
                expected = self.config["num_machines"]
                raise InputError(f"instance {index} has {one.num_machines} machines; the network is for {expected}")
            times = torch.as_tensor(one.times).double()
            mean = times.mean() if self.config["scale"] == "mean" else 1.0
            tables.append(times / mean if mean > 0 else times)
        return stacked(tables).to(self.job_embedding.weight)

    def encode(self, times: Tensor, sizes: Tensor | None = None) -> Tensor:
        """The embeddings of the jobs: (batch, jobs, width)."""
        _check_times(times, sizes, self.config["num_machines"])
        return super().encode(times, sizes)

    def forward(self, times: Tensor, orders: Tensor, sizes: Tensor | None = None) -> Tensor:
        """The log-probabilities of all jobs at each step of the orders: (batch, steps, jobs)."""
        _check_times(times, sizes, self.config["num_machines"])
        _check_orders(orders, times.shape)
        followed: Tensor = self.decoder(self.encode(times, sizes), orders, sizes)
        return followed

    def decode(self, instances: Any, *, samples: int = 0, temperature: float = 1.0, seed: int = 1) -> Any:
        """The best order that the network builds for each instance, and its makespan, as `pfss.Policy.decode` has them.

        Built are the greedy order and ``samples`` drawn ones; the same seed draws the same ones again.
        """
        from pfss.policies import checked_sampling, decoded

        samples, temperature = checked_sampling(samples, temperature)
        shops = instances_of(instances)
        generator = torch.Generator(self.job_embedding.weight.device).manual_seed(seed)
        most = max((one.num_jobs for one in shops), default=0)
        was_training = self.training
        self.eval()
        try:
            with torch.no_grad():
                numbers = most * most * self.config["num_machines"]
                found = [self._best(part, samples, temperature, generator) for part in parts(shops, numbers)]
        finally:
            self.train(was_training)
        return decoded(shops, [order for part in found for order in part])

    def _best(
        self, shops: list[Any], samples: int, temperature: float, generator: torch.Generator
    ) -> list[list[int]]:
        """The best of the greedy order and so many drawn ones, for each instance."""
        device = self.job_embedding.weight.device
        counts = sizes(shops, device)
        costs = stacked([torch.as_tensor(one.times).double() for one in shops]).to(device)
        jobs = self.encode(self.features(shops), counts)
        best = self.decoder.draw(jobs, counts)
        least = makespans(costs, best)
        for _ in range(samples):
            drawn = self.decoder.draw(jobs, counts, temperature, generator)
            value = makespans(costs, drawn)
            best = torch.where((value < least)[:, None], drawn, best)
            least = torch.minimum(value, least)
        return [row[: one.num_jobs] for row, one in zip(best.tolist(), shops, strict=True)]


class Critic(Encoder):
    """What an instance will cost, for actor-critic learning: the paper's encoder, and two maps of the mean embedding.

    ``critic(times)`` has the shape (batch). The parameters are those of `PaperNetwork`, with which it shares nothing.
    """

    def __init__(self, num_machines: int, **config: Any) -> None:
        super().__init__({**_checked(num_machines, config), "encoder": "ggcn"})
        width = self.config["width"]
        self.value = nn.ModuleDict({"hidden": nn.Linear(width, width), "output": nn.Linear(width, 1)})

    def forward(self, times: Tensor) -> Tensor:
        """The expected costs of instances of one size: (batch)."""
        _check_times(times, None, self.config["num_machines"])
        hidden = self.value["hidden"](self.encode(times).mean(dim=1)).relu()
        expected: Tensor = self.value["output"](hidden).squeeze(1)
        return expected


def _check_times(times: Any, sizes: Any, num_machines: int) -> None:
    if not isinstance(times, Tensor) or not times.is_floating_point():
        raise InputError("the times must be a tensor of real numbers; `network.features(instances)` makes one")
    if times.dim() != 3 or times.shape[2] != num_machines or not times.shape[1]:
        raise InputError(
            f"the times have the shape {tuple(times.shape)}; expected is (batch, jobs, {num_machines}), "
            f"which `network.features(instances)` makes"
        )
    if sizes is not None and (not isinstance(sizes, Tensor) or sizes.shape != times.shape[:1]):
        raise InputError("the sizes must be a tensor of the number of jobs of each instance; `pfss.torch.sizes` makes one")


def _check_orders(orders: Any, shape: tuple[int, ...]) -> None:
    if not isinstance(orders, Tensor) or orders.dtype != torch.int64:
        raise InputError("the orders must be a tensor of int64; `pfss.torch.padded(orders)` makes one")
    if orders.shape != shape[:2]:
        raise InputError(f"the orders have the shape {tuple(orders.shape)}; expected is {tuple(shape[:2])}")
    # A look at the numbers would make a GPU wait.
    if orders.device.type == "cpu" and not torch.compiler.is_compiling():
        jobs = torch.arange(orders.shape[1])
        wrong = (orders.sort(dim=1).values != jobs).any(dim=1).nonzero()
        if len(wrong):
            raise InputError(f"order {int(wrong[0])} does not have every job once")
