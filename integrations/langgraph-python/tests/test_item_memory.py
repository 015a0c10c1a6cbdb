from __future__ import annotations

from enum import IntEnum
from typing import Any

import pytest
from vademecum_langgraph.item_memory import content_of, external_id_of, indexed_text, number_text, tags_of


# The JavaScript package has a test with the same values. So each package finds the items of the
# other.
def test_an_item_has_the_same_external_id_and_tags_as_in_the_javascript_package() -> None:
    assert external_id_of(("users", "ada"), "ключ") == "langgraph/0ecc3d3ef4544a09c5399f606914d62e2ebf40c887f8780a622f2bc6dc9176d1"
    assert tags_of(("users", "ada")) == ["ns:users", "ns:users.ada"]
    long = ("x" * 100, "ü" * 20)
    assert tags_of(long) == [f"ns:{long[0]}", "ns#dcc9b7ab72f88554ae6fc9793568f1e325cec7e2defca566100dc0a3229166de"]


# The JavaScript package has a test with the same texts. So each package indexes an item as the other
# does.
def test_an_item_has_the_same_indexed_text_as_in_the_javascript_package() -> None:
    value = {
        "text": "Dry red wine",
        "stars": 5.0,
        "share": 0.5,
        "sold": True,
        "note": None,
        "origin": {"year": 2019, "fresh": False},
        "sizes": [1.0, 1e21, 1e-7, 1e16],
    }
    assert indexed_text(value, ["$"]).split("\n") == [
        "text: Dry red wine",
        "stars: 5",
        "share: 0.5",
        "sold: true",
        "year: 2019",
        "fresh: false",
        "sizes: 1",
        "sizes: 1e+21",
        "sizes: 1e-7",
        "sizes: 10000000000000000",
    ]
    paths = ["stars", "sold", "note", "origin.year", "sizes[*]"]
    assert indexed_text(value, paths) == "5\ntrue\n2019\n1\n1e+21\n1e-7\n10000000000000000"


def test_an_object_or_list_at_a_path_is_indexed_as_json() -> None:
    value = {"origin": {"fresh": False, "year": 2019}, "sizes": [1, "two"], "text": "[x]"}
    assert indexed_text(value, ["origin", "sizes", "text"]) == '{"fresh": false, "year": 2019}\n[1, "two"]\n[x]'


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (7, "7"),
        (2**53, "9007199254740992"),
        (-3.0, "-3"),
        (0.1, "0.1"),
        (0.1 + 0.2, "0.30000000000000004"),
        (123456789012345680000.0, "123456789012345680000"),
        (999999999999999900000.0, "999999999999999900000"),
        (-1e21, "-1e+21"),
        (1.5e300, "1.5e+300"),
        (0.0001, "0.0001"),
        (0.00001, "0.00001"),
        (0.000001, "0.000001"),
        (0.0000015, "0.0000015"),
        (0.00000015, "1.5e-7"),
        (1e-10, "1e-10"),
        (5e-324, "5e-324"),
    ],
)
def test_an_indexed_number_has_the_text_that_javascript_gives_it(number: float, text: str) -> None:
    assert number_text(number) == text


class Stars(IntEnum):
    FIVE = 5


class Measure(float):
    def __repr__(self) -> str:
        return f"Measure({float(self)})"


@pytest.mark.parametrize(("number", "text"), [(Stars.FIVE, "5"), (Measure(2.0), "2"), (Measure(0.5), "0.5")])
def test_a_number_of_a_subclass_of_int_or_float_is_indexed_as_a_number(number: Any, text: str) -> None:
    assert indexed_text({"stars": number}, ["$"]) == f"stars: {text}"
    assert indexed_text({"stars": number}, ["stars"]) == text


def test_a_text_that_is_too_long_for_a_memory_is_cut_between_characters() -> None:
    assert content_of(("x",), "k", "ü" * 40_000 + "x") == "ü" * 32_768
    assert content_of(("x",), "k", "a" + "🍷" * 20_000) == "a" + "🍷" * 16_383
    assert content_of(("x", "y"), "k", "") == "x/y/k"
