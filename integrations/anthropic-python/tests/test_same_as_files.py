"""The same commands for the tools of this package and for the file tool of the SDK. Compares the texts for the model."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaAsyncLocalFilesystemMemoryTool, BetaLocalFilesystemMemoryTool
from vademecum import Client
from vademecum.aio import connect
from vademecum_anthropic import AsyncVademecumMemoryTool, VademecumMemoryTool
from vademecum_contract import Server

PATH, TEXT = "/memories/notes.md", "one\ntwo\nthree\ntwo and a half\n"
CREATE = {"command": "create", "path": PATH, "file_text": TEXT}
VIEW = {"command": "view", "path": PATH}
ROOT = {"command": "view", "path": "/memories"}
NAMES = ["a/b/c.md", "a/b/d/e.md", "a/z.md", "a.md", ".hidden", "node_modules/x", "ünï 🌰.md"]
FILES = [{**CREATE, "path": f"/memories/{name}"} for name in NAMES]


def replace(old: str, new: str) -> list[dict[str, Any]]:
    return [CREATE, {"command": "str_replace", "path": PATH, "old_str": old, "new_str": new}, VIEW]


def insert(line: int, text: str = "zero\n", into: str = TEXT) -> list[dict[str, Any]]:
    command = {"command": "insert", "path": PATH, "insert_line": line, "insert_text": text}
    return [{**CREATE, "file_text": into}, command, VIEW]


def rename(old: str, new: str) -> dict[str, Any]:
    return {"command": "rename", "old_path": f"/memories/{old}", "new_path": f"/memories/{new}"}


def delete(name: str) -> dict[str, Any]:
    return {"command": "delete", "path": f"/memories/{name}"}


CASES: dict[str, Sequence[dict[str, Any]]] = {
    "an empty root is listed": [ROOT],
    "files are listed two levels deep without hidden ones": [*FILES, ROOT],
    "a directory is listed": [*FILES, {"command": "view", "path": "/memories/a"}],
    "a file is shown with line numbers": [CREATE, VIEW],
    "an empty file is shown": [{**CREATE, "file_text": ""}, VIEW],
    "some lines are shown": [CREATE, {**VIEW, "view_range": [2, 3]}],
    "the lines to the end are shown": [CREATE, {**VIEW, "view_range": [3, -1]}],
    "more lines than there are are shown as far as they go": [CREATE, {**VIEW, "view_range": [0, 99]}],
    "a missing file cannot be shown": [VIEW],
    "a path outside cannot be shown": [{"command": "view", "path": "/etc/passwd"}],
    "a path that leaves the root is refused": [{"command": "view", "path": "/memories/../../etc/passwd"}],
    "a file cannot be created twice": [CREATE, {**CREATE, "file_text": "other"}, VIEW],
    "a text is replaced": replace("three", "3\n3"),
    "a text with special signs is replaced literally": replace("three", "\\1 $& \\n"),
    "a text is removed": replace("one", ""),
    "a missing text is not replaced": replace("four", "4"),
    "a text that occurs twice is not replaced": replace("two", "2"),
    "a text in a missing file is not replaced": replace("one", "1")[1:],
    "a text in a directory is not replaced": [*FILES, {**replace("one", "1")[1], "path": "/memories/a"}],
    "a text is inserted at the beginning": insert(0),
    "a text is inserted in the middle": insert(2),
    "two lines are inserted at the end": insert(4, "five\nsix"),
    "a text is inserted into an empty file": insert(0, into=""),
    "a text is inserted into a file without a last line break": insert(1, into="one"),
    "a text is not inserted after the end": insert(5),
    "a text is not inserted before the beginning": insert(-1),
    "a text is not inserted into a missing file": insert(0)[1:],
    "a file is deleted": [CREATE, delete("notes.md"), VIEW, delete("notes.md")],
    "a directory is deleted": [*FILES, delete("a"), ROOT],
    "the root is not deleted": [CREATE, {"command": "delete", "path": "/memories"}, ROOT],
    "a deleted file can be created again": [CREATE, delete("notes.md"), {**CREATE, "file_text": "new"}, VIEW],
    "a file is renamed": [CREATE, rename("notes.md", "x/y.md"), VIEW, {**VIEW, "path": "/memories/x/y.md"}],
    "a directory is renamed": [*FILES, rename("a", "q"), ROOT],
    "a missing file is not renamed": [rename("no.md", "x.md")],
    "a file is not renamed to another": [*FILES, rename("a.md", "a/z.md"), rename("a.md", "a"), ROOT],
}


def without_directory_sizes(answer: str) -> str:
    """Leaves out the sizes of directories, which say nothing about their files in a file system."""
    return re.sub(r"(?m)(?<=excluding hidden items:\n)\S+\t|^\S+\t(?=.*/$)", "", answer)


def answers_of(tool: Any, commands: Sequence[dict[str, Any]]) -> list[str]:
    answers = []
    for command in commands:
        try:
            answers.append(str(tool.call(command)))
        except ToolError as error:
            answers.append(f"error: {error}")
    return [without_directory_sizes(answer) for answer in answers]


async def async_answers_of(tool: Any, commands: Sequence[dict[str, Any]]) -> list[str]:
    answers = []
    for command in commands:
        try:
            answers.append(str(await tool.call(command)))
        except ToolError as error:
            answers.append(f"error: {error}")
    return [without_directory_sizes(answer) for answer in answers]


@pytest.mark.parametrize("name", CASES)
def test_the_tool_answers_as_the_file_tool(name: str, client: Client, user_id: str, tmp_path: Path) -> None:
    tool = VademecumMemoryTool(client, user_id=user_id, agent_id="claude", approval="none")
    expected = answers_of(BetaLocalFilesystemMemoryTool(str(tmp_path)), CASES[name])
    assert answers_of(tool, CASES[name]) == expected


@pytest.mark.parametrize("name", CASES)
def test_the_asynchronous_tool_answers_as_the_file_tool(
    name: str, server: Server, user_id: str, tmp_path: Path
) -> None:
    async def run() -> tuple[list[str], list[str]]:
        async with connect(server.address) as client:
            tool = AsyncVademecumMemoryTool(client, user_id=user_id, agent_id="claude", approval="none")
            files = BetaAsyncLocalFilesystemMemoryTool(str(tmp_path))
            return await async_answers_of(tool, CASES[name]), await async_answers_of(files, CASES[name])

    answers, expected = asyncio.run(run())
    assert answers == expected


@pytest.mark.parametrize("tool_of", [lambda client, user_id, path: BetaLocalFilesystemMemoryTool(path),
                                     lambda client, user_id, path: VademecumMemoryTool(client, user_id=user_id, agent_id="c", approval="none")])
def test_all_memory_is_cleared(tool_of: Callable[..., Any], client: Client, user_id: str, tmp_path: Path) -> None:
    tool = tool_of(client, user_id, str(tmp_path))
    for command in FILES:
        tool.call(command)
    assert tool.clear_all_memory() == "All memory cleared"
    assert len(answers_of(tool, [ROOT])[0].splitlines()) == 2
