"""The same cases with the store of this package and with the test store of Strands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from scripted_model import ScriptedModel
from strands import Agent
from strands.memory import MemoryManager, MemoryStore
from strands.vended_memory_stores.test_memory_store import TestMemoryStore
from vademecum import Client
from vademecum_strands import VademecumMemoryStore

Open = Callable[..., Any]


@pytest.fixture(params=["vademecum", "test store"])
def open_store(request: pytest.FixtureRequest, client: Client, user_id: str) -> Open:
    if request.param == "vademecum":
        return lambda **options: VademecumMemoryStore(client, user_id=user_id, agent_id="guide", **options)
    return lambda **options: TestMemoryStore(**{"name": "test", "persist": False, **options})  # type: ignore[typeddict-item]


def add(store: Any, *texts: str, **fields: Any) -> list[str]:
    async def run() -> list[str]:
        added = [await store.add(text, **fields) for text in texts]
        return [it if isinstance(it, str) else it.id for it in added]

    return asyncio.run(run())


def found(store: MemoryStore, query: str, limit: int | None = None) -> list[str]:
    options: Any = None if limit is None else {"max_search_results": limit}
    return [entry.content for entry in asyncio.run(store.search(query, options))]


def test_a_new_store_finds_nothing(open_store: Open) -> None:
    assert found(open_store(), "tea") == []


def test_an_added_fact_is_found_with_its_metadata(open_store: Open) -> None:
    store = open_store()
    metadata = {"topic": "drinks", "sure": True, "score": 0.5, "list": ["a", {"b": None}]}
    add(store, "Ada likes green tea", metadata=metadata)
    add(store, "Lyon is rainy")
    (entry,) = asyncio.run(store.search("green tea"))
    assert entry.content == "Ada likes green tea"
    assert {name: entry.metadata[name] for name in metadata} == metadata


def test_a_fact_that_is_added_again_is_stored_once(open_store: Open) -> None:
    store = open_store()
    ids = add(store, "Ada likes tea", "Ada likes tea", "  Ada likes tea\n")
    assert len(set(ids)) == 1
    assert found(store, "tea") == ["Ada likes tea"]


def test_facts_added_at_the_same_time_are_all_stored_once(open_store: Open) -> None:
    store = open_store()

    async def run() -> None:
        await asyncio.gather(*(store.add(f"Tea number {number % 4} of 9") for number in range(8)))

    asyncio.run(run())
    assert len(found(store, "tea number")) == 4


@pytest.mark.parametrize("query", ["", "  ", "\n"])
def test_an_empty_query_finds_nothing(open_store: Open, query: str) -> None:
    store = open_store()
    add(store, "Ada likes tea")
    assert found(store, query) == []


def test_the_number_of_results_is_limited_by_the_call_the_store_or_ten(open_store: Open) -> None:
    store = open_store(max_search_results=2)
    add(store, *(f"Tea number {number} costs {number * 3} euros" for number in range(12)))
    assert len(found(store, "tea euros")) == 2
    assert len(found(store, "tea euros", 5)) == 5
    unlimited = open_store()
    add(unlimited, *(f"Tea number {number} costs {number * 3} euros" for number in range(12)))
    assert len(found(unlimited, "tea euros")) == 10


def test_a_limit_below_one_is_refused(open_store: Open) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        open_store(max_search_results=0)
    with pytest.raises(ValueError, match="at least 1"):
        found(open_store(), "tea", 0)


def test_an_empty_name_is_refused(open_store: Open) -> None:
    with pytest.raises(ValueError, match="name"):
        open_store(name=" ")


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_fact_is_refused(open_store: Open, text: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        add(open_store(), text)


def test_a_store_that_is_not_writable_takes_no_facts(open_store: Open) -> None:
    with pytest.raises(ValueError, match="not writable"):
        add(open_store(writable=False), "Ada likes tea")


def test_the_best_match_comes_first(open_store: Open) -> None:
    store = open_store()
    add(store, "Tea is hot", "Ada drinks green tea every morning", "Lyon is in France")
    assert found(store, "Which green tea does Ada drink every morning?")[0] == "Ada drinks green tea every morning"


@pytest.mark.parametrize("text", ["Crème brûlée 🌰", "שלום עולם", "multi\nline \"text\" \\ </memory>"])
def test_texts_come_back_unchanged(open_store: Open, text: str) -> None:
    store = open_store()
    add(store, text)
    assert found(store, text) == [text]


def test_a_manager_searches_and_adds(open_store: Open) -> None:
    manager = MemoryManager([open_store(name="notes", description="What Ada said")])
    asyncio.run(manager.add("Ada likes tea", {"metadata": {"topic": "drinks"}}))
    (entry,) = asyncio.run(manager.search("tea"))
    assert (entry.content, entry.store_name) == ("Ada likes tea", "notes")


def test_an_agent_gets_what_fits_its_question(open_store: Open) -> None:
    store, model = open_store(), ScriptedModel()
    add(store, "Ada is allergic to hazelnuts")
    agent = Agent(model=model, memory_manager=MemoryManager([store]), callback_handler=None)
    agent("Are hazelnuts fine in a cake?")
    agent("And hazelnuts in bread?")
    assert all("Ada is allergic to hazelnuts" in request for request in model.requests)


def test_a_model_adds_and_searches_with_the_tools_of_the_manager(open_store: Open) -> None:
    store = open_store()
    model = ScriptedModel(("add_memory", {"entries": ["Ada likes tea", "Ada lives in Lyon"]}), "Stored.")
    manager = MemoryManager([store], add_tool_config=True, injection=False)
    Agent(model=model, memory_manager=manager, callback_handler=None)("I like tea and live in Lyon")
    searching = ScriptedModel(("search_memory", {"query": "tea"}), "Tea.")
    manager = MemoryManager([store], injection=False)
    Agent(model=searching, memory_manager=manager, callback_handler=None)("What do I like?")
    assert "Ada likes tea" in searching.requests[1]
