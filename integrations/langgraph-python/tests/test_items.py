from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from langgraph.store.base import GetOp, InvalidNamespaceError, ListNamespacesOp, PutOp, SearchOp
from vademecum import Client, VademecumError, connect
from vademecum_contract import Server
from vademecum_langgraph import VademecumStore

DOCS = ("documents", "ada")


def test_get_returns_the_value_put(store: VademecumStore) -> None:
    value = {"text": "Tea", "n": 5, "x": 0.5, "ok": True, "none": None, "list": [1, {"deep": ["ü", "\n"]}], "empty": {}}
    store.put(DOCS, "one", value)
    item = store.get(DOCS, "one")
    assert item is not None
    assert (item.namespace, item.key, item.value) == (DOCS, "one", value)
    assert type(item.value["n"]) is int
    assert item.created_at == item.updated_at
    assert item.created_at.tzinfo is not None


def test_get_returns_none_for_an_unknown_key(store: VademecumStore) -> None:
    store.put(DOCS, "one", {"a": 1})
    assert store.get(DOCS, "two") is None
    assert store.get(("documents",), "one") is None
    assert store.get((*DOCS, "deeper"), "one") is None


def test_a_second_put_replaces_the_whole_value_and_keeps_the_time_of_creation(store: VademecumStore) -> None:
    store.put(DOCS, "one", {"a": 1, "b": 2})
    first = store.get(DOCS, "one")
    store.put(DOCS, "one", {"a": 3})
    second = store.get(DOCS, "one")
    assert first is not None and second is not None
    assert second.value == {"a": 3}
    assert second.created_at == first.created_at
    assert second.updated_at > first.updated_at
    assert len(store.search(())) == 1


def test_delete_removes_only_the_given_item(store: VademecumStore) -> None:
    store.put(DOCS, "one", {"a": 1})
    store.put(DOCS, "two", {"a": 1})
    store.delete(DOCS, "one")
    store.delete(DOCS, "never there")
    assert store.get(DOCS, "one") is None
    assert store.get(DOCS, "two") is not None
    store.put(DOCS, "one", {"a": 2})
    item = store.get(DOCS, "one")
    assert item is not None and item.value == {"a": 2}


@pytest.mark.parametrize("key", ["", " ", "a/b", "a.b", "ключ", "🍷", "x" * 2000, "item:", "a\nb"])
def test_a_key_may_be_any_text(store: VademecumStore, key: str) -> None:
    store.put(DOCS, key, {"k": key})
    item = store.get(DOCS, key)
    assert item is not None and item.key == key and item.value == {"k": key}


def test_namespaces_that_look_alike_when_joined_are_different(store: VademecumStore) -> None:
    pairs = [(("a", "b"), "c"), (("a",), "b/c"), (("a", "b", "c"), ""), (("a/b",), "c"), (("ab",), "c"), (("A", "b"), "c")]
    for number, (namespace, key) in enumerate(pairs):
        store.put(namespace, key, {"number": number})
    for number, (namespace, key) in enumerate(pairs):
        item = store.get(namespace, key)
        assert item is not None and item.value == {"number": number}
    assert {item.namespace for item in store.search(("a",))} == {("a", "b"), ("a",), ("a", "b", "c")}
    assert store.search(("b",)) == []


def test_a_namespace_may_have_long_labels_and_many_levels(store: VademecumStore) -> None:
    long = ("x" * 300, "y" * 300)
    store.put(long, "k", {"a": 1})
    assert [item.key for item in store.search(("x" * 300,))] == ["k"]
    assert store.search(("x" * 299,)) == []
    deep = tuple(f"level {number}" for number in range(32))
    store.put(deep, "k", {"a": 1})
    assert [item.namespace for item in store.search(deep)] == [deep]
    with pytest.raises(ValueError, match="at most 32"):
        store.put((*deep, "one more"), "k", {"a": 1})


@pytest.mark.parametrize("namespace", [(), ("",), ("a", ""), ("a.b",), ("langgraph", "x"), ("a\0b",)])
def test_the_store_refuses_namespaces_that_langgraph_refuses(store: VademecumStore, namespace: tuple[str, ...]) -> None:
    with pytest.raises(InvalidNamespaceError):
        store.put(namespace, "k", {"a": 1})
    assert store.search(()) == []


def test_a_batch_refuses_invalid_labels(store: VademecumStore) -> None:
    for op in [PutOp(("a.b",), "k", {"a": 1}), GetOp(("a.b",), "k"), SearchOp(("a.b",))]:
        with pytest.raises(InvalidNamespaceError):
            store.batch([op])


@pytest.mark.parametrize("value", [{"x": float("nan")}, {"x": object()}, {"x": 2**60}, {1: "x"}, {"x": {"y": {1, 2}}}])
def test_the_store_refuses_values_that_the_server_cannot_return_unchanged(store: VademecumStore, value: dict) -> None:
    with pytest.raises(ValueError):
        store.batch([PutOp(DOCS, "good", {"a": 1}), PutOp(DOCS, "bad", value)])
    assert store.search(()) == []


def test_the_error_for_a_too_large_value_names_the_limit(store: VademecumStore) -> None:
    with pytest.raises(VademecumError, match="metadata"):
        store.put(DOCS, "big", {"text": "x" * 20_000})
    store.put(DOCS, "fits", {"text": "x" * 16_000})
    assert store.get(DOCS, "big") is None


