import json
from datetime import datetime, timedelta, timezone
from enum import Enum
from typing import Any

import pytest
from conftest import OpenProvider
from vademecum import VademecumError
from vademecum.memory_provider import MemoryId, MemoryItem

HOME: dict[str, Any] = {"user_id": "u1", "agent_id": "a1"}


def contents(items: list[MemoryItem]) -> list[str]:
    return [item.content for item in items]


@pytest.mark.asyncio
async def test_an_item_has_all_fields_of_the_protocol(open_provider: OpenProvider) -> None:
    provider = open_provider()
    metadata = {"n": 3, "share": 0.5, "ok": True, "none": None, "list": [1, {"deep": "x"}]}
    await provider.add("tea without sugar", **HOME, metadata=metadata)
    (item,) = await provider.search("tea", **HOME)
    assert item.score is not None
    assert 0 < item.score
    assert item.metadata == metadata
    assert type(item.metadata["n"]) is int
    assert item.created_at is not None
    assert item.created_at.tzinfo is timezone.utc
    assert abs(datetime.now(timezone.utc) - item.created_at) < timedelta(minutes=1)
    assert (item.user_id, item.agent_id) == ("u1", "a1")
    assert MemoryItem.model_validate_json(item.model_dump_json()) == item


@pytest.mark.asyncio
async def test_search_returns_the_best_hit_first_and_scores_never_rise(open_provider: OpenProvider) -> None:
    provider = open_provider()
    for content in ("Ada drinks tea without sugar", "Ada likes tea", "The train leaves at nine"):
        await provider.add(content, **HOME)
    hits = await provider.search("tea without sugar", **HOME)
    assert hits[0].content == "Ada drinks tea without sugar"
    scores = [hit.score or 0.0 for hit in hits]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.asyncio
async def test_search_returns_one_of_two_memories_with_the_same_words(open_provider: OpenProvider) -> None:
    provider = open_provider()
    for _ in range(2):
        await provider.add("Ada likes tea", **HOME)
    assert contents(await provider.search("Ada likes tea", **HOME)) == ["Ada likes tea"]
    assert contents(await provider.get_all(**HOME)) == ["Ada likes tea"] * 2


@pytest.mark.asyncio
@pytest.mark.parametrize("query", ["", " ", "\n\t"])
async def test_an_empty_query_returns_all_memories_newest_first_without_a_score(
    open_provider: OpenProvider, query: str
) -> None:
    provider = open_provider()
    for content in ("first", "second", "first"):
        await provider.add(content, **HOME)
    found = await provider.search(query, **HOME)
    assert contents(found) == ["first", "second", "first"]
    assert [item.score for item in found] == [None] * 3
    assert found == await provider.get_all(**HOME)


@pytest.mark.asyncio
async def test_the_limits_default_to_five_hits_and_ten_memories(open_provider: OpenProvider) -> None:
    provider = open_provider()
    for number in range(12):
        await provider.add(f"note {number}", **HOME)
    assert len(await provider.search("note", **HOME)) == 5
    assert len(await provider.search("", **HOME)) == 5
    assert len(await provider.get_all(**HOME)) == 10
    assert len(await provider.get_all(**HOME, limit=11)) == 11


@pytest.mark.asyncio
async def test_get_all_returns_memories_of_several_pages(open_provider: OpenProvider) -> None:
    provider = open_provider()
    expected = [f"{number:02} " + "x" * 60_000 for number in range(60)]
    for content in expected:
        await provider.add(content, **HOME)
    assert contents(await provider.get_all(**HOME, limit=2_000)) == expected[::-1]
    assert contents(await provider.get_all(**HOME, limit=59)) == expected[:0:-1]


@pytest.mark.asyncio
@pytest.mark.parametrize("limit", [0, -1])
async def test_a_limit_below_one_is_an_error(open_provider: OpenProvider, limit: int) -> None:
    provider = open_provider()
    for call in (provider.search("x", **HOME, limit=limit), provider.get_all(**HOME, limit=limit)):
        with pytest.raises(VademecumError) as caught:
            await call
        assert [it.field for it in caught.value.violations] == ["limit"]


