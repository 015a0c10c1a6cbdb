"""The training texts: WordNet's examples and definitions, and everyday sentences made from templates.

They are the same on every run, given the same vocabulary and WordNet.
"""

import random
import tomllib
from collections.abc import Container
from functools import cache
from pathlib import Path
from typing import Any

from wordnet import Synset, read_wordnet

LOCATIONS = 15
"""Lexicographer file whose nouns may be proper names."""

DEFINITIONS, EVERYDAY_SENTENCES, NOUN_SENTENCES = 30_000, 60_000, 25_000
DEFINITION_LENGTHS = range(12, 201)
STATEMENT_SHARE = 0.55
PAIR_SHARE = 0.06
"""How many everyday sentences are followed by a text of two statements about different things."""


def all_texts(wordnet_folder: Path, vocabulary: Container[str]) -> list[str]:
    """Every text once, in a fixed order."""
    synsets, examples = read_wordnet(wordnet_folder)
    return list(
        dict.fromkeys(
            examples
            + common_definitions(synsets, vocabulary, DEFINITIONS)
            + everyday_sentences(EVERYDAY_SENTENCES)
            + noun_sentences(synsets, vocabulary, NOUN_SENTENCES)
        )
    )


def common_definitions(synsets: list[Synset], vocabulary: Container[str], count: int) -> list[str]:
    """Definitions of words that the vocabulary has whole, shuffled; half of them begin with the word."""
    rng = random.Random(1)
    common = (synset for synset in synsets if any(word in vocabulary for word in synset.words))
    definitions = (f"{synset.words[0]}: {synset.definition}" if rng.random() < 0.5 else synset.definition for synset in common)
    texts = sorted({text for text in definitions if len(text) in DEFINITION_LENGTHS})
    rng.shuffle(texts)
    return texts[:count]


def everyday_sentences(count: int) -> list[str]:
    """Statements and questions about the domains of everyday.toml, sorted. Sometimes a few more than asked for."""
    rng = random.Random(0)
    everyday = _read("everyday.toml")
    statements, questions, domains = everyday["statements"], everyday["questions"], everyday["domains"]
    texts: set[str] = set()
    while len(texts) < count:
        domain = rng.choice(domains)
        template = rng.choice(statements if rng.random() < STATEMENT_SHARE else questions)
        texts.add(_about_domain(template, domain, rng))
        if rng.random() < PAIR_SHARE:
            other = rng.choice(domains)
            texts.add(f"{_about_domain(rng.choice(statements), domain, rng)} {_about_domain(rng.choice(statements), other, rng)}")
    return sorted(texts)


def noun_sentences(synsets: list[Synset], vocabulary: Container[str], count: int) -> list[str]:
    """Sentences with nouns of WordNet whose every word the vocabulary has whole, sorted.

    Fewer than asked for where the nouns do not give more.
    """
    rng = random.Random(1)
    kinds = {kind["lexicographer_file"]: kind for kind in _read("nouns.toml")["kinds"]}
    nouns = _common_nouns(synsets, vocabulary, kinds)
    used = [file for file in kinds if file in nouns]
    shares = [kinds[file]["share"] for file in used]
    texts: set[str] = set()
    for _ in range(3 * count):
        if len(texts) >= count:
            break
        file = rng.choices(used, shares)[0]
        x, y = rng.choice(nouns[file]), rng.choice(nouns[file])
        texts.add(_about_nouns(rng.choice(kinds[file]["templates"]), x, y, rng))
    return sorted(texts)


def _common_nouns(synsets: list[Synset], vocabulary: Container[str], files: Container[int]) -> dict[int, list[str]]:
    """Nouns of one or two words by lexicographer file, sorted; at most three of a meaning."""
    nouns: dict[int, set[str]] = {}
    for synset in synsets:
        file = synset.lexicographer_file
        if file not in files:
            continue
        for noun in synset.words[:3]:
            words = noun.split()
            is_common = len(words) <= 2 and all(word.lower() in vocabulary and len(word) > 2 for word in words)
            if is_common and (noun.islower() or file == LOCATIONS):
                nouns.setdefault(file, set()).add(noun)
    return {file: sorted(words) for file, words in nouns.items()}


def _about_domain(template: str, domain: dict[str, list[str]], rng: random.Random) -> str:
    """Fills every blank, also those that the template lacks, so that the choices after it do not depend on the template."""
    item, other_item = rng.sample(domain["items"], 2)
    activity, other_activity = rng.sample(domain["activities"], 2)
    reason = rng.choice(domain["reasons"])
    love, hate = _choose(rng, "love", "hate")
    category, quality = rng.choice(domain["categories"]), rng.choice(domain["qualities"])
    place, name, relative, occasion, when = _choose(rng, "place", "name", "relative", "occasion", "when")
    return _capitalized(
        template.format(
            item=item,
            other_item=other_item,
            activity=activity,
            other_activity=other_activity,
            category=category,
            quality=quality,
            reason=reason,
            his_reason=_in_third_person(reason),
            love=love,
            hate=hate,
            place=place,
            name=name,
            relative=relative,
            occasion=occasion,
            when=when,
        )
    )


def _about_nouns(template: str, x: str, y: str, rng: random.Random) -> str:
    love, hate, relative, when, name, place = _choose(rng, "love", "hate", "relative", "when", "name", "place")
    food = _read("everyday.toml")["domains"][0]
    reason = rng.choice(food["reasons"])
    return _capitalized(
        template.format(x=x, y=y, love=love, hate=hate, relative=relative, when=when, name=name, place=place, reason=reason)
    )


def _choose(rng: random.Random, *blanks: str) -> list[str]:
    fillers = _read("everyday.toml")["fillers"]
    return [rng.choice(fillers[blank]) for blank in blanks]


def _in_third_person(reason: str) -> str:
    return reason.replace("I am", "he is").replace("I ", "he ").replace("my ", "his ").replace(" me", " him")


def _capitalized(text: str) -> str:
    return text[0].upper() + text[1:]


@cache
def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / name).read_text("utf8"))
