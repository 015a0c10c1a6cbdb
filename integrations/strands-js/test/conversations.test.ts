import { Agent, InvocationTrigger, MemoryManager, type MessageData } from "@strands-agents/sdk";
import { connect } from "vademecum-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { serveTests } from "../../contract/typescript/index.js";
import { type StoreOptions, VademecumMemoryStore } from "../src/index.js";
import { ScriptedModel } from "./scripted-model.js";

const { newScope } = serveTests({ beforeAll, afterAll, connect });

const message = (text: string, role: MessageData["role"] = "user"): MessageData => ({
  role,
  content: [{ text }],
});

async function turnsOf({ client, userId, agentId }: StoreOptions) {
  const { turns } = await client.threads(userId, agentId).getTurns({ threadId: "monday" });
  return turns.map(({ author, content }) => `${author}: ${content}`);
}

it("messages are turns, and a repeated batch is stored once", async () => {
  const options = { ...newScope(), threadId: "monday" };
  const store = new VademecumMemoryStore(options);
  const batch = [message("ok"), message("Noted.", "assistant"), message("ok")];
  for (let times = 0; times < 2; times += 1)
    await store.addMessages(batch, { sequenceNumbers: [0, 1, 3] });
  await store.addMessages([message("ok")], { sequenceNumbers: [4] });
  await store.initialize();
  await store.addMessages([message("of a second agent")], { sequenceNumbers: [0] });
  expect(await turnsOf(options)).toEqual([
    "user: ok",
    "assistant: Noted.",
    "user: ok",
    "user: ok",
    "user: of a second agent",
  ]);
});

it("long messages are divided, and messages without text are left out", async () => {
  const options = { ...newScope(), threadId: "monday" };
  const store = new VademecumMemoryStore(options);
  const text = "Pâté ".repeat(20_000);
  const toolUse = { toolUse: { name: "x", input: {}, toolUseId: "1" } };
  await store.addMessages([
    message(text),
    { role: "assistant", content: [toolUse] },
    { role: "user", content: [{ text: "one" }, { text: "two" }] },
    message(" "),
  ]);
  const turns = await turnsOf(options);
  const pieces = turns.slice(0, -1).map((turn) => turn.slice("user: ".length));
  expect(pieces.join("")).toBe(text);
  expect(turns.at(-1)).toBe("user: one\ntwo");
});

it("the manager stores the messages of an agent", async () => {
  const extraction = { trigger: [new InvocationTrigger()] };
  const options = { ...newScope(), threadId: "monday", extraction };
  const memoryManager = new MemoryManager({ stores: [new VademecumMemoryStore(options)] });
  const agent = new Agent({ model: new ScriptedModel(), memoryManager, printer: false });
  await agent.invoke("I am allergic to hazelnuts");
  await agent.invoke("And I like tea");
  await memoryManager.flush();
  expect(await turnsOf(options)).toEqual([
    "user: I am allergic to hazelnuts",
    "assistant: Noted.",
    "user: And I like tea",
    "assistant: Noted.",
  ]);
});

it("users and agents have stores of their own", async () => {
  const scope = newScope();
  await new VademecumMemoryStore(scope).add("Ada likes tea");
  const scopes = [scope, { ...scope, userId: "other" }, { ...scope, agentId: "other" }];
  const found = await Promise.all(scopes.map((it) => new VademecumMemoryStore(it).search("tea")));
  expect(found.map(({ length }) => length)).toEqual([1, 0, 0]);
});

it("an error of the server reaches the caller", async () => {
  const store = new VademecumMemoryStore(newScope());
  await expect(store.add("x".repeat(70_000))).rejects.toThrow("content");
});

it.each(["userId", "agentId"])("without %s, there is no store", (name) => {
  const options = { ...newScope(), [name]: "" };
  expect(() => new VademecumMemoryStore(options)).toThrow(`${name} is missing`);
});
