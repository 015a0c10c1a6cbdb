from __future__ import annotations

from collections.abc import Awaitable
from inspect import isawaitable
from typing import Any, Literal, TypeVar

from anthropic.lib.tools import ToolError
from vademecum import Blocks, Memories, VademecumError, aio
from vademecum.v1.block_pb2 import Block

from .memory_path import label_of, listing_of
from .text_edits import insert_after, numbered, replace_once

Approval = Literal["required", "none"]

_T = TypeVar("_T")


class MemoryFiles:
    """The commands of the memory tool over the blocks of a user, for both kinds of clients.

    With a blocking client, no command ever waits: its coroutine ends at the first step.
    """

    def __init__(
        self, blocks: Blocks | aio.Blocks, memories: Memories | aio.Memories, approval: Approval, label_prefix: str
    ) -> None:
        self._blocks = blocks
        self._memories = memories
        self._needs_approval = approval != "none"
        self._prefix = label_prefix

    async def view(self, command: Any) -> str:
        path = command.path
        label = label_of(path)
        block = await self._find(label) if label else None
        if block is None:
            prefix = f"{label}/" if label else ""
            sizes = await self._sizes(prefix)
            if label and not sizes:
                raise _missing(path)
            return listing_of(path, prefix, sizes)
        lines = block.body.split("\n")
        start, end = 1, len(lines)
        if command.view_range and len(command.view_range) == 2:
            start = max(1, command.view_range[0])
            end = end if command.view_range[1] == -1 else command.view_range[1]
        return f"Here's the content of {path} with line numbers:\n" + numbered(lines[start - 1 : end], start)

    async def create(self, command: Any) -> str:
        path, body = command.path, command.file_text
        label = _file_label(path, "write")
        exists = ToolError(f"File {path} already exists")
        if self._needs_approval:
            if await self._find(label) is not None:
                raise exists
            return await self._propose(label, new_body=body)
        try:
            await _ready(self._blocks.put(self._prefix + label, body, expected_version=0))
        except VademecumError as error:
            raise exists if error.reason == "VERSION_MISMATCH" else error from error
        return f"File created successfully at: {path}"

    async def str_replace(self, command: Any) -> str:
        block = await self._file_at(command.path)
        body, snippet = replace_once(command.path, block.body, command.old_str, command.new_str)
        if self._needs_approval:
            edit = {"old_string": command.old_str, "new_string": command.new_str}
            return await self._propose(label_of(command.path), **edit)
        await self._put(command.path, block, body)
        return f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}"

    async def insert(self, command: Any) -> str:
        block = await self._file_at(command.path)
        body = insert_after(block.body, command.insert_line, command.insert_text)
        if self._needs_approval:
            return await self._propose(label_of(command.path), new_body=body)
        await self._put(command.path, block, body)
        return f"The file {command.path} has been edited."

    async def delete(self, command: Any) -> str:
        label = _file_label(command.path, "delete")
        self._refuse_with_approval("delete")
        if not (await _ready(self._blocks.delete(self._prefix + label))).deleted:
            directory = await _ready(self._blocks.delete_many(f"{self._prefix}{label}/"))
            if directory.deleted == 0:
                raise ToolError(f"The path {command.path} does not exist")
        return f"Successfully deleted {command.path}"

    async def rename(self, command: Any) -> str:
        old, new = _file_label(command.old_path, "rename"), _file_label(command.new_path, "rename")
        self._refuse_with_approval("rename")
        if await self._find(new) is not None or await self._sizes(f"{new}/"):
            raise ToolError(f"The destination {command.new_path} already exists")
        labels = [old] if await self._find(old) is not None else list(await self._sizes(f"{old}/"))
        if not labels:
            raise ToolError(f"The path {command.old_path} does not exist")
        for label in labels:
            await _ready(self._blocks.rename(self._prefix + label, self._prefix + new + label[len(old) :]))
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    async def clear(self) -> str:
        self._refuse_with_approval("clear_all_memory")
        for label in await self._sizes(""):
            await _ready(self._blocks.delete(self._prefix + label))
        return "All memory cleared"

    async def _sizes(self, prefix: str) -> dict[str, int]:
        """Returns the sizes in bytes of all files whose labels begin with a prefix, by their labels."""
        sizes: dict[str, int] = {}
        page_token = ""
        while True:
            page = await _ready(self._blocks.list(self._prefix + prefix, page_token=page_token))
            sizes |= {block.label[len(self._prefix) :]: len(block.body.encode()) for block in page.blocks}
            page_token = page.next_page_token
            if not page_token:
                return sizes

    async def _find(self, label: str) -> Block | None:
        try:
            return (await _ready(self._blocks.get(self._prefix + label))).block
        except VademecumError as error:
            if error.reason == "BLOCK_NOT_FOUND":
                return None
            raise

    async def _file_at(self, path: str) -> Block:
        label = label_of(path)
        block = await self._find(label) if label else None
        if block is None:
            is_directory = not label or await self._sizes(f"{label}/")
            raise ToolError(f"The path {path} is not a file.") if is_directory else _missing(path)
        return block

    async def _put(self, path: str, block: Block, body: str) -> None:
        try:
            await _ready(self._blocks.put(block.label, body, expected_version=block.version))
        except VademecumError as error:
            if error.reason != "VERSION_MISMATCH":
                raise
            raise ToolError(f"No change was made: {path} has changed meanwhile. View it again.") from error

    async def _propose(self, label: str, **edit: str) -> str:
        reasoning = "The model used its memory tool."
        propose: Any = self._memories.propose_edit
        reply = await _ready(propose(block_label=self._prefix + label, reasoning=reasoning, **edit))
        return f"{reply.message}\n\nUntil then, the file stays as it is."

    def _refuse_with_approval(self, command: str) -> None:
        if self._needs_approval:
            raise ToolError(f"Files cannot be changed by {command} here. Ask the user to do it.")


async def _ready(reply: _T | Awaitable[_T]) -> _T:
    """Returns the reply of a blocking client, or waits for that of an asynchronous one."""
    if isawaitable(reply):
        return await reply
    return reply


def _file_label(path: str, action: str) -> str:
    label = label_of(path)
    if not label:
        raise ToolError(f"Cannot {action} the /memories directory itself")
    return label


def _missing(path: str) -> ToolError:
    return ToolError(f"The path {path} does not exist. Please provide a valid path.")
