import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { wrapLanguageModel } from "ai";
import { checkIds, Failures, notesHeading, type OnError } from "vademecum-client/adapters";
import { type Authors, type ContextFields, ConversationMemory } from "./conversation-memory.js";
import { storeReplyOf } from "./reply-stream.js";
import type { Conversation } from "./scope.js";
import { type Turn, turnOf, withNotes } from "./turn.js";

/** Options of a model with memory. */
export interface MemoryOptions {
  /**
   * What happens when the memory fails. `"throw"`, the default: the call of the model fails.
   * `"continue"`: the model answers without memory, and the first failure is logged as a warning
   * of Node.
   */
  readonly onError?: OnError;
  /**
   * The names of the speakers, such as `{ user: "Ada", assistant: "Guide" }`. They become the
   * authors of the turns, so models and searches know who said what. Default: the roles.
   */
  readonly authors?: Authors;
  /**
   * Fields of the context that is built before each call of the model. A field replaces the default
   * of the same name. Defaults: `budgetTokens` 2,000, `annotate` true, and `sections` with the
   * user's blocks, the agent's skills, and memories without those of this conversation.
   */
  readonly context?: ContextFields;
}

/**
 * Returns a model that remembers. Before each call of the model, the context of the user's
 * newest message is put in front of this message: blocks, skills and memories. After the call, the
 * message and the reply are stored as turns of the conversation.
 *
 * The call ends when both are stored. A prompt without a message of a user is passed on unchanged,
 * and nothing is stored.
 *
 * @throws TypeError when `userId`, `agentId` or `threadId` is missing
 */
export function withVademecum(
  model: Parameters<typeof wrapLanguageModel>[0]["model"],
  conversation: Conversation,
  { onError = "throw", authors = {}, context = {} }: MemoryOptions = {},
): LanguageModelV4 {
  const { userId, agentId, threadId } = conversation;
  checkIds({ userId, agentId, threadId });
  const memory = new ConversationMemory(conversation, authors, context);
  const failures = new Failures(onError);
  /** The turns of calls, by their parameters. */
  const turns = new WeakMap<LanguageModelV4CallOptions, Turn>();
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: "v4",
      async transformParams({ params }) {
        const turn = turnOf(params.prompt);
        if (turn === undefined) return params;
        const notes = await failures.handle(() => memory.contextOf(turn, params.abortSignal));
        const prompt = notes
          ? withNotes(params.prompt, `${notesHeading}\n\n${notes}`)
          : params.prompt;
        const transformed = { ...params, prompt };
        turns.set(transformed, turn);
        return transformed;
      },
      async wrapGenerate({ doGenerate, params, model: { modelId } }) {
        const result = await doGenerate();
        const turn = turns.get(params);
        if (turn === undefined) return result;
        const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
        const reply = { text, finishReason: result.finishReason.unified };
        await failures.handle(() => memory.store(turn, reply, modelId));
        return result;
      },
      async wrapStream({ doStream, params, model: { modelId } }) {
        const result = await doStream();
        const turn = turns.get(params);
        if (turn === undefined) return result;
        const stream = storeReplyOf(result.stream, (reply) =>
          failures.handle(() => memory.store(turn, reply, modelId)),
        );
        return { ...result, stream };
      },
    },
  });
}
