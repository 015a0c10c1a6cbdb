import type { AgentInputItem, Session } from "@openai/agents-core";
import type { Client, Memories, Threads } from "vademecum-client";
import { appendAll, checkIds } from "vademecum-client/adapters";
import type { Memory } from "vademecum-client/v1/memory_pb.js";
import { itemsOf, type StoredItem, turnsOf } from "./item-turns.js";

/** Which conversation a session is. */
export interface SessionOptions {
  /** The connection to the server: `connect(address)`. The caller closes it. */
  readonly client: Client;
  /** The id of the person who talks with the agent, 1 to 256 bytes. */
  readonly userId: string;
  /** The id of the agent, 1 to 256 bytes. */
  readonly agentId: string;
  /** The id of the conversation, 1 to 256 bytes, such as the id of a chat. It is the thread_id. */
  readonly sessionId: string;
}

/** The limit of one call of the server. */
const maxReadTurns = 1000;

/**
 * A session of the OpenAI Agents SDK whose items are the turns of a Vademecum thread, whole and in
 * order. Sessions with the same user, agent and session id share their items, in every process.
 */
export class VademecumSession implements Session {
  readonly #sessionId: string;
  readonly #threads: Threads;
  readonly #memories: Memories;

  /** @throws TypeError when an id is missing or empty */
  constructor({ client, userId, agentId, sessionId }: SessionOptions) {
    checkIds({ userId, agentId, sessionId });
    this.#sessionId = sessionId;
    this.#threads = client.threads(userId, agentId);
    this.#memories = client.memories(userId, agentId);
  }

  getSessionId(): Promise<string> {
    return Promise.resolve(this.#sessionId);
  }

  /** @param limit maximum number of items, the last ones. Default: all */
  async getItems(limit?: number): Promise<AgentInputItem[]> {
    if (limit !== undefined && limit <= 0) return [];
    return (await this.#last(limit)).map(({ item }) => item);
  }

  /**
   * Stores items at the end, all or none. More than 500 items, or 900 KB, are stored in several
   * steps.
   */
  async addItems(items: AgentInputItem[]): Promise<void> {
    await appendAll(this.#threads, this.#sessionId, items.flatMap(turnsOf));
  }

  /** Deletes the last item and returns it. Two callers never get the same item. */
  async popItem(): Promise<AgentInputItem | undefined> {
    for (;;) {
      const [last] = await this.#last(1);
      if (last === undefined) return undefined;
      // A delete by id tells whether another caller was faster. Without its final piece, an item is
      // gone for all readers.
      const { deleted } = await this.#memories.delete({ id: last.turnIds.at(-1) ?? "" });
      if (!deleted) continue;
      for (const id of last.turnIds.slice(0, -1)) await this.#memories.delete({ id });
      return last.item;
    }
  }

  async clearSession(): Promise<void> {
    await this.#threads.clear({ threadId: this.#sessionId });
  }

  /** Returns the last items, oldest first. */
  async #last(limit = Number.POSITIVE_INFINITY): Promise<readonly StoredItem[]> {
    let page = Math.min(limit, maxReadTurns);
    let turns: Memory[] = [];
    for (;;) {
      const [first] = turns;
      const reply = await this.#threads.getTurns({
        threadId: this.#sessionId,
        limit: page,
        ...(first === undefined ? {} : { beforeId: first.id }),
      });
      turns = [...reply.turns, ...turns];
      const items = itemsOf(turns);
      if (!reply.hasMore || items.length >= limit) return items.slice(-limit);
      // An item may have several turns, and other turns may be between the items.
      page = maxReadTurns;
    }
  }
}
