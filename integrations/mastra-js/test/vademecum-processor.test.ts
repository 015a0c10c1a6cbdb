import { Agent } from "@mastra/core/agent";
import { MockLanguageModelV4 } from "ai/test";
import { connect } from "vademecum-client";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Contract, serveTests } from "../../contract/typescript/index.js";
import { type ProcessorOptions, VademecumProcessor } from "../src/index.js";

const { newScope } = serveTests({ beforeAll, afterAll, connect });

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Returns a model that gives the same reply each time. */
const scriptedModel = (text = "Noted.") =>
  new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: "text", text }],
      finishReason: { unified: "stop", raw: "stop" },
      usage,
      warnings: [],
    },
    doStream: () =>
      Promise.resolve({
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: "stream-start", warnings: [] });
            controller.enqueue({ type: "text-start", id: "1" });
            for (const delta of text.split(/(?= )/))
              controller.enqueue({ type: "text-delta", id: "1", delta });
            controller.enqueue({ type: "text-end", id: "1" });
            const finishReason = { unified: "stop", raw: "stop" } as const;
            controller.enqueue({ type: "finish", finishReason, usage });
            controller.close();
          },
        }),
      }),
  });

function agentOf(options: ProcessorOptions, model = scriptedModel()) {
  const processor = new VademecumProcessor(options);
  return new Agent({
    id: "guide",
    name: "guide",
    instructions: "Help.",
    // The types of Mastra know the models of earlier versions of the AI SDK.
    model: model as never,
    inputProcessors: [processor],
    outputProcessors: [processor],
  });
}

async function turnsOf({ client, userId, agentId, threadId }: ProcessorOptions) {
  const { turns } = await client.threads(userId, agentId).getTurns({ threadId });
  return turns.map(({ author, content }) => `${author}: ${content}`);
}

const promptOf = (model: MockLanguageModelV4, call: number) =>
  JSON.stringify([...model.doGenerateCalls, ...model.doStreamCalls][call]?.prompt);

it.each(["generate", "stream"] as const)("%s remembers earlier conversations", async (call) => {
  const [scope, model] = [newScope(), scriptedModel()];
  const run = async (threadId: string, text: string) => {
    const agent = agentOf({ ...scope, threadId }, model);
    if (call === "generate") return (await agent.generate(text)).text;
    return (await agent.stream(text)).text;
  };
  expect(await run("monday", "I am allergic to hazelnuts")).toBe("Noted.");
  await run("tuesday", "Are hazelnuts fine?");
  expect(promptOf(model, 0)).not.toContain("Notes about");
  expect(promptOf(model, 1)).toContain("user: I am allergic to hazelnuts");
  expect(await turnsOf({ ...scope, threadId: "monday" })).toEqual([
    "user: I am allergic to hazelnuts",
    "assistant: Noted.",
  ]);
});

it("a conversation is not recalled in itself, and the notes are not stored", async () => {
  const [options, model] = [{ ...newScope(), threadId: "monday" }, scriptedModel()];
  await options.client.blocks(options.userId).put({ label: "profile", body: "Ada lives in Lyon." });
  const agent = agentOf(options, model);
  await agent.generate("I am allergic to hazelnuts");
  await agent.generate("Are hazelnuts fine?");
  expect(promptOf(model, 1)).toContain("Ada lives in Lyon.");
  expect(promptOf(model, 1)).not.toContain("allergic");
  expect((await turnsOf(options)).join()).not.toContain("Lyon");
});

it("a message with an id is stored once in repeated runs, and again when it was edited", async () => {
  const options = { ...newScope(), threadId: "monday" };
  const message = {
    id: "m1",
    role: "user" as const,
    parts: [{ type: "text" as const, text: "Hi" }],
  };
  const edited = { ...message, parts: [{ type: "text" as const, text: "Hello" }] };
  for (const sent of [message, message, edited]) await agentOf(options).generate([sent] as never);
  expect(await turnsOf(options)).toEqual([
    "user: Hi",
    "assistant: Noted.",
    "assistant: Noted.",
    "user: Hello",
    "assistant: Noted.",
  ]);
});

it("users and agents have memories of their own", async () => {
  const scope = newScope();
  await agentOf({ ...scope, threadId: "a" }).generate("I am allergic to hazelnuts");
  for (const other of [{ userId: "other" }, { agentId: "other" }]) {
    const model = scriptedModel();
    await agentOf({ ...scope, ...other, threadId: "b" }, model).generate("Are hazelnuts fine?");
    expect(promptOf(model, 0)).not.toContain("allergic");
  }
});

it("a failing memory fails the run, unless the program says otherwise", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  const client = connect("127.0.0.1:1", { timeoutMs: 1000 });
  const options = { ...newScope(), client, threadId: "monday" };
  await expect(agentOf(options).generate("Hi")).rejects.toThrow();
  const reply = await agentOf({ ...options, onError: "continue" }).generate("Hi");
  expect(reply.text).toBe("Noted.");
  expect(warn.mock.calls.filter(([text]) => String(text).includes("without memory"))).toHaveLength(
    1,
  );
  client.close();
});

it.each(["userId", "agentId", "threadId"])("without %s, there is no processor", (name) => {
  const options = { ...newScope(), threadId: "monday", [name]: "" };
  expect(() => new VademecumProcessor(options)).toThrow(`${name} is missing`);
});

const contract = new Contract({
  connect,
  cannot: ["remove", "readSome"],
  open(client, userId) {
    const options = { client, userId, agentId: "guide", threadId: "today" };
    const agent = agentOf(options);
    const read = async () =>
      (await turnsOf(options)).flatMap((turn) =>
        turn.startsWith("user: ") ? [turn.slice(6)] : [],
      );
    return { write: (text) => agent.generate(text), read };
  },
});
beforeAll(contract.start);
afterAll(contract.stop);

it.each(Object.entries(contract.cases))("%s", (_, run) => run());
