import { generateText, streamText } from "ai";
import { convertReadableStreamToArray } from "ai/test";
import { connect } from "vademecum-client";
import { afterEach, expect, it, vi } from "vitest";
import { vademecumTools, withVademecum } from "../src/index.js";
import { openStream, parts, scriptedModel, streamingModel } from "./scripted-model.js";
import { newConversation, textsIn, useServer } from "./use-server.js";

const server = useServer();
afterEach(() => void vi.restoreAllMocks());

/** Returns a conversation on a server that does not answer. */
function unreachable() {
  return { ...newConversation(), client: connect("127.0.0.1:1", { timeoutMs: 500 }) };
}

it.each([
  ["userId", ""],
  ["userId", undefined],
  ["agentId", ""],
  ["threadId", undefined],
])("without %s (%j), the model is refused", (name, id) => {
  const conversation = { ...newConversation(), [name]: id };
  expect(() => withVademecum(scriptedModel(), conversation)).toThrow(`${name} is missing. Set it`);
});

it("without a user, the tools are refused", async () => {
  await expect(vademecumTools({ ...newConversation(), userId: "" })).rejects.toThrow(
    "userId is missing",
  );
});

it("a server that does not answer fails the call, before the model is called", async () => {
  const model = scriptedModel("Hello");
  await expect(
    generateText({ model: withVademecum(model, unreachable()), prompt: "Hi" }),
  ).rejects.toThrow("127.0.0.1:1");
  expect(model.doGenerateCalls).toEqual([]);
});

it("a memory that fails after the call fails the call", async () => {
  const conversation = newConversation();
  const prompt = "x".repeat(70_000);
  const authors = { user: "n".repeat(300) };
  await expect(
    generateText({ model: withVademecum(scriptedModel("Hi"), conversation, { authors }), prompt }),
  ).rejects.toThrow("author");
});

it('with onError: "continue", the model answers, and one failure is logged', async () => {
  const warn = vi.spyOn(process, "emitWarning").mockReturnValue();
  const model = withVademecum(scriptedModel("Hello", "Again"), unreachable(), {
    onError: "continue",
  });
  for (const text of ["Hello", "Again"])
    expect(await generateText({ model, prompt: "Hi" })).toMatchObject({ text });
  expect(warn).toHaveBeenCalledOnce();
});

it('with onError: "continue", a stream ends as without memory', async () => {
  const warn = vi.spyOn(process, "emitWarning").mockReturnValue();
  const streaming = streamingModel(() =>
    openStream(parts("Hello"), (controller) => controller.close()),
  );
  const model = withVademecum(streaming, unreachable(), { onError: "continue" });
  const { textStream } = streamText({ model, prompt: "Hi" });
  expect(await convertReadableStreamToArray(textStream)).toEqual(["Hello"]);
  expect(warn).toHaveBeenCalledOnce();
});

it("a server that was killed has the turns before, and takes the turns after its restart", async () => {
  const before = newConversation();
  await generateText({ model: withVademecum(scriptedModel("1"), before), prompt: "first" });
  await server.kill();
  await server.start();
  const client = connect(server.address);
  const after = { ...before, client };
  await generateText({ model: withVademecum(scriptedModel("2"), after), prompt: "second" });
  expect(await textsIn(after)).toEqual(["first", "1", "second", "2"]);
  client.close();
});
