import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Reply } from "./conversation-memory.js";

/**
 * Passes a stream of the model on, and stores its text. The text is stored before the stream ends.
 * If the stream fails or is cancelled, the text that has arrived so far is stored.
 */
export function storeReplyOf(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  store: (reply: Reply) => Promise<void>,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = stream.getReader();
  let text = "";
  let finishReason = "interrupted";
  let stored: Promise<void> | undefined;
  const storeOnce = () => {
    stored ??= store({ text, finishReason });
    return stored;
  };
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch(async (error: unknown) => {
        await storeOnce();
        throw error;
      });
      if (done) {
        await storeOnce();
        controller.close();
        return;
      }
      if (value.type === "text-delta") text += value.delta;
      if (value.type === "finish") finishReason = value.finishReason.unified;
      controller.enqueue(value);
    },
    async cancel(reason) {
      await Promise.all([reader.cancel(reason), storeOnce()]);
    },
  });
}
