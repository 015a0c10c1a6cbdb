"""Reads WordNet 3.0's data files (format: wndb(5WN))."""

import re
from dataclasses import dataclass
from pathlib import Path

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
EXAMPLE_LENGTHS = range(12, 251)


@dataclass(frozen=True)
class Synset:
    """Words of one meaning, and what it is."""

    lexicographer_file: int
    words: list[str]
    definition: str


def read_wordnet(folder: Path) -> tuple[list[Synset], list[str]]:
    """All meanings that have a definition, in the files' order, and all example sentences of fitting length, sorted."""
    synsets: list[Synset] = []
    examples: set[str] = set()
    for part_of_speech in PARTS_OF_SPEECH:
        with (folder / f"data.{part_of_speech}").open(encoding="latin1") as lines:
            for line in lines:
                if line.startswith("  ") or "|" not in line:
                    continue  # The licence at the top of each file.
                fields, gloss = line.split("|", 1)
                examples.update(quote.strip() for quote in re.findall(r'"([^"]+)"', gloss) if len(quote) in EXAMPLE_LENGTHS)
                definition = re.sub(r'"[^"]*"', "", gloss).strip(" ;\n")
                if definition:
                    synsets.append(_synset(fields.split(), definition))
    return synsets, sorted(examples)


def _synset(fields: list[str], definition: str) -> Synset:
    """`fields`: offset, lexicographer file, type, count of words in hexadecimal, then each word and its sense number."""
    count = int(fields[3], 16)
    words = [re.sub(r"\(.*?\)", "", word).replace("_", " ") for word in fields[4 : 4 + 2 * count : 2]]
    return Synset(int(fields[1]), words, definition)
