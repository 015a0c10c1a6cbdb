import asyncio
import subprocess
import sys
from itertools import product

import pytest
from conftest import OpenProvider
from vademecum.memory_provider import MemoryId, get_memory_provider

DELETE_IN_A_NEW_PROCESS = """
import asyncio
import sys

from vademecum.memory_provider import get_memory_provider


async def main() -> None:
    address, memory_id = sys.argv[1:]
    async with get_memory_provider({"address": address}) as provider:
        print(await provider.delete(memory_id), await provider.delete(memory_id))


asyncio.run(main())
"""

NAMES = ["bob", " bob ", "Bob", "a:b", "a/b", "%61", "\0", "naïve", "nai\u0308ve", "名前", "🦊", "~.-_", "x" * 256]


@pytest.mark.asyncio
async def test_an_id_deletes_its_memory_from_a_new_process(open_provider: OpenProvider, address: str) -> None:
    provider = open_provider()
    memory_id = await provider.add("kept across restarts", user_id="a:b/c", agent_id=" d%3A ")
    command = [sys.executable, "-c", DELETE_IN_A_NEW_PROCESS, address, memory_id]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "True False\n"
    assert await provider.get_all(user_id="a:b/c", agent_id=" d%3A ") == []


@pytest.mark.asyncio
async def test_every_call_returns_the_same_id_for_a_memory(open_provider: OpenProvider) -> None:
    provider = open_provider()
    memory_id = await provider.add("one id", user_id="ada", agent_id="guide")
    assert memory_id.startswith("vademecum:ada:guide:")
    for items in (
        await provider.search("id", user_id="ada", agent_id="guide"),
        await provider.search("", user_id="ada", agent_id="guide"),
        await provider.get_all(user_id="ada", agent_id="guide"),
    ):
        assert [item.id for item in items] == [memory_id]


@pytest.mark.asyncio
async def test_an_id_with_another_namespace_deletes_nothing(open_provider: OpenProvider) -> None:
    provider = open_provider()
    memory_id = MemoryId.parse(await provider.add("ada's", user_id="ada", agent_id="guide"))
    for user_id, agent_id in [("eve", "guide"), ("ada", "spy"), ("guide", "ada")]:
        assert await provider.delete(str(MemoryId(user_id, agent_id, memory_id.id))) is False
    assert len(await provider.get_all(user_id="ada", agent_id="guide")) == 1


@pytest.mark.asyncio
async def test_names_that_differ_by_a_byte_are_different_users(open_provider: OpenProvider) -> None:
    provider = open_provider()
    ids = [await provider.add(f"memory of {name!r}", user_id=name, agent_id=name) for name in NAMES]
    assert len(set(ids)) == len(NAMES)
    for name, memory_id in zip(NAMES, ids, strict=True):
        (item,) = await provider.get_all(user_id=name, agent_id=name)
        assert (item.id, item.user_id, item.agent_id) == (memory_id, name, name)
        assert await provider.delete(memory_id) is True


def test_a_parsed_id_has_the_parts_it_was_made_of() -> None:
    made = [MemoryId(*parts) for parts in product(NAMES, NAMES, ["01a2022f-79dc-743c-b570-f96b5d85abe8", ":"])]
    texts = [str(memory_id) for memory_id in made]
    assert [MemoryId.parse(text) for text in texts] == made
    assert len(set(texts)) == len(made)
    assert all(text.isascii() and text.isprintable() for text in texts)


@pytest.mark.parametrize(
    "memory_id",
    [
        "",
        "mem_0",
        "01a2022f-79dc-743c-b570-f96b5d85abe8",
        "ada:guide:01a2022f-79dc-743c-b570-f96b5d85abe8",
        "vademecum:ada:01a2022f-79dc-743c-b570-f96b5d85abe8",
        "vademecum:ada:guide:",
        "vademecum::guide:m",
        "vademecum:ada:guide:m:n",
        "Vademecum:ada:guide:m",
        " vademecum:ada:guide:m",
        "vademecum:ada:guide:m\n",
        "vademecum:%61da:guide:m",
        "vademecum:a%2fb:guide:m",
        "vademecum:a%FF:guide:m",
        "vademecum:a%:guide:m",
        "vademecum:naïve:guide:m",
        "vademecum:a%ED%A0%80:guide:m",
    ],
)
def test_delete_refuses_an_id_of_another_form(memory_id: str) -> None:
    # Nothing listens on this address: the provider refuses the id before a call.
    provider = get_memory_provider({"address": "127.0.0.1:2"})
    with pytest.raises(ValueError, match=r"^memory_id: .* vademecum:USER:AGENT:ID"):
        asyncio.run(provider.delete(memory_id))
