import type {
  BaseMemoryService,
  MemoryEntry,
  SearchMemoryRequest,
  SearchMemoryResponse,
  Session,
} from "@google/adk";
import type { Client, Memories } from "vademecum-client";
import { addAll, checkIds, cutQuery } from "vademecum-client/adapters";
import { entryOf, memoriesOf } from "./event-memories.js";

/** Options of the service. */
export interface MemoryServiceOptions {
  /**
   * The agent that keeps the memories, in place of the name of the app: apps with the same agentId
   * share their memories.
   */
  readonly agentId?: string;
  /** Maximum number of memories that a search returns, 1 to 1,000. Default: 10. */
  readonly limit?: number;
}

/**
 * A memory service of ADK that keeps the texts of events as memories.
 *
 * The user of ADK is the user, and the app is the agent. An event is stored once, however often its
 * session is added.
 */
export class VademecumMemoryService implements BaseMemoryService {
  readonly #client: Client;
  readonly #agentId: string | undefined;
  readonly #limit: number;

  /** @param client the connection to the server: `connect(address)`. The caller closes it */
  constructor(client: Client, { agentId, limit = 10 }: MemoryServiceOptions = {}) {
    this.#client = client;
    this.#agentId = agentId;
    this.#limit = limit;
  }

  /**
   * Stores the events of a session that are not stored yet. Leaves out events without text.
   *
   * @throws TypeError when the session has no user or no app
   */
  async addSessionToMemory({ appName, userId, id, events }: Session): Promise<void> {
    const memories = this.#memories(appName, userId);
    await addAll(
      memories,
      events.flatMap((event) => memoriesOf(event, id)),
    );
  }

  /**
   * Returns the memories that fit a query, most relevant first. None for an empty query.
   *
   * @throws TypeError when there is no user or no app
   */
  async searchMemory(request: SearchMemoryRequest): Promise<SearchMemoryResponse> {
    const memories = this.#memories(request.appName, request.userId);
    const query = cutQuery(request.query);
    if (query === "") return { memories: [] };
    const { hits } = await memories.search({ query, limit: this.#limit }).collect();
    const entries: MemoryEntry[] = hits.flatMap(({ memory }) => (memory ? [entryOf(memory)] : []));
    return { memories: entries };
  }

  #memories(appName: string, userId: string): Memories {
    const agentId = this.#agentId ?? appName;
    checkIds({ userId, appName: agentId });
    return this.#client.memories(userId, agentId);
  }
}
