from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from langgraph.store.base import PutOp
from vademecum_langgraph import VademecumStore


@pytest.fixture
def shelf(store: VademecumStore) -> VademecumStore:
    store.put(("docs", "wine"), "a", {"text": "Dry red wine from Burgundy", "stars": 5, "status": "active", "origin": {"land": "France", "year": 2019}})
    store.put(("docs", "wine"), "b", {"text": "Sweet white wine from the Mosel", "stars": 3, "status": "sold", "tags": ["white", "sweet"]})
    store.put(("docs", "trains"), "c", {"text": "The night train to Lisbon leaves at ten", "stars": 4, "status": None})
    store.put(("notes",), "d", {"text": "Buy red paint"})
    return store


def keys(items: list[Any]) -> list[str]:
    return sorted(item.key for item in items)


def matching(items: list[Any]) -> list[str]:
    return keys([item for item in items if item.score > 0])


def test_a_search_returns_all_items_under_its_prefix(shelf: VademecumStore) -> None:
    assert keys(shelf.search(())) == ["a", "b", "c", "d"]
    assert keys(shelf.search(("docs",))) == ["a", "b", "c"]
    assert keys(shelf.search(("docs", "wine"))) == ["a", "b"]
    assert keys(shelf.search(("doc",))) == []
    assert keys(shelf.search(("wine",))) == []


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        ({"status": "active"}, ["a"]),
        ({"stars": 5}, ["a"]),
        ({"stars": 5.0}, ["a"]),
        ({"stars": "5"}, []),
        ({"stars": {"$eq": 3}}, ["b"]),
        ({"stars": {"$ne": 3}}, ["a", "c", "d"]),
        ({"stars": {"$gt": 3}}, ["a", "c"]),
        ({"stars": {"$gte": 3, "$lt": 5}}, ["b", "c"]),
        ({"stars": {"$lte": 3}}, ["b"]),
        ({"stars": {"$gt": 3}, "status": "active"}, ["a"]),
        ({"status": None}, ["c", "d"]),
        ({"status": {"$ne": None}}, ["a", "b"]),
        ({"origin": {"land": "France"}}, ["a"]),
        ({"origin": {"land": "France", "year": {"$gt": 2020}}}, []),
        ({"origin": {"land": "Spain"}}, []),
        ({"tags": ["white", "sweet"]}, ["b"]),
        ({"tags": ["sweet", "white"]}, []),
        ({"nothing": "x"}, []),
        ({}, ["a", "b", "c", "d"]),
        ({"text": {"$gte": "T"}}, ["c"]),
    ],
)
def test_a_filter_compares_the_values_of_an_item(shelf: VademecumStore, filter: dict[str, Any], expected: list[str]) -> None:
    assert keys(shelf.search((), filter=filter)) == expected


@pytest.mark.parametrize("text", ['quote " and \\ backslash', "line\nbreak", "ünï🍷", "$gt", "a && b", "\x01"])
def test_a_filter_takes_any_text_literally(store: VademecumStore, text: str) -> None:
    store.put(("x",), "k", {"field": text, text: "value"})
    store.put(("x",), "other", {"field": "other"})
    assert keys(store.search((), filter={"field": text})) == ["k"]
    assert keys(store.search((), filter={text: "value"})) == ["k"]


@pytest.mark.parametrize("filter", [{"a": {"$regex": "x"}}, {"a": float("inf")}, {"a": object()}, {"a": "x" * 3000}])
def test_a_search_refuses_an_invalid_filter(shelf: VademecumStore, filter: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="filter: "):
        shelf.search((), filter=filter)


def test_a_query_finds_by_words_and_meaning_best_first_with_scores(shelf: VademecumStore) -> None:
    items = shelf.search((), query="a red wine of France")
    assert items[0].key == "a"
    scores = [item.score or 0.0 for item in items]
    assert scores[0] > 0
    assert scores == sorted(scores, reverse=True)
    assert shelf.search(())[0].score is None


def test_a_query_stays_within_prefix_and_filter(shelf: VademecumStore) -> None:
    assert "d" in keys(shelf.search((), query="red"))
    inside = shelf.search(("docs",), query="red")
    assert inside[0].key == "a" and "d" not in keys(inside)
    assert matching(shelf.search(("docs",), query="wine", filter={"stars": {"$lt": 5}})) == ["b"]
    assert keys(shelf.search(("docs",), query="wine", filter={"stars": 5})) == ["a"]


