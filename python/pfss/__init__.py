"""Solve permutation flow shops: in which order should jobs pass a line of machines?

Every job visits the same machines in the same order, and every machine takes the jobs in the same sequence. Give the
times, get an order, its makespan, and a bound that says how far from the best it can be at most:

>>> import pfss
>>> result = pfss.solve([[4, 3, 2], [2, 5, 3], [3, 1, 4]], time_limit=1.0)
>>> result.makespan, result.bound, result.status
(15, 15, 'optimal')
>>> sorted(result.order)
[0, 1, 2]

Rows are jobs, columns are machines. Times may be lists, numpy arrays, or a pandas DataFrame, whose index and columns name
the jobs and machines.
"""

from pfss._pfss import VERSION as __version__
from pfss._pfss import InputError, SolveError
from pfss.catalogue import Algorithm, Parameter, algorithms
from pfss.instances import Instance
from pfss.labels import Labels, label, read_labels, write_labels
from pfss.pictures import Picture
from pfss.policies import Decoded, Policy
from pfss.results import Improvement, Result
from pfss.solving import evaluate, lower_bound, solve
from pfss.sources import generate, read, read_all, taillard

__all__ = [
    "Algorithm",
    "Decoded",
    "Improvement",
    "InputError",
    "Instance",
    "Labels",
    "Parameter",
    "Picture",
    "Policy",
    "Result",
    "SolveError",
    "__version__",
    "algorithms",
    "evaluate",
    "generate",
    "label",
    "lower_bound",
    "read",
    "read_all",
    "read_labels",
    "solve",
    "taillard",
    "write_labels",
]
