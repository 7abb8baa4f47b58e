"""The networks of pfss as PyTorch modules (``pip install pfss[torch]``).

`FrontNetwork` builds orders from both ends, for any number of jobs and machines; `PaperNetwork` is the paper's, with its
rivals' encoders, which places one job after the other. Both read and write the files of pfss: a model that was trained here
is used by ``pfss.Policy(FILE)``, by ``pfss.solve(algorithm="policy", settings={"model": FILE})`` and by the command line,
with the same log-probabilities. `to_onnx` writes the paper's network for other programs.

>>> import pfss, pfss.torch, torch
>>> network = pfss.torch.FrontNetwork()
>>> shop = pfss.generate("gamma", num_jobs=6, num_machines=3)[0]
>>> state = pfss.torch.FrontState.of([shop])
>>> network(state).shape
torch.Size([1, 2, 6])
"""

from .batches import bounds, makespans, padded, sizes
from .exporting import to_onnx
from .front import FrontNetwork
from .paper import Critic, PaperNetwork
from .states import FrontState

__all__ = [
    "Critic",
    "FrontNetwork",
    "FrontState",
    "PaperNetwork",
    "bounds",
    "makespans",
    "padded",
    "sizes",
    "to_onnx",
]