def test_items_that_do_not_match_a_query_come_last_newest_first_with_score_0(shelf: VademecumStore) -> None:
    items = shelf.search((), query="xylophone zeppelin qqq")
    assert [(item.key, item.score) for item in items] == [("d", 0), ("c", 0), ("b", 0), ("a", 0)]
    items = shelf.search(("docs",), query="train")
    assert (items[0].key, len(items)) == ("c", 3)
    assert [item.key for item in shelf.search((), query="train", limit=1)] == ["c"]


def test_a_query_finds_only_the_last_value_put(store: VademecumStore) -> None:
    store.put(("x",), "k", {"text": "locomotives"})
    store.put(("x",), "k", {"text": "oranges"})
    assert matching(store.search((), query="locomotives")) == []
    assert matching(store.search((), query="oranges")) == ["k"]


def test_pages_by_limit_and_offset_neither_skip_nor_repeat_items(store: VademecumStore) -> None:
    for number in range(25):
        store.put(("x", str(number % 2)), f"{number:02}", {"text": f"Bottle number {number}"})
    for query in (None, "bottle number"):
        pages = [store.search(("x",), query=query, limit=10, offset=offset) for offset in (0, 10, 20, 30)]
        assert [len(page) for page in pages] == [10, 10, 5, 0]
        assert sorted(item.key for page in pages for item in page) == [f"{number:02}" for number in range(25)]
    assert len(store.search(("x",))) == 10
    assert store.search(("x",), limit=0) == []
    assert [item.key for item in store.search((), limit=2)] == ["24", "23"]


def test_a_query_returns_every_item_with_the_same_text(store: VademecumStore) -> None:
    store.batch([PutOp(("x", str(number)), "k", {"text": "The same words"}) for number in range(150)])
    items = store.search((), query="the same words", limit=200)
    assert len({item.namespace for item in items}) == 150
    assert len(store.search((), query="the same words", limit=5)) == 5
    assert len(store.search((), query="the same words", limit=5, offset=148)) == 2


def test_a_query_examines_the_fields_of_the_store(new_store: Callable[..., VademecumStore]) -> None:
    store = new_store(fields=["title", "chapters[*].text"])
    store.put(("x",), "k", {"title": "Voyages", "secret": "zebra", "chapters": [{"text": "Harbours"}, {"text": "Lighthouses"}]})
    assert matching(store.search((), query="lighthouses")) == ["k"]
    assert matching(store.search((), query="voyages")) == ["k"]
    assert matching(store.search((), query="zebra")) == []


def test_a_query_examines_the_fields_that_a_put_names(store: VademecumStore) -> None:
    store.put(("x",), "k", {"a": "walrus", "b": "zebra"}, index=["a"])
    assert matching(store.search((), query="walrus")) == ["k"]
    assert matching(store.search((), query="zebra")) == []


@pytest.mark.parametrize("index", [False, ["missing"]])
def test_an_item_without_indexed_text_comes_last_and_has_no_score(store: VademecumStore, index: Any) -> None:
    store.put(("animals",), "zebra", {"text": "zebra"}, index=index)
    for query in ["zebra", "animals zebra"]:
        assert [(item.key, item.score) for item in store.search((), query=query)] == [("zebra", None)]
    store.put(("animals",), "walrus", {"text": "walrus"})
    assert [(item.key, item.score) for item in store.search((), query="zebra")] == [("walrus", 0), ("zebra", None)]
    assert [item.key for item in store.search((), query="zebra", limit=1)] == ["walrus"]
    assert [item.key for item in store.search((), query="zebra", limit=1, offset=1)] == ["zebra"]
    assert store.search((), query="zebra", filter={"text": "whale"}) == []
    assert keys(store.search((), filter={"text": "zebra"})) == ["zebra"]
    assert store.get(("animals",), "zebra") is not None
    store.put(("animals",), "zebra", {"text": "zebra"})
    assert matching(store.search((), query="zebra")) == ["zebra"]


def test_a_query_refuses_a_page_beyond_the_first_1000_hits(store: VademecumStore) -> None:
    with pytest.raises(ValueError, match="at most 1000"):
        store.search((), query="x", limit=10, offset=1000)
