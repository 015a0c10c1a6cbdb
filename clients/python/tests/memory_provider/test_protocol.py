"""Tests from the specification of the protocol `MemoryProvider`, unchanged except for the names of
their fixtures.
"""

import pytest
from conftest import OpenProvider
from vademecum.memory_provider import MemoryProvider, get_memory_provider


@pytest.mark.asyncio
async def test_add_and_search_namespaced(open_provider: OpenProvider) -> None:
    """Test namespace isolation between agents."""
    adapter = open_provider()
    await adapter.add("bio p53", user_id="u1", agent_id="bio")
    await adapter.add("prime task", user_id="u1", agent_id="prime")
    hits = await adapter.search("p53", user_id="u1", agent_id="bio")
    assert len(hits) == 1
    assert hits[0].content == "bio p53"


@pytest.mark.asyncio
async def test_metadata_filtering(open_provider: OpenProvider) -> None:
    """Test filtering by metadata (e.g. type='trace')."""
    adapter = open_provider()
    await adapter.add("chat msg", user_id="u1", agent_id="a1", metadata={"type": "chat"})
    await adapter.add_trace("a1", "wf1", {"tool": "blast"}, user_id="u1")
    traces = await adapter.search("", user_id="u1", agent_id="a1", filters={"type": "trace"})
    assert len(traces) == 1
    assert traces[0].metadata["type"] == "trace"


@pytest.mark.asyncio
async def test_add_trace_structure(open_provider: OpenProvider) -> None:
    """Test add_trace creates properly structured memory."""
    adapter = open_provider()
    mem_id = await adapter.add_trace(
        agent_id="bio",
        workflow_id="wf1",
        trace_data={"tool": "blast", "result": {"hits": 3}},
        user_id="system",
    )
    hits = await adapter.search("blast", user_id="system", agent_id="bio")
    assert len(hits) == 1
    assert hits[0].id == mem_id
    assert hits[0].metadata["type"] == "trace"
    assert hits[0].metadata["workflow_id"] == "wf1"


@pytest.mark.asyncio
async def test_delete_and_reset(open_provider: OpenProvider) -> None:
    """Test delete and reset operations."""
    adapter = open_provider()
    mem_id = await adapter.add("test", user_id="u1", agent_id="a1")
    assert await adapter.delete(mem_id) is True
    assert await adapter.delete(mem_id) is False  # Already deleted
    await adapter.add("test2", user_id="u1", agent_id="a1")
    assert await adapter.reset() is True
    hits = await adapter.get_all(user_id="u1", agent_id="a1")
    assert len(hits) == 0


def test_protocol_type_check() -> None:
    """Test runtime protocol compliance."""
    adapter = get_memory_provider(None)
    assert isinstance(adapter, MemoryProvider)
