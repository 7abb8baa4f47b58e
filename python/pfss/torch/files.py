"""Model files: safetensors with the network's shape in the metadata."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from .alone import InputError

#: The file of a model in the folder of a training.
MODEL_FILE = "model.safetensors"
#: PyTorch's names of the maps of a recurrent layer, and those in files.
_RECURRENT = {
    "lstm.weight_ih_l0": "lstm.input.weight",
    "lstm.bias_ih_l0": "lstm.input.bias",
    "lstm.weight_hh_l0": "lstm.hidden.weight",
    "lstm.bias_hh_l0": "lstm.hidden.bias",
}


def load(path: str | os.PathLike[str], key: str) -> tuple[str, dict[str, Any], dict[str, Tensor]]:
    """What a model is called, its shape and its tensors; `key` tells kinds of models apart."""
    from safetensors import SafetensorError
    from safetensors.torch import load as tensors_of

    try:
        source, content = _content(os.fspath(path))
    except TypeError:
        raise InputError(f"{path!r} is no model; expected is its name, a file or a folder") from None
    try:
        tensors = tensors_of(content)
        length = int.from_bytes(content[:8], "little")
        metadata = json.loads(content[8 : 8 + length]).get("__metadata__", {})
    except (SafetensorError, ValueError) as error:
        raise InputError(f"{source}: cannot read the model: {error}") from None
    if key not in metadata:
        known = ", ".join(metadata) or "nothing"
        raise InputError(f"{source}: this is no model of the kind {key}; its metadata tells {known}")
    try:
        config = dict(json.loads(metadata[key]))
    except (TypeError, ValueError) as error:
        raise InputError(f"{source}: the configuration of the model cannot be read: {error}") from None
    return source, config, tensors


def _content(model: str) -> tuple[str, bytes]:
    """What a model is called and the content of its file."""
    try:
        from pfss._pfss import model_content
    except ImportError:
        file = Path(model)
        file = file / MODEL_FILE if file.is_dir() else file
        try:
            return str(file), file.read_bytes()
        except OSError as error:
            raise InputError(f"{file}: cannot read the model: {error.strerror or error}") from None
    return model_content(model)


def filled(source: str, kind: Any, config: dict[str, Any], tensors: dict[str, Tensor]) -> Any:
    """A network of this shape with these tensors."""
    try:
        network = kind(**config)
    except (InputError, TypeError) as error:
        raise InputError(f"{source}: the configuration of the model cannot be used: {error}") from None
    named = stored(network)
    for name in [*named, *tensors]:
        if name not in tensors:
            raise InputError(f"{source}: tensor {name!r} is missing")
        if name not in named:
            raise InputError(f"{source}: tensor {name!r} is not part of such a network")
        if tensors[name].shape != named[name].shape:
            found, expected = tuple(tensors[name].shape), tuple(named[name].shape)
            raise InputError(f"{source}: tensor {name!r} has the shape {found} instead of {expected}")
        if not tensors[name].isfinite().all():
            raise InputError(f"{source}: tensor {name!r} holds a value that is not finite")
    own = network.state_dict()
    given = {name: _of_file(name, tensors[_in_file(name)]) for name in own if _in_file(name) in named}
    network.load_state_dict({**own, **given})
    return network


def save(path: str | os.PathLike[str], key: str, config: dict[str, Any], network: nn.Module) -> None:
    """Writes a model that pfss reads."""
    from safetensors.torch import save_file

    tensors = stored(network)
    for name, tensor in tensors.items():
        if not tensor.isfinite().all():
            raise InputError(f"tensor {name!r} holds a value that is not finite; such a model cannot be used")
    save_file(tensors, os.fspath(path), metadata={key: json.dumps(config)})


def stored(network: nn.Module) -> dict[str, Tensor]:
    """The tensors of a network as files hold them."""
    # PyTorch counts batches, pfss does not.
    own = {name: one for name, one in network.state_dict().items() if not name.endswith("num_batches_tracked")}
    tensors = {_in_file(name): _of_file(name, one.detach().to("cpu", torch.float32)) for name, one in own.items()}
    return {name: one.contiguous().clone() for name, one in tensors.items()}


def _in_file(name: str) -> str:
    for ours, theirs in _RECURRENT.items():
        if name.endswith(ours):
            return name.removesuffix(ours) + theirs
    return name


def _of_file(name: str, tensor: Tensor) -> Tensor:
    """PyTorch's gates are input, forget, content and output; those of files are input, forget, output and content."""
    if not name.endswith(tuple(_RECURRENT)):
        return tensor
    first, second, third, fourth = tensor.chunk(4)
    return torch.cat([first, second, fourth, third])
