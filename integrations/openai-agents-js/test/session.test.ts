import {
  Agent,
  type AgentInputItem,
  MemorySession,
  Runner,
  type Session,
  setTracingDisabled,
  tool,
} from "@openai/agents-core";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing";
import { connect } from "vademecum-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { serveTests } from "../../contract/typescript/index.js";
import { VademecumSession } from "../src/index.js";

const { newScope } = serveTests({ beforeAll, afterAll, connect });
const newOptions = () => ({ ...newScope(), sessionId: "chat" });
const newSession = () => new VademecumSession(newOptions());
setTracingDisabled(true);

const user = (content: string): AgentInputItem => ({ role: "user", content });

const items: Record<string, AgentInputItem> = {
  "a message": user("I like tea"),
  "a typed message": {
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: "Hello" }],
  },
  "a message with an image": {
    role: "user",
    content: [
      { type: "input_text", text: "What is this?" },
      { type: "input_image", image: "data:image/png;base64,AAAA" },
    ],
  },
  "a reply": assistantMessage("Noted.") as AgentInputItem,
  "a call": {
    type: "function_call",
    callId: "c",
    name: "add",
    arguments: '{"n":1}',
    status: "completed",
  },
  "a result": {
    type: "function_call_result",
    callId: "c",
    name: "add",
    status: "completed",
    output: { type: "text", text: "4" },
  },
  "a result with bytes": {
    type: "function_call_result",
    callId: "c",
    name: "draw",
    status: "completed",
    output: [{ type: "input_image", image: { data: new Uint8Array([0, 255]) } }],
  } as unknown as AgentInputItem,
  "a thought": { type: "reasoning", id: "rs", content: [], providerData: { encrypted: "gAA==" } },
  "an unknown item": { type: "unknown", providerData: { deep: [1, [2, { x: null }]] } },
  "an empty text": user(""),
  "white space": user(" \n\t "),
  scripts: user("日本語 שלום 👩‍👩‍👧‍👦 e\u0301 \u0000 \u2028"),
  "half a pair": user("broken \ud83d end"),
  "16 KiB": user("x".repeat(16_384)),
  "100 KiB of Japanese": user("日本語".repeat(12_000)),
  "200 KiB of quotes": user('"\\'.repeat(100_000)),
  "300 KiB of white space": user(" ".repeat(300_000)),
  "2 MB": user("image ".repeat(333_333)),
};
const large = items["200 KiB of quotes"] as AgentInputItem;

const kinds: Record<string, () => Session> = {
  "the session of this package": () => newSession(),
  "the memory session of the SDK": () => new MemorySession(),
};

/** The same cases with both sessions. */
const sessions = describe.each(Object.entries(kinds));

sessions("%s keeps items", (_, open) => {
  it.each(Object.entries(items))("returns %s whole", async (_name, item) => {
    const session = open();
    await session.addItems([item]);
    expect(await session.getItems()).toEqual([item]);
  });

  it("is empty at first", async () => {
    const session = open();
    expect(await session.getItems()).toEqual([]);
    expect(await session.getItems(3)).toEqual([]);
    expect(await session.popItem()).toBeUndefined();
    await session.clearSession();
    await session.addItems([]);
    expect(await session.getItems()).toEqual([]);
  });

  it("keeps items in order, and equal items", async () => {
    const session = open();
    const numbers = Array.from({ length: 40 }, (__, index) => user(String(index % 7)));
    await session.addItems(numbers.slice(0, 25));
    await session.addItems(numbers.slice(25));
    expect(await session.getItems()).toEqual(numbers);
  });

  it.each([
    [1, "4"],
    [3, "234"],
    [9, "01234"],
    [0, ""],
    [-1, ""],
  ])("returns the last items with the limit %s", async (limit, expected) => {
    const session = open();
    await session.addItems([..."01234"].map(user));
    expect(await session.getItems(limit)).toEqual([...expected].map(user));
  });

  it("counts items and not their pieces", async () => {
    const session = open();
    const added = [user("small"), large, large, user("last")];
    await session.addItems(added);
    for (const limit of [1, 2, 3, 4])
      expect(await session.getItems(limit)).toEqual(added.slice(-limit));
  });
});

