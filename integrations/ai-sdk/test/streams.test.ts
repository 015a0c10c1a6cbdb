import { streamText } from "ai";
import { convertReadableStreamToArray } from "ai/test";
import { expect, it, vi } from "vitest";
import { withVademecum } from "../src/index.js";
import { openStream, parts, promptOf, streamingModel } from "./scripted-model.js";
import { memoriesOf, newConversation, storedIn, textsIn, useServer } from "./use-server.js";

useServer();

const whole = parts("Red ", "wine.");
/** The beginning of a stream, up to its first word. */
const begun = whole.slice(0, 3);

it("a stream is passed on with memories in front of the question, and its text is stored", async () => {
  const conversation = newConversation();
  await memoriesOf(conversation).add({ content: "Ada prefers red wine" });
  const model = streamingModel(() => openStream(whole, (controller) => controller.close()));
  const { textStream } = streamText({
    model: withVademecum(model, conversation),
    prompt: "Which wine does Ada prefer?",
  });
  expect(await convertReadableStreamToArray(textStream)).toEqual(["Red ", "wine."]);
  expect(promptOf(model)[0]).toContain("Ada prefers red wine");
  // The stream ends when the turn is stored, so no wait is necessary.
  expect(await storedIn(conversation)).toMatchObject([
    { content: "Ada prefers red wine" },
    { content: "Which wine does Ada prefer?", author: "user" },
    { content: "Red wine.", author: "assistant", metadata: { finishReason: "stop" } },
  ]);
});

it("a stream that the program aborts stores the text so far", async () => {
  const conversation = newConversation();
  const abort = new AbortController();
  const { textStream } = streamText({
    model: withVademecum(
      streamingModel(() => openStream(begun)),
      conversation,
    ),
    prompt: "Which wine?",
    abortSignal: abort.signal,
  });
  for await (const _ of textStream) abort.abort();
  await vi.waitFor(async () =>
    expect(await storedIn(conversation)).toMatchObject([
      { content: "Which wine?" },
      { content: "Red ", metadata: { finishReason: "interrupted" } },
    ]),
  );
});

it("a stream that the reader cancels is cancelled at the model and stored", async () => {
  const conversation = newConversation();
  const cancelled = vi.fn();
  const source = openStream(begun);
  const model = streamingModel(
    () => new ReadableStream({ pull: copyOf(source), cancel: cancelled }),
  );
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Which?" }] }];
  const { stream } = await withVademecum(model, conversation).doStream({ prompt });
  const reader = stream.getReader();
  for (const part of begun) expect((await reader.read()).value).toEqual(part);
  await reader.cancel("enough");
  expect(cancelled).toHaveBeenCalledWith("enough");
  expect(await textsIn(conversation)).toEqual(["Which?", "Red "]);
});

it("a stream that breaks stores the text so far, and passes the error on", async () => {
  const conversation = newConversation();
  const broken = new Error("connection lost");
  const model = streamingModel(() => openStream(begun, (controller) => controller.error(broken)));
  const { textStream } = streamText({
    model: withVademecum(model, conversation),
    prompt: "Which wine?",
    onError: () => {},
  });
  await expect(convertReadableStreamToArray(textStream)).rejects.toBe(broken);
  expect(await textsIn(conversation)).toEqual(["Which wine?", "Red "]);
});

it("a stream that fails before its first word stores the question alone", async () => {
  const conversation = newConversation();
  const model = streamingModel(() =>
    openStream([{ type: "error", error: new Error("refused") }], (controller) =>
      controller.close(),
    ),
  );
  const { textStream } = streamText({
    model: withVademecum(model, conversation),
    prompt: "Which wine?",
    onError: () => {},
  });
  await convertReadableStreamToArray(textStream).catch(() => {});
  expect(await textsIn(conversation)).toEqual(["Which wine?"]);
});

/** Returns a source that sends what a stream sends, one part a pull. */
function copyOf<T>(stream: ReadableStream<T>) {
  const reader = stream.getReader();
  return async (controller: ReadableStreamDefaultController<T>) => {
    const { done, value } = await reader.read();
    if (!done) controller.enqueue(value);
  };
}
