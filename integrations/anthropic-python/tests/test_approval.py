from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from anthropic import Anthropic, AsyncAnthropic
from anthropic.lib.tools import ToolError
from vademecum import Client, VademecumError, connect
from vademecum.aio import connect as connect_async
from vademecum_anthropic import AsyncVademecumMemoryTool, VademecumMemoryTool
from vademecum_contract import Contract, Server, Subject, run_readme

PATH = "/memories/profile.md"


class ToolSubject(Subject):
    def __init__(self, tool: VademecumMemoryTool, client: Client, user_id: str) -> None:
        self._tool = tool
        self._blocks = client.blocks(user_id=user_id)
        self._paths: dict[str, str] = {}

    async def write(self, text: str) -> None:
        path = self._paths.setdefault(text, f"/memories/{len(self._paths)}.md")
        self._tool.call({"command": "create", "path": path, "file_text": text})

    async def read(self) -> Sequence[str]:
        return [block.body for block in self._blocks.list().blocks]

    async def remove(self, text: str) -> None:
        self._tool.call({"command": "delete", "path": self._paths[text]})


class TestContract(Contract):
    is_ordered = False
    roles = ("curator",)

    @asynccontextmanager
    async def open(self, address: str, user_id: str) -> AsyncIterator[Subject]:
        with connect(address) as client:
            tool = VademecumMemoryTool(client, user_id=user_id, agent_id="claude", approval="none")
            yield ToolSubject(tool, client, user_id)


def shown(tool: VademecumMemoryTool) -> list[str]:
    view = str(tool.call({"command": "view", "path": PATH}))
    return [line.partition("\t")[2] for line in view.splitlines()[1:]]


def test_by_default_each_write_waits_until_a_person_approves_it(client: Client, user_id: str) -> None:
    tool = VademecumMemoryTool(client, user_id=user_id, agent_id="claude")
    proposals = client.proposals(user_id=user_id)
    writes: list[dict[str, Any]] = [
        {"command": "create", "path": PATH, "file_text": "Ada lives in Lyon."},
        {"command": "str_replace", "path": PATH, "old_str": "Lyon", "new_str": "Dijon"},
        {"command": "insert", "path": PATH, "insert_line": 1, "insert_text": "She likes tea."},
    ]
    states = []
    for write in writes:
        before = states[-1] if states else None
        assert str(tool.call(write)).startswith("Edit proposal created for block 'profile.md'.")
        if before is not None:
            assert shown(tool) == before
        (proposal,) = proposals.list(status="pending").proposals
        assert proposal.namespace.agent_id == "claude"
        proposals.approve(proposal.id)
        states.append(shown(tool))
    assert states == [["Ada lives in Lyon."], ["Ada lives in Dijon."], ["Ada lives in Dijon.", "She likes tea.", ""]]


def test_with_approval_mistakes_reach_the_model_and_files_are_neither_deleted_nor_renamed(
    client: Client, user_id: str
) -> None:
    client.blocks(user_id=user_id).put("profile.md", "Ada")
    tool = VademecumMemoryTool(client, user_id=user_id, agent_id="claude")
    refused = {
        "already exists": {"command": "create", "path": PATH, "file_text": "x"},
        "did not appear verbatim": {"command": "str_replace", "path": PATH, "old_str": "Bea", "new_str": "x"},
        "Ask the user": {"command": "delete", "path": PATH},
        "Ask the user to": {"command": "rename", "old_path": PATH, "new_path": "/memories/x"},
    }
    for message, command in refused.items():
        with pytest.raises(ToolError, match=message):
            tool.call(command)
    with pytest.raises(ToolError, match="Ask the user"):
        tool.clear_all_memory()
    assert list(client.proposals(user_id=user_id).list().proposals) == []


def test_a_rename_keeps_the_versions_of_a_file(client: Client, user_id: str) -> None:
    tool = VademecumMemoryTool(client, user_id=user_id, agent_id="claude", approval="none")
    tool.call({"command": "create", "path": PATH, "file_text": "one"})
    tool.call({"command": "str_replace", "path": PATH, "old_str": "one", "new_str": "two"})
    tool.call({"command": "rename", "old_path": PATH, "new_path": "/memories/new.md"})
    versions = client.blocks(user_id=user_id).list_versions("new.md").versions
    assert [version.body for version in versions] == ["two", "one"]


