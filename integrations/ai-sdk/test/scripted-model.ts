import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { MockLanguageModelV4 } from "ai/test";

const usage: LanguageModelV4Usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Returns the result of a call: a text, or parts. */
export function result(reply: string | LanguageModelV4Content[]): LanguageModelV4GenerateResult {
  const content = typeof reply === "string" ? [{ type: "text" as const, text: reply }] : reply;
  const isToolCall = content.some(({ type }) => type === "tool-call");
  return { content, finishReason: reason(isToolCall ? "tool-calls" : "stop"), usage, warnings: [] };
}

/** Returns a call of a tool, as a part of a result. */
export function call(toolName: string, input: object, toolCallId = "1"): LanguageModelV4Content {
  return { type: "tool-call", toolCallId, toolName, input: JSON.stringify(input) };
}

/** Returns a model that gives these results, one a call. */
export function scriptedModel(
  ...replies: (string | LanguageModelV4Content[])[]
): MockLanguageModelV4 {
  return new MockLanguageModelV4({ doGenerate: replies.map(result) });
}

/** Returns the parts of a stream with these words. */
export function parts(...words: string[]): LanguageModelV4StreamPart[] {
  return [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "1" },
    ...words.map((delta) => ({ type: "text-delta" as const, id: "1", delta })),
    { type: "text-end", id: "1" },
    { type: "finish", finishReason: reason("stop"), usage },
  ];
}

/** Returns a model that streams what `stream` returns. */
export function streamingModel(
  stream: (options: LanguageModelV4CallOptions) => ReadableStream<LanguageModelV4StreamPart>,
): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doStream: (options) => Promise.resolve({ stream: stream(options) }),
  });
}

/** Returns a stream that sends parts, and then calls `end`. Without `end`, it stays open. */
export function openStream(
  sent: readonly LanguageModelV4StreamPart[],
  end: (controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>) => void = () => {},
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of sent) controller.enqueue(part);
    },
    pull: end,
  });
}

/** Returns the texts of the messages that a model got in a call, by role. */
export function promptOf(model: MockLanguageModelV4, index = 0): string[] {
  const { prompt } = [...model.doGenerateCalls, ...model.doStreamCalls][index] ?? { prompt: [] };
  return prompt.flatMap(({ role, content }) =>
    typeof content === "string"
      ? [`${role}: ${content}`]
      : content.flatMap((part) => (part.type === "text" ? [`${role}: ${part.text}`] : [])),
  );
}

function reason(unified: LanguageModelV4FinishReason["unified"]): LanguageModelV4FinishReason {
  return { unified, raw: undefined };
}
