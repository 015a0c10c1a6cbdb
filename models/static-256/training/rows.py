"""The rows of the model: where they start, how they learn, and how they are stored."""

from pathlib import Path

import numpy as np
import scipy.sparse as sp

from teacher import unit

DIMENSIONS = 256
SPECIAL_ROWS = 999
"""[PAD], [CLS] and the like, and entries without use: their rows are zero."""

SIF_A = 1e-3
"""Smooth inverse frequency (Arora, Liang and Ma, 2017): a token of frequency p weighs a / (a + p)."""

PLAIN = 0.25
"""Share of the teacher's own rows in the squared length of the stored ones."""

FREQUENT = 20
BLEND_SAMPLE = 60_000


def start_rows(words: np.ndarray, counts: np.ndarray, tokens: sp.csr_matrix, targets: np.ndarray) -> np.ndarray:
    """The teacher's vectors of the tokens, mapped linearly to its vectors of the texts and reduced to DIMENSIONS.

    The map is a ridge regression, the reduction the texts' principal components.
    """
    weighted = words * sif_weights(counts)
    means = sp.diags(1 / np.asarray(tokens.sum(1)).ravel()) @ tokens @ weighted
    gram = means.T @ means
    ridge = 1e-3 * np.trace(gram) / means.shape[1] * np.eye(means.shape[1])
    mapping = np.linalg.solve(gram + ridge, means.T @ targets)
    directions = unit(targets)
    rows = (weighted @ mapping @ principal_axes(directions.T @ directions)).astype(np.float32)
    rows /= np.sqrt((rows[counts > FREQUENT] ** 2).sum(1).mean() / DIMENSIONS)
    return rows


def blend(learned: np.ndarray, plain: np.ndarray, tokens: sp.csr_matrix) -> np.ndarray:
    """Puts the teacher's own rows beside the learned ones and reduces both to DIMENSIONS."""
    sample = tokens[np.random.default_rng(0).permutation(tokens.shape[0])[:BLEND_SAMPLE]]

    def mean_length(rows: np.ndarray) -> float:
        return np.linalg.norm(sample @ rows, axis=1).mean()

    both = np.hstack([np.sqrt(PLAIN) * plain / mean_length(plain), np.sqrt(1 - PLAIN) * learned / mean_length(learned)])
    vectors = unit(sample @ both)
    return both @ principal_axes(vectors.T @ vectors)


def sif_weights(counts: np.ndarray) -> np.ndarray:
    frequency = (counts + 0.5) / (counts + 0.5).sum()
    return (SIF_A / (SIF_A + frequency))[:, None]


def principal_axes(covariance: np.ndarray) -> np.ndarray:
    """The DIMENSIONS eigenvectors of the largest eigenvalues, as columns."""
    values, vectors = np.linalg.eigh(covariance)
    return vectors[:, np.argsort(-values)[:DIMENSIONS]]


def write_weights(path: Path, rows: np.ndarray) -> None:
    """Rows as int8, then a float16 scale a row: the greatest number of a row becomes 127."""
    scale = np.abs(rows).max(1, keepdims=True) / 127
    scale[scale == 0] = 1
    quantised = np.clip(np.round(rows / scale), -127, 127).astype(np.int8)
    path.write_bytes(quantised.tobytes() + scale.astype("<f2").tobytes())
