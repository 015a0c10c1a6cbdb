import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { MemoryType } from "vademecum-client/v1/memory_pb.js";
import { expect, it } from "vitest";
import { withVademecum } from "../src/index.js";
import { call, promptOf, result, scriptedModel } from "./scripted-model.js";
import { memoriesOf, newConversation, storedIn, textsIn, useServer } from "./use-server.js";

useServer();

it("a message and its reply are stored as turns of the conversation", async () => {
  const conversation = newConversation("chat-7");
  const authors = { user: "Ada", assistant: "Guide" };
  await generateText({
    model: withVademecum(scriptedModel("Salut Ada 👋🏽"), conversation, { authors }),
    prompt: "Je m'appelle Ada",
  });
  const common = { memoryType: MemoryType.CONVERSATION, threadId: "chat-7" };
  expect(await storedIn(conversation)).toMatchObject([
    { ...common, content: "Je m'appelle Ada", author: "Ada", metadata: { role: "user" } },
    {
      ...common,
      content: "Salut Ada 👋🏽",
      author: "Guide",
      metadata: { role: "assistant", modelId: "mock-model-id", finishReason: "stop" },
    },
  ]);
});

it("without names, the authors of the turns are the roles", async () => {
  const conversation = newConversation();
  await generateText({ model: withVademecum(scriptedModel("Hello"), conversation), prompt: "Hi" });
  const authors = (await storedIn(conversation)).map(({ author }) => author);
  expect(authors).toEqual(["user", "assistant"]);
});

it("a turn with calls of tools stores the question once, and recalls for each call", async () => {
  const conversation = newConversation();
  await memoriesOf(conversation).add({ content: "Ada lives in Lyon" });
  const model = scriptedModel(
    [{ type: "text", text: "I look it up." }, call("weather", { city: "Lyon" })],
    "It rains in Lyon.",
  );
  const weather = tool({
    inputSchema: jsonSchema({ type: "object" }),
    execute: () => Promise.resolve("rain"),
  });
  await generateText({
    model: withVademecum(model, conversation),
    prompt: "Does it rain in Lyon, where Ada lives?",
    tools: { weather },
    stopWhen: isStepCount(2),
  });
  for (const index of [0, 1]) expect(promptOf(model, index)[0]).toContain("Ada lives in Lyon");
  expect(await textsIn(conversation)).toEqual([
    "Ada lives in Lyon",
    "Does it rain in Lyon, where Ada lives?",
    "I look it up.",
    "It rains in Lyon.",
  ]);
});

it("a repeated turn stores the question once, and both replies", async () => {
  const conversation = newConversation();
  const model = withVademecum(scriptedModel("Four", "4"), conversation);
  for (let i = 0; i < 2; i++) await generateText({ model, prompt: "Two and two?" });
  expect(await textsIn(conversation)).toEqual(["Two and two?", "Four", "4"]);
});

it("a repeated turn is stored after the user has got another name", async () => {
  const conversation = newConversation();
  for (const user of ["Ada", "Ada Lovelace"]) {
    const model = withVademecum(scriptedModel("Four"), conversation, { authors: { user } });
    await generateText({ model, prompt: "Two and two?" });
  }
  expect((await storedIn(conversation)).map(({ author }) => author)).toEqual([
    "Ada",
    "assistant",
    "Ada Lovelace",
    "assistant",
  ]);
});

it("texts over 1 MiB, and with half of a surrogate pair, are stored", async () => {
  const conversation = newConversation();
  const prompt = `${"long ".repeat(300_000)}\ud83d`;
  await generateText({ model: withVademecum(scriptedModel("So\ud83d"), conversation), prompt });
  const texts = await textsIn(conversation);
  expect(texts.at(-1)).toBe("So\ufffd");
  expect(texts.slice(0, -1).join("")).toBe(`${prompt.slice(0, -1)}\ufffd`);
});

it("equal messages of one conversation are all stored", async () => {
  const conversation = newConversation();
  const model = withVademecum(scriptedModel("More?", "Done"), conversation);
  await generateText({ model, prompt: "yes" });
  await generateText({
    model,
    messages: [
      { role: "user", content: "yes" },
      { role: "assistant", content: "More?" },
      { role: "user", content: "yes" },
    ],
  });
  expect(await textsIn(conversation)).toEqual(["yes", "More?", "yes", "Done"]);
});

it("a text over 64 KiB is stored as several memories, in order", async () => {
  const conversation = newConversation();
  const prompt = `a${"🌰".repeat(20_000)}`;
  await generateText({ model: withVademecum(scriptedModel("Long"), conversation), prompt });
  const texts = await textsIn(conversation);
  expect(texts).toHaveLength(3);
  expect(texts.join("")).toBe(`${prompt}Long`);
});

it("messages that have only files, and replies without text, are not stored", async () => {
  const conversation = newConversation();
  const data = new Uint8Array([1]);
  await generateText({
    model: withVademecum(scriptedModel([{ type: "reasoning", text: "hm" }]), conversation),
    messages: [{ role: "user", content: [{ type: "file", mediaType: "image/png", data }] }],
  });
  expect(await textsIn(conversation)).toEqual([]);
});

it("a call that fails stores nothing, and its repetition stores the turn once", async () => {
  const conversation = newConversation();
  const failing = scriptedModel();
  failing.doGenerate = () => Promise.reject(new Error("overloaded"));
  const ask = (model: typeof failing) =>
    generateText({ model: withVademecum(model, conversation), prompt: "Hi", maxRetries: 0 });
  await expect(ask(failing)).rejects.toThrow("overloaded");
  expect(await textsIn(conversation)).toEqual([]);
  await ask(scriptedModel("Hello"));
  expect(await textsIn(conversation)).toEqual(["Hi", "Hello"]);
});

it("turns of several conversations at the same time are not mixed", async () => {
  const conversation = newConversation();
  const threadIds = ["a", "b", "c", "d"];
  await Promise.all(
    threadIds.map((threadId) =>
      generateText({
        model: withVademecum(scriptedModel(`reply ${threadId}`), { ...conversation, threadId }),
        prompt: `question ${threadId}`,
      }),
    ),
  );
  for (const threadId of threadIds) {
    const { client, userId, agentId } = conversation;
    const { turns } = await client.threads(userId, agentId).getTurns({ threadId });
    expect(turns.map(({ content }) => content)).toEqual([
      `question ${threadId}`,
      `reply ${threadId}`,
    ]);
  }
});

it("a deleted message stays deleted in later turns", async () => {
  const conversation = newConversation();
  const model = withVademecum(scriptedModel("Noted", "Yes"), conversation);
  await generateText({ model, prompt: "My code is 4711" });
  const [first] = await storedIn(conversation);
  await memoriesOf(conversation).delete({ id: first?.id ?? "" });
  await generateText({
    model,
    messages: [
      { role: "user", content: "My code is 4711" },
      { role: "assistant", content: "Noted" },
      { role: "user", content: "Thanks" },
    ],
  });
  expect(await textsIn(conversation)).toEqual(["Noted", "Thanks", "Yes"]);
});

it("the result of the model is returned unchanged", async () => {
  const conversation = newConversation();
  const model = scriptedModel("Hello");
  const wrapped = withVademecum(model, conversation);
  expect(wrapped).toMatchObject({ provider: "mock-provider", modelId: "mock-model-id" });
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hi" }] }];
  expect(await wrapped.doGenerate({ prompt })).toEqual(result("Hello"));
});
