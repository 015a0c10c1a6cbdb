from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage, ImageBlock, MessageRole, TextBlock
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import MockLLM
from llama_index.core.memory import InsertMethod, Memory
from vademecum import Client, VademecumError, connect
from vademecum_contract import Contract, Server, Subject, run_readme
from vademecum_llama_index import VademecumMemoryBlock


def says(text: str, role: MessageRole = MessageRole.USER) -> ChatMessage:
    return ChatMessage(role=role, content=text)


class BlockSubject(Subject):
    def __init__(self, client: Client, user_id: str) -> None:
        self._block = VademecumMemoryBlock(client, user_id=user_id, agent_id="guide")
        self._threads = client.threads(user_id=user_id, agent_id="guide")

    async def write(self, text: str) -> None:
        await self._block.aput([says(text)], session_id="monday")

    async def read(self) -> Sequence[str]:
        return [turn.content for turn in self._threads.get_turns("monday", limit=1000).turns]


class TestContract(Contract):
    @asynccontextmanager
    async def open(self, address: str, user_id: str) -> AsyncIterator[Subject]:
        with connect(address) as client:
            yield BlockSubject(client, user_id)


@pytest.fixture
def block(client: Client, user_id: str) -> VademecumMemoryBlock:
    return VademecumMemoryBlock(client, user_id=user_id, agent_id="guide")


def turns(client: Client, user_id: str, thread_id: str = "monday") -> list[tuple[str, str]]:
    stored = client.threads(user_id=user_id, agent_id="guide").get_turns(thread_id, limit=1000).turns
    return [(turn.author, turn.content) for turn in stored]


def get(block: VademecumMemoryBlock, *messages: ChatMessage) -> str:
    return asyncio.run(block.aget(list(messages)))


def put(block: VademecumMemoryBlock, *messages: ChatMessage, **options: Any) -> None:
    asyncio.run(block.aput(list(messages), **options))


def test_a_new_block_and_a_request_without_a_question_are_empty(block: VademecumMemoryBlock) -> None:
    assert get(block, says("What do I like?")) == ""
    put(block, says("I like tea"))
    assert asyncio.run(block.aget()) == ""
    assert get(block) == ""
    assert get(block, says("  ")) == ""
    assert get(block, says("I am the assistant", MessageRole.ASSISTANT)) == ""


def test_what_was_put_is_found_for_the_newest_question(block: VademecumMemoryBlock) -> None:
    put(block, says("I am allergic to hazelnuts"), session_id="monday")
    put(block, says("It rains in Lyon"), session_id="tuesday")
    found = get(block, says("Hello"), says("Are hazelnuts fine?"), says("Let me see", MessageRole.ASSISTANT))
    assert "user: I am allergic to hazelnuts" in found
    assert found.splitlines()[0] == "## Memories"


def test_messages_are_turns_of_their_session(block: VademecumMemoryBlock, client: Client, user_id: str) -> None:
    image = ChatMessage(role=MessageRole.USER, blocks=[ImageBlock(image=b"AA==", image_mimetype="image/png")])
    both = ChatMessage(role=MessageRole.USER, blocks=[TextBlock(text="one"), TextBlock(text="two")])
    put(block, both, says("Noted.", MessageRole.ASSISTANT), image, says(" "), session_id="monday")
    assert turns(client, user_id) == [("user", "one\ntwo"), ("assistant", "Noted.")]


def test_long_messages_and_many_messages_are_stored_whole(
    block: VademecumMemoryBlock, client: Client, user_id: str
) -> None:
    text = "Pâté " * 20_000
    put(block, says(text), *(says(f"message {number}") for number in range(600)), session_id="monday")
    stored = [content for _, content in turns(client, user_id)]
    assert "".join(stored[:3]) == text
    assert stored[3:] == [f"message {number}" for number in range(600)]


def test_messages_without_a_session_are_stored_too(block: VademecumMemoryBlock) -> None:
    put(block, says("I like tea"))
    assert "I like tea" in get(block, says("tea?"))


def test_a_block_can_refuse_the_messages_of_the_short_term_memory(client: Client, user_id: str) -> None:
    block = VademecumMemoryBlock(client, user_id=user_id, agent_id="guide", accept_short_term_memory=False)
    put(block, says("I like tea"), from_short_term_memory=True)
    assert get(block, says("tea?")) == ""