@pytest.mark.asyncio
async def test_filters_require_all_keys_with_values_of_the_same_type(open_provider: OpenProvider) -> None:
    provider = open_provider()
    await provider.add("a", **HOME, metadata={"n": 1, "deep": {"x": [1]}, "none": None})
    await provider.add("b", **HOME, metadata={"n": True})
    await provider.add("c", **HOME)
    expectations: list[tuple[dict[str, Any], list[str]]] = [
        ({}, ["c", "b", "a"]),
        ({"n": 1}, ["a"]),
        ({"n": "1"}, []),
        ({"n": True}, ["b"]),
        ({"n": 1, "deep": {"x": [1]}}, ["a"]),
        ({"n": 1, "deep": {"x": []}}, []),
        ({"none": None}, ["a"]),
    ]
    for filters, expected in expectations:
        assert contents(await provider.get_all(**HOME, filters=filters)) == expected
        assert contents(await provider.search("", **HOME, filters=filters)) == expected
    assert contents(await provider.search("a", **HOME, filters={"n": True})) == []


class Color(Enum):
    RED = "red"


@pytest.mark.asyncio
async def test_a_trace_may_hold_python_objects_and_metadata_cannot_change_its_type_or_workflow(
    open_provider: OpenProvider,
) -> None:
    provider = open_provider()
    day = datetime(2026, 5, 4, tzinfo=timezone.utc)
    trace = {"tool": "blast", "at": day, "color": Color.RED, "metadata": {"type": "x", "workflow_id": "y", "stage": 2}}
    await provider.add_trace("bio", "wf1", trace)
    (item,) = await provider.get_all(user_id="system", agent_id="bio")
    assert item.metadata == {"type": "trace", "workflow_id": "wf1", "stage": 2}
    head, data = item.content.split(" data=")
    assert head == "[trace] workflow=wf1 agent=bio"
    assert json.loads(data) == json.loads(json.dumps(trace, default=str))


@pytest.mark.asyncio
async def test_the_provider_refuses_values_that_the_server_would_change(open_provider: OpenProvider) -> None:
    provider = open_provider()
    for value in (2**53 + 1, 10**20 + 1, 10**400, [{"a": -(2**54) - 1}], float("nan"), datetime.now(timezone.utc), {1, 2}, "\ud800"):
        metadata = {"value": value}
        for call, name in (
            (provider.add("x", **HOME, metadata=metadata), "metadata"),
            (provider.get_all(**HOME, filters=metadata), "filters|filter.metadata"),
        ):
            with pytest.raises(ValueError, match=rf"^({name})(\.\S+)?: "):
                await call
    with pytest.raises(ValueError, match=r"^trace_data\.value: "):
        await provider.add_trace("a1", "wf1", {"value": 2**53 + 1})
    assert await provider.get_all(user_id="u1", agent_id="a1") == []
    await provider.add("x", **HOME, metadata={"value": 2**53, "pair": (1, 2)})
    assert (await provider.get_all(**HOME))[0].metadata == {"value": 2**53, "pair": [1, 2]}


@pytest.mark.asyncio
async def test_metadata_of_an_item_can_be_stored_again_unchanged(open_provider: OpenProvider) -> None:
    provider = open_provider()
    metadata = {"numbers": [1e300, -1e300, 2.0**53, 2.0**60, 0.5, -0.0], "deep": {"number": 1e21}}
    await provider.add("first", **HOME, metadata=metadata)
    for content in ("second", "third"):
        (item,) = await provider.get_all(**HOME, limit=1)
        assert item.metadata == metadata
        assert type(item.metadata["numbers"][0]) is float
        assert type(item.metadata["numbers"][2]) is int
        await provider.add(content, **HOME, metadata=item.metadata)


@pytest.mark.asyncio
async def test_a_filter_finds_a_substring_in_upper_and_lower_case(open_provider: OpenProvider) -> None:
    provider = open_provider()
    await provider.add("Ran BLAST on p53", **HOME)
    await provider.add("Ran a plain search", **HOME)
    assert await provider.search("las", **HOME) == []
    page = await provider.client.memories(**HOME).get_all(filter={"content_contains": "las"})
    assert [memory.content for memory in page.memories] == ["Ran BLAST on p53"]


@pytest.mark.asyncio
async def test_the_client_finds_a_memory_by_the_last_part_of_its_id(open_provider: OpenProvider) -> None:
    provider = open_provider()
    memory_id = MemoryId.parse(await provider.add("kept", **HOME))
    memories = provider.client.memories(memory_id.user_id, memory_id.agent_id)
    assert (await memories.get(memory_id.id)).memory.content == "kept"