sessions("%s changes", (_, open) => {
  it("pops the last item", async () => {
    const session = open();
    const added = [user("one"), large, user("three")];
    await session.addItems(added);
    for (const left of [2, 1]) {
      expect(await session.popItem()).toEqual(added[left]);
      expect(await session.getItems()).toEqual(added.slice(0, left));
    }
    await session.addItems([user("new")]);
    expect(await session.getItems()).toEqual([user("one"), user("new")]);
  });

  it("returns each item to one of several callers", async () => {
    const session = open();
    await session.addItems([..."012345"].map(user));
    const popped = await Promise.all(Array.from({ length: 8 }, () => session.popItem()));
    const texts = popped.flatMap((item) => (item && "content" in item ? [item.content] : []));
    expect(texts.sort()).toEqual([..."012345"]);
  });

  it("is empty after a clear, and can be used again", async () => {
    const session = open();
    await session.addItems([user("one")]);
    await session.clearSession();
    expect(await session.getItems()).toEqual([]);
    await session.addItems([user("new")]);
    expect(await session.getItems()).toEqual([user("new")]);
  });
});

sessions("%s is used", (_, open) => {
  it("keeps more items than one call takes", async () => {
    const session = open();
    const added = Array.from({ length: 1201 }, (__, index) => user(String(index)));
    await session.addItems(added);
    expect(await session.getItems()).toEqual(added);
    expect(await session.getItems(1100)).toEqual(added.slice(-1100));
  });

  it("lets an agent remember the conversation with its calls of tools", async () => {
    const double = tool({
      name: "double",
      description: "Doubles a number.",
      parameters: z.object({ number: z.number() }),
      execute: ({ number }) => String(2 * number),
    });
    const model = new ScriptedModel([
      [functionCall("double", { number: 2 }, { callId: "call" })],
      [assistantMessage("It is 4.")],
      [assistantMessage("You asked for 2.")],
    ]);
    const agent = new Agent({ name: "guide", model, tools: [double] });
    const session = open();
    const runner = new Runner();
    expect((await runner.run(agent, "Double 2", { session })).finalOutput).toBe("It is 4.");
    await runner.run(agent, "What did I ask for?", { session });
    const input = model.calls[2]?.request.input as AgentInputItem[];
    expect(input.map((item) => item.type ?? ("role" in item && item.role))).toEqual([
      "message",
      "function_call",
      "function_call_result",
      "message",
      "message",
    ]);
    expect(await session.getItems()).toHaveLength(6);
  });
});

it("another session object has the same items, other users and agents have none", async () => {
  const options = newOptions();
  await new VademecumSession(options).addItems([user("mine")]);
  const counts = [options, { ...options, userId: "other" }, { ...options, agentId: "other" }].map(
    async (it) => (await new VademecumSession(it).getItems()).length,
  );
  expect(await Promise.all(counts)).toEqual([1, 0, 0]);
});

it("what was said is found by a search", async () => {
  const options = newOptions();
  await new VademecumSession(options).addItems([user("I am allergic to hazelnuts")]);
  const { client, userId, agentId } = options;
  const { hits } = await client
    .memories(userId, agentId)
    .search({ query: "a nut allergy" })
    .collect();
  expect(hits.map(({ memory }) => memory?.content)).toEqual(["I am allergic to hazelnuts"]);
});

it("turns of other writers are no items, and stay", async () => {
  const options = newOptions();
  const session = new VademecumSession(options);
  const threads = options.client.threads(options.userId, options.agentId);
  await session.addItems([user("item")]);
  await threads.appendTurns({ threadId: "chat", turns: [{ content: "a note of a person" }] });
  expect(await session.getItems(1)).toEqual([user("item")]);
  expect(await session.popItem()).toEqual(user("item"));
  const { turns } = await threads.getTurns({ threadId: "chat" });
  expect(turns.map(({ content }) => content)).toEqual(["a note of a person"]);
});

it.each(["userId", "agentId", "sessionId"])("without %s, there is no session", (name) => {
  expect(() => new VademecumSession({ ...newOptions(), [name]: "" })).toThrow(`${name} is missing`);
});
