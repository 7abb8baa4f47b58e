#!/usr/bin/env python3
"""Prints signed_rank.csv: samples with zeros and ties, and SciPy's p-values of Wilcoxon's signed-rank test for them.

`permutation` is scipy.stats.permutation_test over all signs, `exact` and `asymptotic` are scipy.stats.wilcoxon with these
methods. Made with SciPy 1.17.1:

    python3 signed_rank.py > signed_rank.csv
"""

import numpy as np
from scipy.stats import permutation_test, rankdata, wilcoxon

SIDES = ("two-sided", "greater", "less")


def positive_rank_sum(differences, axis=-1):
    """The sum of the ranks of positive differences; zeros have no rank."""
    sizes = np.abs(differences)
    num_zeros = np.sum(sizes == 0, axis=axis, keepdims=True)
    ranks = rankdata(sizes, axis=axis) - num_zeros
    return np.sum(np.where(differences > 0, ranks, 0), axis=axis)


def p_value(differences, method, side):
    if method == "permutation":
        options = {"permutation_type": "samples", "n_resamples": np.inf, "vectorized": True}
        return permutation_test((differences,), positive_rank_sum, alternative=side, **options).pvalue
    return wilcoxon(differences, zero_method="wilcox", correction=True, alternative=side, method=method).pvalue


def samples():
    rng = np.random.default_rng(20250101)
    # 20 pairs, of which 4, 5 and 6 differ, all one way: the zeros change nothing.
    for size in (4, 5, 6):
        yield "permutation", np.concatenate([np.zeros(8 - size), np.arange(1.0, size + 1)])
    for size in range(2, 15):
        for widest in (1, 3, 8):
            yield "permutation", rng.integers(-widest, widest + 1, size).astype(float)
        yield "permutation", np.round(rng.normal(0.5, 1, size), 1)
    for size in (9, 50):
        yield "exact", rng.permutation(np.arange(1, size + 1)) * rng.choice([-1.0, 1.0], size, p=[0.35, 0.65])
    for size in (700, 900):
        yield "asymptotic", rng.integers(-20, 23, size).astype(float)


print("differences,method,two_sided,greater,less")
for method, differences in samples():
    if np.any(differences != 0):
        values = ",".join(repr(float(p_value(differences, method, side))) for side in SIDES)
        print(" ".join(f"{d:g}" for d in differences), method, values, sep=",")
