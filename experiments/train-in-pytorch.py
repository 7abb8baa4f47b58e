#!/usr/bin/env python3
"""The paper's training in plain PyTorch: what a step and an epoch take, and what is learnt.

    experiments/train-in-pytorch.py                                        # imitation of NEH with the paper's encoder
    experiments/train-in-pytorch.py --labels labels.safetensors -o paper-policy.safetensors
    experiments/train-in-pytorch.py --method actor-critic --encoder lstm --device cuda --epochs 3

Imitation learns the orders of an expert (of a file that `pfss train label` or `pfss.write_labels` made, or made here), all
steps of an order at once. Actor-critic draws an order for each fresh instance, without gradients, and scores it in one pass.
The settings are those of `pfss train bc` and `pfss train ac`: Adam, gradients scaled down to a norm of 1.

Only torch and numpy are needed. Where the package `pfss` is not built, its networks are read from the sources beside this
script, and imitation learns random orders of gamma times: enough to measure the time. `--labels` needs safetensors.

Times leave out drawing data and labels for imitation, and contain drawing instances and orders for actor-critic. The clock is
read when the device is idle. `seconds per step` is the mean over all steps but the first ones (`--warm-up`).
"""

import argparse
import importlib.util
import json
import pathlib
import sys
import time

import numpy as np
import torch


def import_networks():
    """`pfss.torch`, and whether the rest of the package is there."""
    try:
        import pfss.torch

        return pfss.torch, True
    except ImportError:
        folder = pathlib.Path(__file__).resolve().parent.parent / "python" / "pfss" / "torch"
        spec = importlib.util.spec_from_file_location(
            "pfss_torch", folder / "__init__.py", submodule_search_locations=[str(folder)]
        )
        module = importlib.util.module_from_spec(spec)
        sys.modules["pfss_torch"] = module
        spec.loader.exec_module(module)
        return module, False


networks, HAS_PFSS = import_networks()


