"""Model files: safetensors with the network's shape in the metadata."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import save_file

from pfss._pfss import InputError

#: The file of a model in the folder of a training.
MODEL_FILE = "model.safetensors"


def load(path: str | os.PathLike[str], key: str) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
    """The shape and the tensors of a model; `key` tells kinds of models apart."""
    file = Path(path)
    file = file / MODEL_FILE if file.is_dir() else file
    try:
        with safe_open(file, framework="pt") as content:
            metadata = content.metadata() or {}
            tensors = {name: content.get_tensor(name) for name in content.keys()}  # noqa: SIM118
    except Exception as error:
        raise InputError(f"{file}: cannot read the model: {error}") from None
    if key not in metadata:
        known = ", ".join(metadata) or "nothing"
        raise InputError(f"{file}: this is no model of the kind {key}; its metadata tells {known}")
    return json.loads(metadata[key]), tensors


def save(path: str | os.PathLike[str], key: str, config: dict[str, Any], tensors: dict[str, torch.Tensor]) -> None:
    """Writes a model that pfss reads."""
    stored = {name: tensor.detach().to("cpu", torch.float32).contiguous() for name, tensor in tensors.items()}
    save_file(stored, os.fspath(path), metadata={key: json.dumps(config)})
