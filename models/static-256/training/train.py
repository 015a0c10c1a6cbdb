"""Makes weights.bin and vocab.txt of the static model. The README beside the model says what is needed and how it is run."""

import argparse
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from tokenizers import Tokenizer

from fit import fit
from rows import SPECIAL_ROWS, blend, sif_weights, start_rows, write_weights
from teacher import Teacher, unit
from texts import all_texts

UNKNOWN = 100


def main() -> None:
    arguments = parse_arguments()
    tokenizer = Tokenizer.from_file(str(arguments.tokenizer))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    vocabulary = tokenizer.get_vocab()
    texts = all_texts(arguments.wordnet, vocabulary)
    print(f"{len(texts)} texts", flush=True)

    teacher = Teacher(arguments.teacher, tokenizer)
    targets = teacher.embed(texts, arguments.labels)
    targets -= targets.mean(0)
    words = teacher.embed_vocabulary()
    words -= words[SPECIAL_ROWS:].mean(0)
    words[:SPECIAL_ROWS] = 0

    tokens = count_tokens(texts, tokenizer)
    learned = fit(start_rows(words, np.asarray(tokens.sum(0)).ravel(), tokens, targets), tokens, unit(targets))
    learned[:SPECIAL_ROWS] = 0
    plain = words * sif_weights(np.loadtxt(arguments.counts))

    arguments.out.mkdir(parents=True, exist_ok=True)
    write_weights(arguments.out / "weights.bin", blend(learned, plain, tokens))
    (arguments.out / "vocab.txt").write_text("\n".join(sorted(vocabulary, key=vocabulary.__getitem__)) + "\n", "utf8")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--teacher", type=Path, required=True, help="ONNX export of all-MiniLM-L6-v2 with a (batch, tokens, 384) output")
    parser.add_argument("--tokenizer", type=Path, required=True, help="its tokenizer.json")
    parser.add_argument("--counts", type=Path, required=True, help="counts.txt")
    parser.add_argument("--wordnet", type=Path, required=True, help="folder with WordNet 3.0's data.noun, data.verb, data.adj and data.adv")
    parser.add_argument("--out", type=Path, required=True, help="folder for weights.bin and vocab.txt")
    parser.add_argument("--labels", type=Path, help="npz file that keeps the teacher's vectors between runs")
    return parser.parse_args()


def count_tokens(texts: list[str], tokenizer: Tokenizer) -> sp.csr_matrix:
    """How often each token occurs in each text, in order of occurrence: a token that repeats has several entries."""
    ids = [encoding.ids or [UNKNOWN] for encoding in tokenizer.encode_batch(texts, add_special_tokens=False)]
    ends = np.cumsum([0] + [len(row) for row in ids])
    return sp.csr_matrix((np.ones(ends[-1], np.float32), np.concatenate(ids), ends), shape=(len(ids), tokenizer.get_vocab_size()))


if __name__ == "__main__":
    main()