def parsed(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--method", choices=["imitation", "actor-critic"], default="imitation")
    add("--encoder", choices=["ggcn", "lstm", "transformer"], default="ggcn")
    add("--scale", choices=["raw", "mean"], default="raw", help="what is done to times first; raw is the paper's")
    add("-n", "--jobs", type=int, default=20)
    add("-m", "--machines", type=int, default=5)
    add("--labels", type=pathlib.Path, help="a file of labelled instances; it tells the sizes")
    add("--expert", default="paper-neh", help="who labels instances where there is no file: an algorithm of pfss, or random")
    add("--instances", type=int, default=12_800, help="in an epoch")
    add("--validation", type=int, default=0, help="instances that the policy is measured on after each epoch")
    add("--batch", type=int, default=128)
    add("--epochs", type=int, default=2)
    add("--steps", type=int, help="end each epoch after so many steps")
    add("--warm-up", type=int, default=10, help="steps that are not timed")
    add("--rate", type=float, default=1e-4, help="learning rate of the first epoch")
    add("--decay", type=float, default=0.96, help="what it is multiplied by after each epoch")
    add("-s", "--seed", type=int, default=1)
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    add("--threads", type=int, help="of the processor")
    add("--json", action="store_true", help="print the times as one line of JSON, too")
    add("-o", "--output", type=pathlib.Path, help="where the model is written; pfss reads it")
    return parser.parse_args(arguments)


class Clock:
    """Seconds of work that is done, also where a device works on its own."""

    def __init__(self, device):
        self.device = device

    def now(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
        return time.perf_counter()


def drawn_times(count, jobs, machines, device):
    """Times like `gamma` of pfss: shape 1/2, scale 2, which is a normal number's square."""
    return torch.randn(count, jobs, machines, device=device).square_()


def labelled(options, count, seed):
    """Times and an expert's orders: float32 and int64."""
    jobs, machines = options.jobs, options.machines
    if options.expert == "random" or not HAS_PFSS:
        rng = np.random.default_rng(seed)
        times = rng.gamma(0.5, 2.0, size=(count, jobs, machines))
        return times, rng.permuted(np.tile(np.arange(jobs), (count, 1)), axis=1)
    import pfss

    shops = pfss.generate("gamma", num_jobs=jobs, num_machines=machines, count=count, seed=seed)
    return np.stack([shop.times for shop in shops]), pfss.label(shops, expert=options.expert)


def of_file(path):
    """Times and orders of a file of labelled instances."""
    from safetensors.numpy import load_file

    tensors = load_file(path)
    return tensors["times"], tensors["orders"].astype(np.int64)


class Data:
    """Instances and orders on the device, with times as the network sees them."""

    def __init__(self, times, orders, options, device):
        times = np.asarray(times, dtype=np.float64)
        self.times = torch.as_tensor(times).float().to(device)
        if options.scale == "mean":
            times = times / times.mean(axis=(1, 2), keepdims=True)
        self.seen = torch.as_tensor(times).float().to(device)
        self.orders = torch.as_tensor(np.ascontiguousarray(orders)).to(device)


class Imitation:
    """Teacher-forced cross-entropy over all steps at once."""

    def __init__(self, network, data, options):
        self.network, self.data, self.options = network, data, options
        self.pupils = [network]
        self.batches = -(-len(data.seen) // options.batch)

    def begin(self, epoch):
        shuffled = torch.randperm(len(self.data.seen), device=self.data.seen.device)
        self.parts = shuffled.split(self.options.batch)

    def losses(self, batch):
        rows = self.parts[batch]
        times, orders = self.data.seen[rows], self.data.orders[rows]
        steps = self.network(times, orders)
        return [-steps.gather(2, orders[:, :, None]).mean()]


class ActorCritic:
    """REINFORCE with a learnt baseline: one drawn order for each fresh instance."""

    def __init__(self, network, critic, options, device):
        self.network, self.critic, self.options, self.device = network, critic, options, device
        self.pupils = [network, critic]
        self.batches = -(-options.instances // options.batch)

    def begin(self, epoch):
        pass

    def losses(self, batch):
        options = self.options
        times = drawn_times(options.batch, options.jobs, options.machines, self.device)
        seen = times / times.mean(dim=(1, 2), keepdim=True) if options.scale == "mean" else times
        jobs = self.network.encode(seen)
        with torch.no_grad():
            orders = self.network.decoder.draw(jobs, temperature=1.0)
            costs = networks.makespans(times, orders) / networks.bounds(times)
        expected = self.critic(seen)
        steps = self.network.decoder(jobs, orders)
        likelihood = steps.gather(2, orders[:, :, None]).sum(dim=(1, 2))
        # The gradient of mean((C - b) log p) is that of the expected cost.
        return [((costs - expected.detach()) * likelihood).mean(), (expected - costs).square().mean()]


def learn(optimizers, pupils, losses):
    """One step of Adam for each pupil, with gradients scaled down to a norm of 1."""
    for optimizer, pupil, loss in zip(optimizers, pupils, losses):
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(pupil.parameters(), 1.0)
        optimizer.step()


def greedy_cost(network, data):
    """The mean makespan of greedy orders."""
    network.eval()
    with torch.no_grad():
        costs = [
            networks.makespans(times, network.decoder.draw(network.encode(seen)))
            for seen, times in zip(data.seen.split(1000), data.times.split(1000))
        ]
    network.train()
    return torch.cat(costs).mean().item()


def main(arguments=None):
    options = parsed(arguments)
    if options.threads:
        torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    device = torch.device(options.device)
    clock = Clock(device)
    data = None
    if options.labels or options.method == "imitation":
        data = of_file(options.labels) if options.labels else labelled(options, options.instances, options.seed)
        options.instances, options.jobs, options.machines = data[0].shape
        data = Data(*data, options, device)
    judge = Data(*labelled(options, options.validation, options.seed + 10**6), options, device) if options.validation else None
    network = networks.PaperNetwork(options.machines, encoder=options.encoder, scale=options.scale).to(device)
    if options.method == "imitation":
        training = Imitation(network, data, options)
    else:
        training = ActorCritic(network, networks.Critic(options.machines).to(device), options, device)
    optimizers = [torch.optim.Adam(pupil.parameters(), lr=options.rate) for pupil in training.pupils]
    schedules = [torch.optim.lr_scheduler.ExponentialLR(optimizer, options.decay) for optimizer in optimizers]
    parameters = sum(one.numel() for one in network.parameters())
    where = torch.cuda.get_device_name(device) if device.type == "cuda" else f"{torch.get_num_threads()} threads"
    print(f"{options.method}, {options.encoder}, {parameters} parameters, {options.jobs} x {options.machines}, "
          f"batches of {options.batch}; torch {torch.__version__} on {where}")  # fmt: skip
    timed, epochs, done = [], [], 0
    for epoch in range(options.epochs):
        begun = clock.now()
        training.begin(epoch)
        sums = [torch.zeros((), device=device) for _ in training.pupils]
        count = min(training.batches, options.steps or training.batches)
        since, after = (begun, 0) if done >= options.warm_up else (None, None)
        for batch in range(count):
            if done == options.warm_up:
                since, after = clock.now(), batch
            losses = training.losses(batch)
            learn(optimizers, training.pupils, losses)
            sums = [total + loss.detach() for total, loss in zip(sums, losses)]
            done += 1
        ended = clock.now()
        if since is not None and count > after:
            timed.append((ended - since, count - after))
        epochs.append(ended - begun)
        for schedule in schedules:
            schedule.step()
        told = "  ".join(f"{total.item() / count:.4f}" for total in sums)
        line = f"epoch {epoch + 1:3}  loss {told}  {epochs[-1]:.3f} s"
        if judge is not None:
            expert = networks.makespans(judge.times, judge.orders).mean().item()
            cost = greedy_cost(network, judge)
            line += f"  greedy {cost:.4f}, {100 * (cost / expert - 1):+.3f} % to {options.expert if HAS_PFSS else 'random'}"
        print(line, flush=True)
    steps = sum(count for _, count in timed)
    step = sum(seconds for seconds, _ in timed) / steps if steps else float("nan")
    print(f"seconds per step: {step:.5f} (mean of {steps})")
    print(f"seconds per epoch: {step * training.batches:.3f} ({training.batches} steps)")
    if options.json:
        print(json.dumps({"method": options.method, "encoder": options.encoder, "device": str(device), "seconds_per_step": step,
                          "seconds_per_epoch": step * training.batches, "steps": steps, "torch": torch.__version__}))  # fmt: skip
    if options.output:
        network.save(options.output)
    return step


if __name__ == "__main__":
    main()
