"""Trains the rows until the cosines between texts match the teacher's."""

import numpy as np
import scipy.sparse as sp

from teacher import unit

STEPS, BATCH = 3000, 512
RATE, LAST_RATE_SHARE = 0.03, 0.1
TEMPERATURE = 0.05
ERROR_WEIGHT = 20
DROP = 0.1
"""Share of a text's tokens that are left out in a step."""

GROUPS, GROUP_ROUNDS, MIN_GROUP = 300, 6, 16
NEAR_SHARE, NEAR_GROUPS = 0.5, 4
"""How much of a batch comes from how many groups of similar texts."""

MEAN_DECAY, SQUARE_DECAY = 0.9, 0.99
REPORT_EVERY = 500


def fit(rows: np.ndarray, tokens: sp.csr_matrix, targets: np.ndarray) -> np.ndarray:
    """Changes `rows` in place and returns them.

    `tokens`: counts by text and token. `targets`: the teacher's vectors of the texts, at unit length.
    """
    rng = np.random.default_rng(0)
    optimizer = SparseAdam(rows)
    groups = similar_texts(targets, rng)
    shares = np.array([len(group) for group in groups], float)
    shares /= shares.sum()
    for step in range(STEPS):
        batch = draw_batch(len(targets), groups, shares, rng)
        counts = tokens[batch]
        counts.data = counts.data * (rng.random(len(counts.data)) >= DROP).astype(np.float32)
        used, positions = np.unique(counts.indices, return_inverse=True)
        counts = sp.csr_matrix((counts.data, positions, counts.indptr), shape=(len(batch), len(used)))
        gradient, error = cosine_gradient(counts, rows[used], targets[batch])
        optimizer.step(used, gradient, RATE * (1 - (1 - LAST_RATE_SHARE) * step / STEPS))
        if step % REPORT_EVERY == 0:
            print(f"step {step}: mean squared error of the cosines {error:.5f}", flush=True)
    return rows


def similar_texts(targets: np.ndarray, rng: np.random.Generator) -> list[np.ndarray]:
    """Groups of texts by spherical k-means; small ones are left out."""
    centres = targets[rng.choice(len(targets), GROUPS, replace=False)]
    for _ in range(GROUP_ROUNDS):
        nearest = np.concatenate([(targets[start : start + 8192] @ centres.T).argmax(1) for start in range(0, len(targets), 8192)])
        for group in range(GROUPS):
            if (nearest == group).any():
                centres[group] = targets[nearest == group].mean(0)
        centres = unit(centres)
    groups = (np.where(nearest == group)[0] for group in range(GROUPS))
    return [group for group in groups if len(group) >= MIN_GROUP]


def draw_batch(text_count: int, groups: list[np.ndarray], shares: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Indices of texts, sorted and without repeats: part of them from a few groups, so that hard pairs occur."""
    batch = rng.integers(0, text_count, BATCH)
    size = int(BATCH * NEAR_SHARE) // NEAR_GROUPS
    chosen = rng.choice(len(groups), NEAR_GROUPS, p=shares)
    near = np.concatenate([rng.choice(groups[group], min(size, len(groups[group])), replace=False) for group in chosen])
    batch[: len(near)] = near
    return np.unique(batch)


def cosine_gradient(counts: sp.csr_matrix, rows: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, float]:
    """Gradient for the rows, and the mean squared error of the cosines.

    The loss compares the batch's cosines with the teacher's: their squared error, and the cross-entropy of each row's softmax at
    TEMPERATURE.
    """
    sums = counts @ rows
    lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
    vectors = sums / lengths
    size = len(vectors)
    itself = np.eye(size, dtype=bool)
    wanted, cosines = targets @ targets.T, vectors @ vectors.T
    error = cosines - wanted
    error[itself] = 0
    by_cosine = ERROR_WEIGHT * error / size + (softmax(cosines, itself) - softmax(wanted, itself)) / TEMPERATURE / size
    by_vector = (by_cosine + by_cosine.T) @ vectors
    by_sum = (by_vector - (by_vector * vectors).sum(1, keepdims=True) * vectors) / lengths
    return counts.T @ by_sum, float((error**2).mean())


def softmax(cosines: np.ndarray, itself: np.ndarray) -> np.ndarray:
    """By row, without the cosine of a text with itself."""
    logits = cosines / TEMPERATURE
    logits[itself] = -1e9
    exponentials = np.exp(logits - logits.max(1, keepdims=True))
    return exponentials / exponentials.sum(1, keepdims=True)


class SparseAdam:
    """Adam (Kingma and Ba, 2015) that touches only the rows in use; each row counts its own steps."""

    def __init__(self, rows: np.ndarray):
        self._rows = rows
        self._mean, self._square = np.zeros_like(rows), np.zeros_like(rows)
        self._steps = np.zeros(len(rows))

    def step(self, used: np.ndarray, gradient: np.ndarray, rate: float) -> None:
        self._steps[used] += 1
        steps = self._steps[used][:, None]
        self._mean[used] = MEAN_DECAY * self._mean[used] + (1 - MEAN_DECAY) * gradient
        self._square[used] = SQUARE_DECAY * self._square[used] + (1 - SQUARE_DECAY) * gradient * gradient
        mean, square = self._mean[used] / (1 - MEAN_DECAY**steps), self._square[used] / (1 - SQUARE_DECAY**steps)
        self._rows[used] -= rate * mean / (np.sqrt(square) + 1e-8)