def test_with_a_prefix_other_blocks_are_no_files_and_stay(client: Client, user_id: str) -> None:
    blocks = client.blocks(user_id=user_id)
    blocks.put("profile.md", "Ada")
    tool = VademecumMemoryTool(client, user_id=user_id, agent_id="claude", approval="none", label_prefix="claude/")
    with pytest.raises(ToolError, match="does not exist"):
        tool.call({"command": "view", "path": PATH})
    for name in ("a/b", "a/c", "d"):
        tool.call({"command": "create", "path": f"/memories/{name}", "file_text": "x"})
    tool.call({"command": "delete", "path": "/memories/a"})
    tool.clear_all_memory()
    assert [block.label for block in blocks.list().blocks] == ["profile.md"]


def test_a_refusal_of_the_server_is_no_answer_of_a_command(user_id: str) -> None:
    with connect("127.0.0.1:1", timeout=1) as client:
        tool = VademecumMemoryTool(client, user_id=user_id, agent_id="claude")
        with pytest.raises(VademecumError):
            tool.call({"command": "view", "path": PATH})


@pytest.mark.parametrize("kind", [VademecumMemoryTool, AsyncVademecumMemoryTool])
@pytest.mark.parametrize("name", ["user_id", "agent_id"])
def test_without_an_id_there_is_no_tool(kind: Callable[..., Any], name: str, client: Client) -> None:
    with pytest.raises(ValueError, match=f"{name} is missing"):
        kind(client, **{"user_id": "ada", "agent_id": "claude", name: ""})


class ScriptedClaude:
    """Answers the calls of the SDK as Claude does: with one command after another, then with a text."""

    def __init__(self) -> None:
        self.requests: list[Any] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(json.loads(request.content))
        commands = [
            {"command": "create", "path": "/memories/tea.md", "file_text": "Ada likes tea"},
            {"command": "view", "path": "/memories/tea.md"},
            {"command": "view", "path": "/memories/coffee.md"},
        ]
        step = len(self.requests) - 1
        is_last = step == len(commands)
        tool_use = {"type": "tool_use", "id": f"toolu_{step}", "name": "memory", "input": {} if is_last else commands[step]}
        return httpx2.Response(
            200,
            json={
                "id": f"msg_{step}",
                "type": "message",
                "role": "assistant",
                "model": "claude",
                "content": [{"type": "text", "text": "Done"} if is_last else tool_use],
                "stop_reason": "end_turn" if is_last else "tool_use",
                "stop_sequence": None,
                "usage": {"input_tokens": 1, "output_tokens": 1},
            },
        )

    def check(self) -> None:
        assert [tool["type"] for tool in self.requests[0]["tools"]] == ["memory_20250818"]
        results = json.dumps(self.requests)
        assert "File created successfully at: /memories/tea.md" in results
        assert "1\\tAda likes tea" in results
        assert "The path /memories/coffee.md does not exist" in results


ASK: dict[str, Any] = {"model": "claude", "max_tokens": 100, "messages": [{"role": "user", "content": "Go on"}]}


def test_the_tool_runner_of_the_sdk_executes_the_commands_of_claude(client: Client, user_id: str) -> None:
    claude = ScriptedClaude()
    http_client = httpx2.Client(transport=httpx2.MockTransport(claude))
    anthropic = Anthropic(api_key="none", http_client=http_client, max_retries=0)
    tool = VademecumMemoryTool(client, user_id=user_id, agent_id="claude", approval="none")
    message = anthropic.beta.messages.tool_runner(**ASK, tools=[tool]).until_done()
    assert message.content[0].to_dict()["text"] == "Done"
    claude.check()


def test_the_asynchronous_tool_runner_executes_the_commands_of_claude(server: Server, user_id: str) -> None:
    claude = ScriptedClaude()

    async def run() -> None:
        http_client = httpx2.AsyncClient(transport=httpx2.MockTransport(claude))
        anthropic = AsyncAnthropic(api_key="none", http_client=http_client, max_retries=0)
        async with connect_async(server.address) as client:
            tool = AsyncVademecumMemoryTool(client, user_id=user_id, agent_id="claude", approval="none")
            await anthropic.beta.messages.tool_runner(**ASK, tools=[tool]).until_done()

    asyncio.run(run())
    claude.check()


def test_the_program_of_the_readme_prints_what_the_readme_shows(server: Server) -> None:
    run = run_readme(Path(__file__).parents[1] / "README.md", server.address)
    assert run.errors == ""
    assert run.printed == run.shown
