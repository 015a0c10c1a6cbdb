"""The same cases with a session of this package and with the SQLite session of the SDK."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from agents import Agent, Runner, SessionSettings, SQLiteSession, function_tool
from agents.memory import Session
from scripted_model import ScriptedModel, calls, says
from vademecum.aio import connect
from vademecum_contract import Server
from vademecum_openai_agents import VademecumSession

Open = Callable[..., Session]
Run = Callable[[Callable[[Open], Awaitable[None]]], None]


@pytest.fixture(params=["vademecum", "sqlite"])
def run(request: pytest.FixtureRequest, server: Server, user_id: str, tmp_path: Any) -> Run:
    """Runs a case with a function that opens sessions."""

    async def with_vademecum(case: Callable[[Open], Awaitable[None]]) -> None:
        async with connect(server.address) as client:
            await case(lambda name="chat", **options: VademecumSession(
                name, client=client, user_id=user_id, agent_id="guide", **options
            ))

    async def with_sqlite(case: Callable[[Open], Awaitable[None]]) -> None:
        await case(lambda name="chat", **options: SQLiteSession(name, tmp_path / "sessions.db", **options))

    chosen = with_vademecum if request.param == "vademecum" else with_sqlite
    return lambda case: asyncio.run(chosen(case))


def message(text: str, role: str = "user") -> Any:
    return {"role": role, "content": text}


ITEMS: dict[str, Any] = {
    "message": message("I like tea"),
    "typed message": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello"}]},
    "two texts and an image": {
        "role": "user",
        "content": [
            {"type": "input_text", "text": "What is this?"},
            {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "auto"},
            {"type": "input_text", "text": "And why?"},
        ],
    },
    "reply": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": "Noted.", "annotations": [], "logprobs": []}],
    },
    "call": {"type": "function_call", "call_id": "c", "name": "add", "arguments": '{"n": 1e3}', "id": "fc"},
    "result": {"type": "function_call_output", "call_id": "c", "output": "4"},
    "result in parts": {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "4"}]},
    "reasoning": {"id": "rs", "type": "reasoning", "summary": [], "encrypted_content": "gAAAA=="},
    "reference": {"type": "item_reference", "id": "msg_1"},
    "unknown": {"type": "of_next_year", "deep": {"list": [1, [2, {"x": None}]]}},
    "empty text": message(""),
    "white space": message(" \n\t "),
    "numbers": {"type": "n", "big": 2**63, "precise": 0.1, "negative": -0.0, "whole": 1.0, "exponent": 1e300},
    "booleans": {"type": "b", "yes": True, "no": False, "none": None},
    "scripts": message("日本語 שלום 👩‍👩‍👧‍👦 é e\u0301 \u0000 \u2028"),
    "half a pair": message("broken \ud83d end"),
    "markup": message("\"quotes\" \\ </script> [1/2] {'a': 1}"),
    "16 KiB": message("x" * 16_384),
    "100 KiB of Japanese": message("日本語" * 12_000),
    "200 KiB of quotes": message('"\\' * 100_000),
    "300 KiB of white space": message(" " * 300_000),
    "2 MB": message("image " * 333_333),
}


@pytest.mark.parametrize("name", ITEMS)
def test_an_item_comes_back_whole(run: Run, name: str) -> None:
    async def case(open_session: Open) -> None:
        session = open_session()
        await session.add_items([ITEMS[name]])
        (item,) = await session.get_items()
        assert json.dumps(item) == json.dumps(ITEMS[name])

    run(case)


def test_a_new_session_is_empty(run: Run) -> None:
    async def case(open_session: Open) -> None:
        assert await open_session().get_items() == []
        assert await open_session().get_items(limit=3) == []
        assert await open_session().pop_item() is None
        await open_session().clear_session()
        await open_session().add_items([])
        assert await open_session().get_items() == []

    run(case)


def test_items_stay_in_order_within_and_between_calls(run: Run) -> None:
    async def case(open_session: Open) -> None:
        session = open_session()
        items = [message(str(number)) for number in range(60)]
        for start in range(0, 60, 20):
            await session.add_items(items[start : start + 20])
        assert await session.get_items() == items

    run(case)


def test_equal_items_are_all_kept(run: Run) -> None:
    async def case(open_session: Open) -> None:
        session = open_session()
        await session.add_items([message("again")] * 3)
        await session.add_items([message("again")])
        assert await session.get_items() == [message("again")] * 4

    run(case)


@pytest.mark.parametrize(("limit", "expected"), [(1, "4"), (2, "34"), (5, "01234"), (9, "01234"), (0, ""), (-1, "01234")])
def test_a_limit_returns_the_last_items_in_order(run: Run, limit: int, expected: str) -> None:
    async def case(open_session: Open) -> None:
        session = open_session()
        await session.add_items([message(str(number)) for number in range(5)])
        assert [item["content"] for item in await session.get_items(limit)] == list(expected)

    run(case)


def test_a_limit_counts_items_and_not_their_pieces(run: Run) -> None:
    async def case(open_session: Open) -> None:
        session = open_session()
        items = [message("small"), ITEMS["100 KiB of Japanese"], ITEMS["200 KiB of quotes"], message("last")]
        for item in items:
            await session.add_items([item])
        for limit in range(1, 5):
            assert await session.get_items(limit) == items[-limit:]

    run(case)


def test_the_settings_of_a_session_give_a_default_limit(run: Run) -> None:
    async def case(open_session: Open) -> None:
        for settings in (SessionSettings(limit=2), {"limit": 2}):
            session = open_session(session_settings=settings)
            await session.clear_session()
            await session.add_items([message(str(number)) for number in range(5)])
            assert [item["content"] for item in await session.get_items()] == ["3", "4"]
            assert len(await session.get_items(limit=4)) == 4

    run(case)


def test_pop_returns_and_removes_the_last_item(run: Run) -> None:
    async def case(open_session: Open) -> None:
        session = open_session()
        items = [message("one"), ITEMS["200 KiB of quotes"], message("three")]
        await session.add_items(items)
        for left in (2, 1, 0):
            assert await session.pop_item() == items[left]
            assert await session.get_items() == items[:left]
        assert await session.pop_item() is None

    run(case)


def test_an_item_added_after_a_pop_is_the_last(run: Run) -> None:
    async def case(open_session: Open) -> None:
        session = open_session()
        await session.add_items([message("one"), ITEMS["200 KiB of quotes"]])
        await session.pop_item()
        await session.add_items([message("two")])
        assert await session.get_items() == [message("one"), message("two")]
        assert await session.pop_item() == message("two")

    run(case)


def test_concurrent_pops_return_each_item_once(run: Run) -> None:
    async def case(open_session: Open) -> None:
        session = open_session()
        await session.add_items([message(str(number)) for number in range(6)])
        popped = await asyncio.gather(*(session.pop_item() for _ in range(8)))
        assert sorted(item["content"] for item in popped if item is not None) == list("012345")
        assert await session.get_items() == []

    run(case)


def test_concurrent_writers_do_not_mix_their_items(run: Run) -> None:
    async def case(open_session: Open) -> None:
        session = open_session()
        await asyncio.gather(*(session.add_items([message(f"{writer}")] * 10) for writer in range(5)))
        texts = [item["content"] for item in await session.get_items()]
        assert len(texts) == 50
        assert [texts[start : start + 10] for start in range(0, 50, 10)] == [
            [texts[start]] * 10 for start in range(0, 50, 10)
        ]

    run(case)


def test_clear_empties_only_its_own_session(run: Run) -> None:
    async def case(open_session: Open) -> None:
        first, second = open_session("first"), open_session("second")
        await first.add_items([message("one")])
        await second.add_items([message("two")])
        await first.clear_session()
        assert await first.get_items() == []
        assert await second.get_items() == [message("two")]
        await first.add_items([message("new")])
        assert await first.get_items() == [message("new")]

    run(case)


def test_another_session_object_has_the_same_items(run: Run) -> None:
    async def case(open_session: Open) -> None:
        await open_session("shared").add_items([message("one")])
        assert await open_session("shared").get_items() == [message("one")]

    run(case)


def test_more_items_than_one_call_takes_are_stored_and_read(run: Run) -> None:
    async def case(open_session: Open) -> None:
        session = open_session()
        items = [message(str(number)) for number in range(1201)]
        await session.add_items(items)
        assert await session.get_items() == items
        assert await session.get_items(1100) == items[-1100:]

    run(case)


def test_an_agent_remembers_the_conversation_with_its_calls_of_tools(run: Run) -> None:
    @function_tool
    def double(number: int) -> int:
        return 2 * number

    async def case(open_session: Open) -> None:
        model = ScriptedModel(calls("double", '{"number": 2}'), says("It is 4."), says("You asked for 2."))
        agent = Agent(name="guide", model=model, tools=[double])
        session = open_session()
        assert (await Runner.run(agent, "Double 2", session=session)).final_output == "It is 4."
        await Runner.run(agent, "What did I ask for?", session=session)
        kinds = [item.get("type", item.get("role")) for item in model.inputs[2]]
        assert kinds == ["user", "function_call", "function_call_output", "message", "user"]
        assert len(await session.get_items()) == 6

    run(case)


def test_the_last_question_can_be_taken_back_and_asked_again(run: Run) -> None:
    async def case(open_session: Open) -> None:
        model = ScriptedModel(says("Paris"), says("Rome"))
        agent, session = Agent(name="guide", model=model), open_session()
        await Runner.run(agent, "Capital of France?", session=session)
        await session.pop_item()
        await session.pop_item()
        await Runner.run(agent, "Capital of Italy?", session=session)
        assert [item.get("content") for item in model.inputs[1]] == ["Capital of Italy?"]

    run(case)
