from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock
from llama_index.core.memory.memory import BaseMemoryBlock
from llama_index.core.utils import get_tokenizer
from pydantic import PrivateAttr
from vademecum import Client, Memories
from vademecum.adapters import add_all, check_ids, cut_query, split_content
from vademecum.types import AddRequestFields


class VademecumMemoryBlock(BaseMemoryBlock[str]):
    """A memory block of LlamaIndex that keeps the messages which leave the short-term memory.

    A request of the memory gets the context of the user's newest message: blocks, skills and
    memories of the user, from all conversations. Each call runs in a thread, so that the block works
    in every event loop.

    Args:
        client: The connection: `vademecum.connect(address)`. The caller closes it.
        user_id: The id of the person who talks with the agent, 1 to 256 bytes. There is no default.
        agent_id: The id of the agent, 1 to 256 bytes.
        budget_tokens: Maximum number of tokens of the context, 1 to 200,000.
        fields: Fields of BaseMemoryBlock: name, description, priority, accept_short_term_memory.

    Raises:
        ValueError: An id is empty.
    """

    name: str = "vademecum"
    budget_tokens: int = 1000
    _memories: Memories = PrivateAttr()

    def __init__(
        self, client: Client, *, user_id: str, agent_id: str, budget_tokens: int = 1000, **fields: Any
    ) -> None:
        check_ids(user_id=user_id, agent_id=agent_id)
        super().__init__(**{"budget_tokens": budget_tokens, **fields})
        self._memories = client.memories(user_id=user_id, agent_id=agent_id)

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        """Returns the context of the user's newest message. Empty if there is no such message."""
        asked = [message for message in messages or [] if message.role == MessageRole.USER]
        query = cut_query(_text_of(asked[-1])) if asked else ""
        if not query:
            return ""
        context = await asyncio.to_thread(
            self._memories.build_context, self.budget_tokens, query, annotate=True
        )
        return context.text.rstrip()

    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Stores the texts of messages as turns of their session."""
        turns = [turn for message in messages for turn in _turns_of(message)]
        await asyncio.to_thread(add_all, self._memories, turns)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Removes lines from the end, which fit least, and headings without text. None if nothing is left.

        A block that is cut keeps the fence at its end.
        """
        tokenize = get_tokenizer()
        left = len(tokenize(content)) - tokens_to_truncate
        lines = content.split("\n")
        while lines:
            fence = _open_fence(lines)
            shorter = "\n".join([*lines, fence] if fence else lines)
            if lines[-1] != fence and not _is_heading(lines[-1]) and len(tokenize(shorter)) <= left:
                return shorter
            lines.pop()
        return None


def _turns_of(message: ChatMessage) -> Iterator[AddRequestFields]:
    """Yields the turns of a message: usually one, several if the text is very long."""
    session_id = message.additional_kwargs.get("session_id")
    for piece in split_content(_text_of(message)):
        turn: AddRequestFields = {"content": piece, "memory_type": "conversation", "author": message.role.value}
        if session_id:
            turn["thread_id"] = session_id
        yield turn


def _is_heading(line: str) -> bool:
    return not line.strip() or line.startswith(("## ", "### "))


def _open_fence(lines: list[str]) -> str:
    """Returns the fence of the block that has no end in the lines. Empty if there is no such block."""
    fence = ""
    for line in lines:
        if not fence and re.fullmatch("`{3,}", line):
            fence = line
        elif line == fence:
            fence = ""
    return fence


def _text_of(message: ChatMessage) -> str:
    return "\n".join(block.text for block in message.blocks if isinstance(block, TextBlock))
