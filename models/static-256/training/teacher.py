"""The teacher: a sentence-transformers model as ONNX, run on one core so that its output is the same everywhere."""

import hashlib
import time
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

MAX_TOKENS = 94
"""Tokens of a text that the teacher sees, [CLS] and [SEP] not counted."""

BATCH, VOCABULARY_BATCH = 32, 64
REPORT_EVERY = 100 * BATCH


class Teacher:
    def __init__(self, model: Path, tokenizer: Tokenizer):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self._takes_types = any(entry.name == "token_type_ids" for entry in self._session.get_inputs())
        self._tokenizer = tokenizer
        self._cls, self._sep = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")

    def embed_vocabulary(self) -> np.ndarray:
        """The vector of each token alone, as a row."""
        size = self._tokenizer.get_vocab_size()
        batches = (range(start, min(start + VOCABULARY_BATCH, size)) for start in range(0, size, VOCABULARY_BATCH))
        return np.concatenate([self._run([[self._cls, token, self._sep] for token in batch]) for batch in batches])

    def embed(self, texts: list[str], labels: Path | None) -> np.ndarray:
        """The vectors of the texts, in float16's precision. `labels`, if given, is a file that keeps them for the next run."""
        keys = [_key(text) for text in texts]
        known = _load_labels(labels)
        unknown = [index for index, key in enumerate(keys) if key not in known]
        encodings = self._tokenizer.encode_batch([texts[index] for index in unknown], add_special_tokens=False)
        ids = [[self._cls, *encoding.ids[:MAX_TOKENS], self._sep] for encoding in encodings]
        by_length = sorted(range(len(unknown)), key=lambda position: len(ids[position]))
        start_time = time.monotonic()
        for start in range(0, len(by_length), BATCH):
            batch = by_length[start : start + BATCH]
            for position, vector in zip(batch, self._run([ids[position] for position in batch]), strict=True):
                known[keys[unknown[position]]] = vector.astype(np.float16)
            if start % REPORT_EVERY == 0:
                print(f"labelled {start} of {len(by_length)} texts in {time.monotonic() - start_time:.0f} s", flush=True)
        if labels and unknown:
            np.savez(labels, keys=np.array(list(known), np.uint64), vectors=np.array(list(known.values())))
        return np.array([known[key] for key in keys]).astype(np.float32)

    def _run(self, ids: list[list[int]]) -> np.ndarray:
        """Mean of the last layer over the tokens, at unit length."""
        tokens = np.zeros((len(ids), max(map(len, ids))), np.int64)
        mask = np.zeros_like(tokens)
        for row, row_ids in enumerate(ids):
            tokens[row, : len(row_ids)] = row_ids
            mask[row, : len(row_ids)] = 1
        inputs = {"input_ids": tokens, "attention_mask": mask}
        if self._takes_types:
            inputs["token_type_ids"] = np.zeros_like(tokens)
        layer = next(output for output in self._session.run(None, inputs) if output.ndim == 3)
        return unit((layer * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True))


def unit(rows: np.ndarray) -> np.ndarray:
    """The rows at unit length; zeros stay zeros."""
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


def _key(text: str) -> int:
    return int.from_bytes(hashlib.md5(text.encode()).digest()[:8], "little")


def _load_labels(path: Path | None) -> dict[int, np.ndarray]:
    if not path or not path.exists():
        return {}
    stored = np.load(path)
    return dict(zip(stored["keys"].tolist(), stored["vectors"], strict=True))
