import { Annotation, type LangGraphRunnableConfig, START, StateGraph } from "@langchain/langgraph";
import { expect, it } from "vitest";
import { newStore } from "./new-store.js";

it("a graph remembers across runs", async () => {
  const State = Annotation.Root({ said: Annotation<string>, remembered: Annotation<string[]> });
  const remember = async ({ said }: typeof State.State, { store }: LangGraphRunnableConfig) => {
    const found = (await store?.search(["memories"], { query: said })) ?? [];
    await store?.put(["memories"], said, { text: said });
    return { remembered: found.map(({ value }) => (value as { text: string }).text) };
  };
  const graph = new StateGraph(State)
    .addNode("remember", remember)
    .addEdge(START, "remember")
    .compile({ store: newStore() });
  expect((await graph.invoke({ said: "I like Burgundy" })).remembered).toEqual([]);
  expect((await graph.invoke({ said: "Which Burgundy?" })).remembered).toEqual(["I like Burgundy"]);
});