def test_a_context_is_truncated_at_its_end(block: VademecumMemoryBlock) -> None:
    content = "\n".join(f"- line {number} of the context" for number in range(20))
    shorter = asyncio.run(block.atruncate(content, 30))
    assert shorter is not None and content.startswith(shorter) and 5 < len(shorter.splitlines()) < 17
    assert asyncio.run(block.atruncate(content, 10_000)) is None


def test_a_truncated_context_ends_with_no_heading(block: VademecumMemoryBlock) -> None:
    content = "## Skills\n\n- knock first\n\n## Memories\n\n- a line of the context that is long enough"
    assert asyncio.run(block.atruncate(content, 3)) == "## Skills\n\n- knock first"
    assert asyncio.run(block.atruncate("## Memories\n\n- tea", 1)) is None


def test_a_block_that_is_cut_keeps_the_fence_at_its_end(block: VademecumMemoryBlock) -> None:
    content = "## Memory blocks\n\n### Profile\n\n````\nName: Ada\n```\nHome: a house by the lake of Lyon\n````"
    assert asyncio.run(block.atruncate(content, 9)) == "## Memory blocks\n\n### Profile\n\n````\nName: Ada\n```\n````"
    assert asyncio.run(block.atruncate(content, 17)) is None


def test_the_budget_limits_the_context(client: Client, user_id: str) -> None:
    block = VademecumMemoryBlock(client, user_id=user_id, agent_id="guide", budget_tokens=60)
    put(block, *(says(f"Tea number {number} costs {number * 3} euros in the shop") for number in range(20)))
    assert 0 < len(get(block, says("tea in the shop")).splitlines()) < 8


@pytest.mark.parametrize("method", list(InsertMethod))
def test_a_memory_of_llama_index_moves_old_messages_into_the_block(
    client: Client, user_id: str, method: InsertMethod
) -> None:
    def memory(session_id: str) -> Memory:
        block = VademecumMemoryBlock(client, user_id=user_id, agent_id="guide")
        return Memory.from_defaults(
            session_id=session_id, token_limit=300, chat_history_token_ratio=0.1, token_flush_size=20,
            memory_blocks=[block], insert_method=method,
        )

    async def run() -> str:
        monday = memory("monday")
        for number in range(8):
            await monday.aput(says("I am allergic to hazelnuts" if number == 0 else f"Small talk number {number}"))
            await monday.aput(says("Noted.", MessageRole.ASSISTANT))
        tuesday = memory("tuesday")
        await tuesday.aput(says("Are hazelnuts fine?"))
        return str([message.content for message in await tuesday.aget()])

    assert "I am allergic to hazelnuts" in asyncio.run(run())
    assert turns(client, user_id)[0] == ("user", "I am allergic to hazelnuts")


def test_a_chat_engine_gets_the_memories(block: VademecumMemoryBlock, user_id: str) -> None:
    put(block, says("I am allergic to hazelnuts"))
    memory = Memory.from_defaults(session_id=user_id, token_limit=2000, memory_blocks=[block])
    engine = SimpleChatEngine.from_defaults(llm=MockLLM(), memory=memory)
    reply = asyncio.run(engine.achat("Are hazelnuts fine?"))
    assert "I am allergic to hazelnuts" in str(reply)


def test_users_and_agents_have_memories_of_their_own(client: Client, user_id: str) -> None:
    ids = [(user_id, "guide"), (f"{user_id}-b", "guide"), (user_id, "other")]
    blocks = [VademecumMemoryBlock(client, user_id=user, agent_id=agent) for user, agent in ids]
    put(blocks[0], says("I like tea"))
    assert [bool(get(it, says("tea?"))) for it in blocks] == [True, False, False]


def test_an_error_of_the_server_reaches_the_caller(user_id: str) -> None:
    with connect("127.0.0.1:1", timeout=1) as client, pytest.raises(VademecumError):
        put(VademecumMemoryBlock(client, user_id=user_id, agent_id="guide"), says("I like tea"))


@pytest.mark.parametrize("name", ["user_id", "agent_id"])
def test_without_an_id_there_is_no_block(client: Client, name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is missing"):
        VademecumMemoryBlock(client, **{"user_id": "ada", "agent_id": "guide", name: ""})  # type: ignore[arg-type]


def test_the_program_of_the_readme_prints_what_the_readme_shows(server: Server) -> None:
    run = run_readme(Path(__file__).parents[1] / "README.md", server.address)
    assert run.errors == ""
    assert run.printed == run.shown