def test_a_batch_returns_results_in_order_and_reads_before_it_writes(store: VademecumStore) -> None:
    store.put(DOCS, "old", {"a": 1})
    results = store.batch(
        [
            GetOp(DOCS, "old"),
            PutOp(DOCS, "new", {"a": 2}),
            GetOp(DOCS, "new"),
            SearchOp(DOCS),
            PutOp(DOCS, "old", None),
            ListNamespacesOp(),
        ]
    )
    assert results[0].value == {"a": 1}
    assert results[1] is None and results[2] is None and results[4] is None
    assert [item.key for item in results[3]] == ["old"]
    assert results[5] == [DOCS]
    assert store.get(DOCS, "old") is None
    assert store.get(DOCS, "new") is not None


def test_a_batch_keeps_only_the_last_put_of_an_item(store: VademecumStore) -> None:
    store.batch([PutOp(DOCS, "k", {"n": 1}), PutOp(DOCS, "k", {"n": 2}), PutOp(DOCS, "other", {"n": 3}), PutOp(DOCS, "other", None)])
    assert [(item.key, item.value) for item in store.search(())] == [("k", {"n": 2})]


def test_a_batch_may_be_large_and_may_have_equal_values(store: VademecumStore) -> None:
    store.batch([PutOp(DOCS, f"key {number}", {"same": "text"}) for number in range(100)])
    items = store.batch([GetOp(DOCS, f"key {number}") for number in range(101)])
    assert [item and item.key for item in items] == [*(f"key {number}" for number in range(100)), None]
    assert len(store.search((), limit=1000)) == 100


def test_an_empty_batch_makes_no_call(store: VademecumStore) -> None:
    assert store.batch([]) == []


def test_all_calls_can_be_awaited(store: VademecumStore) -> None:
    async def calls() -> None:
        await store.aput(DOCS, "one", {"text": "A glass of Burgundy"})
        item = await store.aget(DOCS, "one")
        assert item is not None and item.value == {"text": "A glass of Burgundy"}
        assert [hit.key for hit in await store.asearch(("documents",), query="burgundy")] == ["one"]
        assert await store.alist_namespaces() == [DOCS]
        await store.adelete(DOCS, "one")
        assert await store.abatch([GetOp(DOCS, "one"), SearchOp(())]) == [None, []]

    asyncio.run(calls())


def test_concurrent_puts_of_a_new_item_leave_one_item(store: VademecumStore, new_store: Callable[..., VademecumStore]) -> None:
    for round_number in range(5):
        key = f"key {round_number}"
        barrier = threading.Barrier(8)

        def put(number: int, key: str = key, barrier: threading.Barrier = barrier) -> None:
            barrier.wait()
            new_store().put(DOCS, key, {"number": number})

        with ThreadPoolExecutor(8) as executor:
            list(executor.map(put, range(8)))
        assert [item.key for item in store.search((), limit=100)].count(key) == 1
        item = store.get(DOCS, key)
        assert item is not None and item.value["number"] in range(8)


def test_a_put_after_concurrent_puts_and_deletes_leaves_one_item(store: VademecumStore) -> None:
    def change(number: int) -> None:
        if number % 3 == 0:
            store.delete(DOCS, "k")
        else:
            store.put(DOCS, "k", {"number": number})

    with ThreadPoolExecutor(8) as executor:
        list(executor.map(change, range(60)))
    store.put(DOCS, "k", {"number": 1000})
    assert [item.value for item in store.search(())] == [{"number": 1000}]


def test_stores_of_different_users_and_agents_share_nothing(client: Client, store: VademecumStore) -> None:
    store.put(DOCS, "k", {"text": "secret"})
    other = VademecumStore(client.memories(user_id="somebody else", agent_id="graph"))
    assert other.get(DOCS, "k") is None
    assert other.search((), query="secret") == []
    assert other.list_namespaces() == []


def test_a_store_never_touches_other_memories_of_the_namespace(client: Client) -> None:
    memories = client.memories(user_id="mixed", agent_id="graph")
    memories.add("A secret of another kind")
    store = VademecumStore(memories)
    store.put(DOCS, "k", {"text": "A secret"})
    assert [item.key for item in store.search((), query="secret")] == ["k"]
    assert len(store.search(())) == 1
    store.delete(DOCS, "k")
    assert [it.content for it in memories.get_all().memories] == ["A secret of another kind"]


def test_items_survive_a_killed_server(tmp_path: Path) -> None:
    server = Server(tmp_path / "data")
    server.start()
    with connect(server.address) as client:
        store = VademecumStore(client.memories(user_id="ada", agent_id="graph"))
        store.put(DOCS, "k", {"text": "Burgundy"})
        before = store.get(DOCS, "k")
    server.kill()
    server.start()
    try:
        with connect(server.address) as client:
            store = VademecumStore(client.memories(user_id="ada", agent_id="graph"))
            assert store.get(DOCS, "k") == before
            assert [item.key for item in store.search((), query="burgundy")] == ["k"]
            store.put(DOCS, "k", {"text": "Riesling"})
            assert [item.value for item in store.search(())] == [{"text": "Riesling"}]
    finally:
        server.kill()
