from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool
from vademecum import Client
from vademecum.adapters import check_ids
from vademecum.aio import AsyncClient

from .memory_files import Approval, MemoryFiles


class VademecumMemoryTool(BetaAbstractMemoryTool):
    """The memory tool of Claude (`memory_20250818`) over the blocks of a user.

    The file `/memories/plans/trip.md` is the block with the label `plans/trip.md`. A directory
    exists while it has a file. A command that cannot be done raises a `ToolError` with a text for
    the model.

    Args:
        client: The connection: `vademecum.connect(address)`. The caller closes it.
        user_id: The id of the person whose blocks the files are, 1 to 256 bytes. There is no default.
        agent_id: The id of the agent, 1 to 256 bytes. Proposals name it.
        approval: "required": a write becomes a proposal, which a person approves or rejects, and
            files cannot be deleted or renamed. "none": Claude writes directly. On a server with
            credentials, this needs the role `curator`.
        label_prefix: Only blocks whose labels begin with this text are files, and their paths are
            without it. Default: all blocks of the user.

    Raises:
        ValueError: An id is empty.
    """

    def __init__(
        self,
        client: Client,
        *,
        user_id: str,
        agent_id: str,
        approval: Approval = "required",
        label_prefix: str = "",
    ) -> None:
        super().__init__()
        check_ids(user_id=user_id, agent_id=agent_id)
        memories = client.memories(user_id=user_id, agent_id=agent_id)
        self._files = MemoryFiles(client.blocks(user_id=user_id), memories, approval, label_prefix)

    def view(self, command: Any) -> str:
        return _finish(self._files.view(command))

    def create(self, command: Any) -> str:
        return _finish(self._files.create(command))

    def str_replace(self, command: Any) -> str:
        return _finish(self._files.str_replace(command))

    def insert(self, command: Any) -> str:
        return _finish(self._files.insert(command))

    def delete(self, command: Any) -> str:
        return _finish(self._files.delete(command))

    def rename(self, command: Any) -> str:
        return _finish(self._files.rename(command))

    def clear_all_memory(self) -> str:
        return _finish(self._files.clear())


class AsyncVademecumMemoryTool(BetaAsyncAbstractMemoryTool):
    """`VademecumMemoryTool` for asyncio, with a client of `vademecum.aio.connect(address)`."""

    def __init__(
        self,
        client: AsyncClient,
        *,
        user_id: str,
        agent_id: str,
        approval: Approval = "required",
        label_prefix: str = "",
    ) -> None:
        super().__init__()
        check_ids(user_id=user_id, agent_id=agent_id)
        memories = client.memories(user_id=user_id, agent_id=agent_id)
        self._files = MemoryFiles(client.blocks(user_id=user_id), memories, approval, label_prefix)

    async def view(self, command: Any) -> str:
        return await self._files.view(command)

    async def create(self, command: Any) -> str:
        return await self._files.create(command)

    async def str_replace(self, command: Any) -> str:
        return await self._files.str_replace(command)

    async def insert(self, command: Any) -> str:
        return await self._files.insert(command)

    async def delete(self, command: Any) -> str:
        return await self._files.delete(command)

    async def rename(self, command: Any) -> str:
        return await self._files.rename(command)

    async def clear_all_memory(self) -> str:
        return await self._files.clear()


def _finish(command: Coroutine[Any, Any, str]) -> str:
    """Runs a command that never waits, because its client blocks."""
    try:
        command.send(None)
    except StopIteration as end:
        return str(end.value)
    raise RuntimeError("a command of a blocking client has waited")
