import type {
  ProcessLLMRequestArgs,
  ProcessLLMRequestResult,
  ProcessOutputResultArgs,
  Processor,
  ProcessorMessageResult,
} from "@mastra/core/processors";
import type { Client, Memories, Threads } from "vademecum-client";
import {
  appendAll,
  checkIds,
  cutQuery,
  Failures,
  hashOf,
  notesHeading,
  type OnError,
  sectionsFor,
  splitContent,
} from "vademecum-client/adapters";

/** Options of the processor. */
export interface ProcessorOptions {
  /** The connection to the server: `connect(address)`. The caller closes it. */
  readonly client: Client;
  /** The id of the person who talks with the agent, 1 to 256 bytes. */
  readonly userId: string;
  /** The id of the agent that keeps the memories, 1 to 256 bytes. */
  readonly agentId: string;
  /** The id of the conversation, 1 to 256 bytes, such as the id of Mastra's thread. */
  readonly threadId: string;
  /** Maximum number of tokens of the notes, 1 to 200,000. Default: 2,000. */
  readonly budgetTokens?: number;
  /**
   * What happens when the memory fails. `"throw"`, the default: the run fails. `"continue"`: the
   * agent goes on without memory, and the first failure is logged as a warning of Node.
   */
  readonly onError?: OnError;
}

type Prompt = ProcessLLMRequestArgs["prompt"];

/**
 * A processor of Mastra that gives an agent a long-term memory, in one conversation of a user. Use
 * it as an input processor and as an output processor of the agent:
 *
 * - Before each call of the model, the context of the user's newest message (blocks, skills and
 *   memories) is put in front of this message. Mastra's own history stays without it.
 * - After a run, the message and the reply are stored as turns of the conversation.
 */
export class VademecumProcessor implements Processor<"vademecum"> {
  readonly id = "vademecum";
  readonly #memories: Memories;
  readonly #threads: Threads;
  readonly #threadId: string;
  readonly #budgetTokens: number;
  readonly #failures: Failures;

  /** @throws TypeError when an id is missing or empty */
  constructor({ client, userId, agentId, threadId, ...options }: ProcessorOptions) {
    checkIds({ userId, agentId, threadId });
    this.#memories = client.memories(userId, agentId);
    this.#threads = client.threads(userId, agentId);
    this.#threadId = threadId;
    this.#budgetTokens = options.budgetTokens ?? 2000;
    this.#failures = new Failures(options.onError ?? "throw");
  }

  async processLLMRequest(args: ProcessLLMRequestArgs): Promise<ProcessLLMRequestResult> {
    const { prompt, abortSignal } = args;
    const place = prompt.findLastIndex(({ role }) => role === "user");
    const message = prompt[place];
    const query = cutQuery(textOf(message?.content));
    if (query === "") return;
    const notes = await this.#failures.handle(() => this.#notes(query, abortSignal));
    return notes ? { prompt: withNotes(prompt, place, `${notesHeading}\n\n${notes}`) } : undefined;
  }

  async processOutputResult(args: ProcessOutputResultArgs): Promise<MessagesOf> {
    const { messageList, result } = args;
    const message = messageList.get.all.db().findLast(({ role }) => role === "user");
    await this.#failures.handle(async () => {
      const text = textOf(message?.content.parts);
      // The same key for the same message, so that a repeated run stores the message once.
      const key = hashOf(JSON.stringify([this.#threadId, message?.id, text]));
      await this.#append(text, "user", `mastra/${key}`);
      await this.#append(result.text, "assistant");
    });
    return messageList;
  }

  async #notes(query: string, signal: AbortSignal | undefined): Promise<string> {
    const sections = sectionsFor(this.#threadId);
    const request = { query, budgetTokens: this.#budgetTokens, sections, annotate: true };
    const options = signal === undefined ? {} : { signal };
    return (await this.#memories.buildContext(request, options)).text.trimEnd();
  }

  async #append(text: string, author: string, idempotencyKey?: string): Promise<void> {
    const turns = splitContent(text).map((content) => ({ content, author }));
    await appendAll(this.#threads, this.#threadId, turns, idempotencyKey);
  }
}

type MessagesOf = Extract<ProcessorMessageResult, ProcessOutputResultArgs["messageList"]>;

/** Returns the text of a content. Leaves out files, reasoning, and calls of tools. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts = content as readonly { readonly type?: unknown; readonly text?: unknown }[];
  return parts
    .flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []))
    .join("\n");
}

/** Returns a copy of a prompt in which the user's message at `place` begins with `notes`. */
function withNotes(prompt: Prompt, place: number, notes: string): Prompt {
  return prompt.map((message, index) =>
    index === place && message.role === "user"
      ? { ...message, content: [{ type: "text", text: notes }, ...message.content] }
      : message,
  );
}
