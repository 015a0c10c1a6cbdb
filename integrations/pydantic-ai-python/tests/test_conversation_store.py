"""The same cases with the store of this package and with the in-memory store of Pydantic AI."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pydantic_ai import Agent, BinaryContent
from pydantic_ai.conversation import Conversation
from pydantic_ai.conversation_store import (
    ConversationConflict,
    ConversationEntry,
    ConversationRecord,
    ConversationStore,
    InMemoryConversationStore,
)
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.test import TestModel
from pydantic_ai.tools import DeferredToolRequests
from pydantic_ai.usage import RunUsage
from vademecum.aio import connect
from vademecum_contract import Server
from vademecum_pydantic_ai import VademecumConversationStore

Case = Callable[[ConversationStore], Awaitable[None]]
Run = Callable[[Case], None]


@pytest.fixture(params=["vademecum", "in memory"])
def run(request: pytest.FixtureRequest, server: Server, user_id: str) -> Run:
    async def with_vademecum(case: Case) -> None:
        async with connect(server.address) as client:
            await case(VademecumConversationStore(client, user_id=user_id, agent_id="guide"))

    async def in_memory(case: Case) -> None:
        await case(InMemoryConversationStore())

    chosen = with_vademecum if request.param == "vademecum" else in_memory
    return lambda case: asyncio.run(chosen(case))


def asks(text: str) -> ModelMessage:
    return ModelRequest(parts=[UserPromptPart(content=text)])


def says(text: str) -> ModelMessage:
    return ModelResponse(parts=[TextPart(content=text)])


def chat(*texts: str) -> list[ModelMessage]:
    return [says(text) if index % 2 else asks(text) for index, text in enumerate(texts)]


async def stored(store: ConversationStore, *texts: str, id: str = "monday", scope: str | None = None) -> Conversation:
    conversation = Conversation(conversation_id=id, messages=chat(*texts))
    await store.save(conversation, scope=scope)
    return conversation


async def texts_of(store: ConversationStore, id: str, limit: int | None = None) -> list[Any]:
    loaded = await store.load(id, limit=limit)
    assert loaded is not None
    return [message.parts[0].content for message in loaded.messages]  # type: ignore[union-attr]


def test_an_unknown_conversation_is_none(run: Run) -> None:
    async def case(store: ConversationStore) -> None:
        assert await store.load("monday") is None
        assert await store.load_entries("monday") is None
        assert await store.list_conversations() == []
        await store.delete("monday")
        with pytest.raises(LookupError):
            await store.read_entry("unknown")

    run(case)


MESSAGES: dict[str, ModelMessage] = {
    "text": asks("Hello"),
    "scripts": asks("日本語 שלום 👩‍👩‍👧‍👦 e\u0301"),
    "empty": asks(""),
    "reply with thoughts": ModelResponse(parts=[ThinkingPart(content="Hm", signature="s"), TextPart(content="Hi")]),
    "call": ModelResponse(parts=[ToolCallPart(tool_name="add", args={"n": [1, 2.5, None]}, tool_call_id="c")]),
    "result": ModelRequest(parts=[ToolReturnPart(tool_name="add", content={"sum": 3}, tool_call_id="c")]),
    "file": ModelRequest(parts=[UserPromptPart(content=["See", BinaryContent(b"\x00\xff" * 9, media_type="application/pdf")])]),
    "100 KiB": asks("日本語 " * 10_000),
    "300 KiB of quotes": asks('"\\' * 150_000),
    "2 MB": asks("image " * 333_333),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_comes_back_whole(run: Run, name: str) -> None:
    async def case(store: ConversationStore) -> None:
        messages = [asks("before"), MESSAGES[name], says("after")]
        await store.save(Conversation(conversation_id="monday", messages=messages))
        for limit in (None, 3, 2):
            loaded = await store.load("monday", limit=limit)
            assert loaded is not None and loaded.messages == messages[-(limit or 3) :]

    run(case)


def test_a_record_comes_back_whole(run: Run) -> None:
    async def case(store: ConversationStore) -> None:
        record = ConversationRecord(
            conversation_id="monday",
            head_id=None,
            usage=RunUsage(input_tokens=3, output_tokens=4, requests=1, details={"cached": 2}),
            deferred_tool_requests=DeferredToolRequests(calls=[ToolCallPart(tool_name="ask", args="x" * 20_000)]),
            scope="ada",
            forked_from="sunday",
            branches=["a", "b"],
        )
        await store.write_record(record, expected_revision=None)
        assert await store.read_record("monday") == record
        small = dataclasses.replace(record, deferred_tool_requests=None, scope=None, revision="2")
        await store.write_record(small, expected_revision=record.revision)
        assert await store.read_record("monday") == small

    run(case)


def test_each_message_is_stored_once(run: Run) -> None:
    async def case(store: ConversationStore) -> None:
        conversation = await stored(store, "one", "two")
        assert await store.save(conversation) == []
        conversation.messages += chat("three", "four")
        assert len(await store.save(conversation)) == 2
        assert await texts_of(store, "monday") == ["one", "two", "three", "four"]
        entries = await store.load_entries("monday")
        assert entries is not None and len({entry.id for entry in entries}) == 4
        assert [entry.parent_id for entry in entries] == [None, *(entry.id for entry in entries[:-1])]
        assert await store.read_entry(entries[2].id) == entries[2]

    run(case)


@pytest.mark.parametrize(("limit", "expected"), [(0, []), (1, ["4"]), (3, ["2", "3", "4"]), (9, list("01234"))])
def test_a_limit_loads_the_last_messages(run: Run, limit: int, expected: list[str]) -> None:
    async def case(store: ConversationStore) -> None:
        await stored(store, *"01234")
        assert await texts_of(store, "monday", limit) == expected

    run(case)


def test_a_long_conversation_is_loaded_in_order(run: Run) -> None:
    async def case(store: ConversationStore) -> None:
        texts = [str(number) for number in range(1203)]
        await stored(store, *texts)
        assert await texts_of(store, "monday") == texts
        assert await texts_of(store, "monday", 1100) == texts[-1100:]

    run(case)


def test_a_save_over_changes_of_another_is_a_conflict_and_stores_nothing(run: Run) -> None:
    async def case(store: ConversationStore) -> None:
        await stored(store, "one", "two")
        first, second = await store.load("monday"), await store.load("monday")
        assert first is not None and second is not None
        first.messages += chat("first")
        second.messages += chat("second")
        await store.save(first)
        with pytest.raises(ConversationConflict):
            await store.save(second)
        with pytest.raises(ConversationConflict):
            await stored(store, "a new one with the same id")
        assert await texts_of(store, "monday") == ["one", "two", "first"]

    run(case)


def test_of_concurrent_saves_one_wins(run: Run) -> None:
    async def case(store: ConversationStore) -> None:
        await stored(store, "one", "two")
        copies = [await store.load("monday") for _ in range(5)]
        for number, copy in enumerate(copies):
            assert copy is not None
            copy.messages += chat(f"from {number}")
        outcomes = await asyncio.gather(*(store.save(copy) for copy in copies if copy), return_exceptions=True)
        assert sum(isinstance(outcome, ConversationConflict) for outcome in outcomes) == 4
        assert len(await texts_of(store, "monday")) == 3
        new = [stored(store, "new", id="tuesday") for _ in range(5)]
        outcomes = await asyncio.gather(*new, return_exceptions=True)  # type: ignore[arg-type]
        assert sum(isinstance(outcome, ConversationConflict) for outcome in outcomes) == 4
        assert await texts_of(store, "tuesday") == ["new"]

    run(case)


def test_a_record_needs_an_entry_that_is_there(run: Run) -> None:
    async def case(store: ConversationStore) -> None:
        with pytest.raises(ConversationConflict):
            await store.write_record(ConversationRecord(conversation_id="x", head_id="lost"), expected_revision=None)
        entry = ConversationEntry(parent_id=None, message=asks("hello"))
        record = ConversationRecord(conversation_id="x", head_id=entry.id)
        await store.write_record(record, new_entries=[entry], expected_revision=None)
        assert await texts_of(store, "x") == ["hello"]

    run(case)


def test_a_deleted_conversation_is_gone_and_can_be_made_anew(run: Run) -> None:
    async def case(store: ConversationStore) -> None:
        for _ in range(2):
            conversation = await stored(store, "one", "two")
            entries = await store.load_entries("monday")
            await store.delete("monday")
            assert await store.load("monday") is None
            assert await store.list_conversations() == []
            assert entries is not None
            with pytest.raises(LookupError):
                await store.read_entry(entries[0].id)
            with pytest.raises(ConversationConflict):
                await store.save(conversation)
            with pytest.raises(ConversationConflict):
                await store.delete_record("monday", expected_revision="x")

    run(case)


def test_a_fork_shares_the_messages_before_it_and_keeps_them(run: Run) -> None:
    async def case(store: ConversationStore) -> None:
        await stored(store, "one", "two", "three", "four")
        fork = await store.fork("monday", at=2, new_conversation_id="fork")
        fork.messages += chat("other")
        await store.save(fork)
        assert await texts_of(store, "fork") == ["one", "two", "other"]
        second = await store.fork("fork", new_conversation_id="fork of the fork")
        assert len(second.messages) == 3
        await store.delete("fork")
        await store.delete("monday")
        assert await texts_of(store, "fork of the fork") == ["one", "two", "other"]
        assert await texts_of(store, "fork of the fork", 2) == ["two", "other"]

    run(case)


def test_a_branch_leaves_the_old_history_and_can_go_back(run: Run) -> None:
    async def case(store: ConversationStore) -> None:
        conversation = await stored(store, "one", "two", "three")
        branch = await store.branch("monday", at=1, expected_revision=conversation.revision)
        branch.messages += chat("x", "other")[1:]
        await store.save(branch)
        assert await texts_of(store, "monday") == ["one", "other"]
        (record,) = await store.list_conversations()
        (left,) = record.branches
        back = await store.branch("monday", from_entry=left, expected_revision=record.revision)
        assert len(back.messages) == 3
        assert await texts_of(store, "monday") == ["one", "two", "three"]

    run(case)


def test_a_rewritten_history_branches_off(run: Run) -> None:
    async def case(store: ConversationStore) -> None:
        conversation = await stored(store, "one", "two", "three")
        rewritten = Conversation(
            conversation_id="monday", messages=chat("one", "summary"), revision=conversation.revision
        )
        await store.save(rewritten)
        assert await texts_of(store, "monday") == ["one", "summary"]

    run(case)


def test_conversations_are_listed_by_scope_newest_first(run: Run) -> None:
    async def case(store: ConversationStore) -> None:
        await stored(store, "one", id="a", scope="work")
        await stored(store, "one", id="b", scope="home")
        await stored(store, "one", id="c", scope="work")
        conversation = await store.load("a")
        assert conversation is not None
        await store.save(conversation)
        ids = [record.conversation_id for record in await store.list_conversations()]
        assert ids == ["a", "c", "b"]
        ids = [record.conversation_id for record in await store.list_conversations(scope="work", limit=1)]
        assert ids == ["a"]
        assert await store.load("b", scope="work") is None
        with pytest.raises(ConversationConflict):
            await stored(store, "one", id="b", scope="work")
        await store.delete("b", scope="work")
        assert await store.load("b") is not None
        with pytest.raises(UserError):
            await store.fork("b", source_scope="work")

    run(case)


def test_an_agent_continues_a_conversation(run: Run) -> None:
    async def case(store: ConversationStore) -> None:
        agent = Agent(TestModel(custom_output_text="Noted."))
        for text in ("I like tea", "What do I like?"):
            conversation = await store.load("monday") or Conversation(conversation_id="monday")
            await store.save(await agent.run(text, conversation=conversation))
        assert await texts_of(store, "monday") == ["I like tea", "Noted.", "What do I like?", "Noted."]
        (record,) = await store.list_conversations()
        assert record.usage.requests == 2

    run(case)
