"""What the networks need of the rest of the package, which need not be there.

Where the compiled part is missing (on a machine with a GPU, say, and no wheel), this folder can be imported alone, as
``experiments/train-in-pytorch.py`` does it: all that takes and gives tensors then works.
"""

from __future__ import annotations

import importlib
from typing import Any

#: What was given cannot be used: `pfss.InputError` where there is one.
InputError: type[ValueError]
try:
    InputError = importlib.import_module("pfss._pfss").InputError
except ImportError:
    InputError = type("InputError", (ValueError,), {})

__all__ = ["InputError", "instances_of"]


def instances_of(given: Any) -> Any:
    """Instances from all that the package takes for some; they carry times only."""
    from pfss.instances import as_instances

    instances = as_instances(given)
    for index, one in enumerate(instances):
        if not one.is_plain:
            raise InputError(f"instance {index} carries more than times; the networks are for the plain problem")
    return instances
