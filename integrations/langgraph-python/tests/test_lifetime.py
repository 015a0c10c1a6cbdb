from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone

from langgraph.store.base import GetOp, SearchOp
from vademecum import Client, Memories
from vademecum_langgraph import VademecumStore

X = ("x",)
# A lifetime in minutes that is over before the item is stored.
AT_ONCE = 0.000_001


def minutes_left(memories: Memories) -> float:
    (memory,) = memories.get_all().memories
    return (memory.expire_time.ToDatetime(tzinfo=timezone.utc) - datetime.now(timezone.utc)).total_seconds() / 60


def test_an_item_expires_at_the_end_of_its_lifetime(store: VademecumStore) -> None:
    store.put(X, "short", {"text": "soon gone"}, ttl=AT_ONCE)
    store.put(X, "long", {"text": "stays"}, ttl=60)
    assert store.get(X, "short") is None
    assert [item.key for item in store.search(())] == ["long"]
    assert [item.key for item in store.search((), query="gone")] == ["long"]
    store.put(X, "short", {"text": "again"})
    assert [item.key for item in store.search((), query="again")] == ["short", "long"]


def test_the_default_lifetime_of_a_store_applies_to_all_items(new_store: Callable[..., VademecumStore]) -> None:
    store = new_store(ttl={"default_ttl": AT_ONCE})
    store.put(X, "default", {"a": 1})
    store.put(X, "for ever", {"a": 1}, ttl=None)
    assert [item.key for item in store.search(())] == ["for ever"]


def test_reading_an_item_restarts_its_lifetime_and_keeps_its_times(client: Client) -> None:
    memories = client.memories(user_id="ttl", agent_id="reading")
    store = VademecumStore(memories)
    store.put(X, "k", {"text": "tea"}, ttl=60)
    first = store.get(X, "k", refresh_ttl=False)
    expires = minutes_left(memories)
    # Sets an expiry in the far future, so that the test sees whether a read sets the expiry again.
    (memory,) = memories.get_all().memories
    memories.update(memory.id, {"expire_time": datetime.now(timezone.utc).replace(year=2999)})
    assert minutes_left(memories) > expires + 1
    before = store.get(X, "k", refresh_ttl=False)
    assert minutes_left(memories) > expires + 1
    read = store.get(X, "k")
    assert minutes_left(memories) <= 60
    again = store.get(X, "k")
    assert first is not None and before is not None
    assert read == again == before
    assert first.value == before.value


def test_searching_restarts_lifetimes_unless_refresh_is_off(client: Client) -> None:
    for namespace, refresh, expected in [("yes", True, 60), ("no", False, 500)]:
        memories = client.memories(user_id="ttl", agent_id=namespace)
        store = VademecumStore(memories, ttl={"refresh_on_read": refresh})
        store.put(X, "k", {"text": "tea"}, ttl=60)
        (memory,) = memories.get_all().memories
        memories.update(memory.id, {"expire_time": datetime.now(timezone.utc).replace(year=2999)})
        store.search((), query="tea")
        store.get(X, "k")
        left = minutes_left(memories)
        assert left <= expected if refresh else left > expected


def test_a_put_without_a_lifetime_removes_the_lifetime_of_the_item(client: Client) -> None:
    memories = client.memories(user_id="ttl", agent_id="taking away")
    store = VademecumStore(memories)
    store.put(X, "k", {"a": 1}, ttl=60)
    store.put(X, "k", {"a": 2})
    (memory,) = memories.get_all().memories
    assert not memory.HasField("expire_time")


def test_reads_without_lifetimes_write_nothing(client: Client) -> None:
    memories = client.memories(user_id="ttl", agent_id="none")
    store = VademecumStore(memories)
    store.put(X, "k", {"text": "tea"})
    store.batch([GetOp(X, "k"), SearchOp(()), SearchOp((), query="tea")])
    (memory,) = memories.get_all().memories
    assert memory.version == 1
