#!/usr/bin/env python3
"""Seconds of a step of training, of `pfss train` and of plain PyTorch, measured in turn on one machine.

    experiments/train-side-by-side.py --pfss target/release/pfss --device cpu --threads 2
    experiments/train-side-by-side.py --pfss target/release/pfss --device cuda --rounds 1

The networks, batches and settings are the same: the paper's, on 20 jobs and 5 machines. PyTorch is train-in-pytorch.py. A
step is all that an epoch repeats: drawing instances and orders where a policy learns by trial, forward pass, gradients, Adam.
The first steps of each run are not counted. Of several rounds the least mean counts, for both.
"""

import argparse
import csv
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
WARM_UP = 10
NETWORKS = {
    "IL(GGCN)": ("bc", "imitation", "ggcn"),
    "IL(LSTM)": ("bc", "imitation", "lstm"),
    "RL(GGCN)": ("ac", "actor-critic", "ggcn"),
    "RL(LSTM)": ("ac", "actor-critic", "lstm"),
}


def of_pfss(options, kind, encoder):
    """The mean seconds of a step of `pfss train`."""
    with tempfile.TemporaryDirectory() as folder:
        command = [options.pfss, "train", kind, "-s", "1", "-n", "20", "-m", "5", "--encoder", encoder]
        command += ["--input-scale", "raw", "--expert", "neh", "--validation", "16", "--epochs", "2"]
        command += ["--count", str(options.steps * 64), "--device", options.device, "--progress", "none"]
        command += ["-o", f"{folder}/policy"]
        if options.threads:
            command += ["-j", str(options.threads)]
        subprocess.run(command, check=True, stderr=subprocess.PIPE)
        with open(f"{folder}/policy/steps.csv", newline="") as rows:
            seconds = [float(row["seconds"]) for row in csv.DictReader(rows)][WARM_UP:]
    return sum(seconds) / len(seconds)


def torch_script():
    """train-in-pytorch.py, imported once: it takes longer to load than to run."""
    spec = importlib.util.spec_from_file_location("train_in_pytorch", HERE / "train-in-pytorch.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def of_torch(script, options, method, encoder):
    """The mean seconds of a step of PyTorch."""
    arguments = ["--method", method, "--encoder", encoder, "--expert", "random", "--device", options.device]
    arguments += ["--instances", str(options.steps * 64), "--epochs", "2", "--warm-up", str(WARM_UP)]
    if options.threads:
        arguments += ["--threads", str(options.threads)]
    return script.main(arguments)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pfss", default="pfss", help="the program, built with feature train or cuda")
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--threads", type=int, help="of the processor, for both")
    parser.add_argument("--steps", type=int, default=40, help="in a run, the first 10 of which are not counted")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    script = torch_script()
    table = []
    for name, (kind, method, encoder) in NETWORKS.items():
        ours, theirs = [], []
        for _ in range(options.rounds):
            ours.append(of_pfss(options, kind, encoder))
            theirs.append(of_torch(script, options, method, encoder))
        table.append((name, min(ours), min(theirs)))
    where = options.device if not options.threads else f"{options.device}, {options.threads} threads"
    print(f"\n| {where} | pfss, ms a step | PyTorch, ms a step | ratio |\n|---|---|---|---|")
    for name, ours, theirs in table:
        print(f"| {name} | {1000 * ours:.2f} | {1000 * theirs:.2f} | {ours / theirs:.2f} |")


if __name__ == "__main__":
    sys.exit(main())
