from __future__ import annotations

import asyncio
from typing import TypedDict

from langgraph.graph import START, StateGraph
from langgraph.store.base import BaseStore
from vademecum_langgraph import VademecumStore


class State(TypedDict):
    said: str
    remembered: list[str]


def remember(state: State, *, store: BaseStore) -> State:
    found = store.search(("memories",), query=state["said"])
    store.put(("memories",), state["said"], {"text": state["said"]})
    return {"said": state["said"], "remembered": [item.value["text"] for item in found]}


async def remember_async(state: State, *, store: BaseStore) -> State:
    found = await store.asearch(("memories",), query=state["said"])
    await store.aput(("memories",), state["said"], {"text": state["said"]})
    return {"said": state["said"], "remembered": [item.value["text"] for item in found]}


def test_a_graph_remembers_across_runs(store: VademecumStore) -> None:
    builder = StateGraph(State)
    builder.add_node("remember", remember)
    builder.add_edge(START, "remember")
    graph = builder.compile(store=store)
    assert graph.invoke({"said": "I like Burgundy", "remembered": []})["remembered"] == []
    assert graph.invoke({"said": "Which Burgundy?", "remembered": []})["remembered"] == ["I like Burgundy"]


def test_an_asynchronous_graph_remembers_across_runs(store: VademecumStore) -> None:
    builder = StateGraph(State)
    builder.add_node("remember", remember_async)
    builder.add_edge(START, "remember")
    graph = builder.compile(store=store)

    async def run() -> list[str]:
        await graph.ainvoke({"said": "I like Burgundy", "remembered": []})
        return (await graph.ainvoke({"said": "Which Burgundy?", "remembered": []}))["remembered"]

    assert asyncio.run(run()) == ["I like Burgundy"]
