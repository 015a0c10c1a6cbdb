import type { Memories, Threads } from "vademecum-client";
import { appendAll, cutQuery, hashOf, sectionsFor, splitContent } from "vademecum-client/adapters";
import type { Conversation } from "./scope.js";
import type { Turn } from "./turn.js";

/** The fields of a context, as `client.memories(…).buildContext` takes them. */
export type ContextFields = Partial<Parameters<Memories["buildContext"]>[0]>;

/** The names of the speakers, as people call them. */
export interface Authors {
  /** Default: `user`. */
  readonly user?: string;
  /** Default: `assistant`. */
  readonly assistant?: string;
}

/** What a model has replied. */
export interface Reply {
  /** The text, without reasoning and calls of tools. May be empty. */
  readonly text: string;
  /** Why the reply ended, such as `stop`. `interrupted` if the stream ended early. */
  readonly finishReason: string;
}

/** Reads what is known about a user, and stores the turns of one conversation. */
export class ConversationMemory {
  readonly #memories: Memories;
  readonly #threads: Threads;
  readonly #threadId: string;
  readonly #authors: Authors;
  readonly #context: ContextFields & { readonly budgetTokens: number };

  /** @param context replaces or adds fields of the context */
  constructor(
    { client, userId, agentId, threadId }: Conversation,
    authors: Authors,
    context: ContextFields,
  ) {
    this.#memories = client.memories(userId, agentId);
    this.#threads = client.threads(userId, agentId);
    this.#threadId = threadId;
    this.#authors = authors;
    const sections = sectionsFor(threadId);
    this.#context = { budgetTokens: 2000, annotate: true, sections, ...context };
  }

  /** Returns a text about what fits the user's message, or an empty text. */
  async contextOf({ text }: Turn, signal: AbortSignal | undefined): Promise<string> {
    const query = cutQuery(text);
    // A context without a query would have the newest memories.
    if (query === "") return "";
    const options = signal === undefined ? {} : { signal };
    const context = await this.#memories.buildContext({ ...this.#context, query }, options);
    return context.text.trimEnd();
  }

  /** Stores the reply, and before the first reply of a turn the user's message. */
  async store({ text, isFirstCall, history }: Turn, reply: Reply, modelId: string): Promise<void> {
    if (isFirstCall) {
      // The same key for the same turn, so that a repeated turn stores the user's message once.
      const turn = JSON.stringify([this.#threadId, history, this.#authors.user]);
      await this.#append(text, "user", {}, `ai-sdk/${hashOf(turn)}`);
    }
    const { finishReason } = reply;
    await this.#append(reply.text, "assistant", { modelId, finishReason });
  }

  async #append(
    text: string,
    role: keyof Authors,
    facts: Readonly<Record<string, string>>,
    idempotencyKey?: string,
  ): Promise<void> {
    const author = this.#authors[role] ?? role;
    const metadata = { role, ...facts };
    const turns = splitContent(text).map((content) => ({ content, author, metadata }));
    await appendAll(this.#threads, this.#threadId, turns, idempotencyKey);
  }
}
