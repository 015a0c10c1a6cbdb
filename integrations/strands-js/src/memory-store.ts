import { randomUUID } from "node:crypto";
import type {
  AddMessagesContext,
  JSONValue,
  MemoryEntry,
  MemoryStore,
  MemoryStoreConfig,
  MessageData,
  SearchOptions,
} from "@strands-agents/sdk";
import type { Client, Memories } from "vademecum-client";
import {
  addAll,
  checkIds,
  cutQuery,
  hashOf,
  type NewMemory,
  splitContent,
} from "vademecum-client/adapters";
import { MemoryType } from "vademecum-client/v1/memory_pb.js";
import { OnConflict } from "vademecum-client/v1/memory_provider_pb.js";
import type { SearchHit } from "vademecum-client/v1/search_pb.js";

/** Options of a store. */
export interface StoreOptions extends Partial<MemoryStoreConfig> {
  /** The connection to the server: `connect(address)`. The caller closes it. */
  readonly client: Client;
  /** The id of the person who talks with the agent, 1 to 256 bytes. */
  readonly userId: string;
  /** The id of the agent, 1 to 256 bytes. */
  readonly agentId: string;
  /** The id of the conversation, for `addMessages`. Default: a new id for each agent. */
  readonly threadId?: string;
}

const defaultSearchResults = 10;

/**
 * A memory store of Strands that keeps the memories of one user with one agent.
 *
 * `add` stores a fact once, also if it is added again. `addMessages` stores messages as turns of a
 * conversation, and a message of a repeated batch once.
 */
export class VademecumMemoryStore implements MemoryStore {
  readonly name: string;
  readonly writable: boolean;
  declare readonly description?: string;
  declare readonly maxSearchResults?: number;
  declare readonly extraction?: NonNullable<MemoryStoreConfig["extraction"]>;
  readonly #memories: Memories;
  readonly #threadId: string | undefined;
  #runId: string = randomUUID();

  /**
   * @throws TypeError when an id or the name is missing or empty
   * @throws RangeError when `maxSearchResults` is below 1
   */
  constructor({ client, userId, agentId, threadId, name = "vademecum", ...rest }: StoreOptions) {
    checkIds({ userId, agentId, name: name.trim() });
    const { description, maxSearchResults, extraction, writable = true } = rest;
    checkLimit(maxSearchResults);
    this.name = name;
    this.writable = writable;
    if (description !== undefined) this.description = description;
    if (maxSearchResults !== undefined) this.maxSearchResults = maxSearchResults;
    if (extraction !== undefined) this.extraction = extraction;
    this.#memories = client.memories(userId, agentId);
    this.#threadId = threadId;
  }

  /** Begins the run of an agent, in which the numbers of messages begin at 0. */
  initialize(): Promise<void> {
    this.#runId = randomUUID();
    return Promise.resolve();
  }

  /**
   * Returns the memories that fit a query, most relevant first. None for an empty query. The
   * metadata of an entry is that of its memory, with `id`, `relevance`, `time`, and, if there is
   * one, `author`.
   *
   * @throws RangeError when `maxSearchResults` is below 1
   */
  async search(query: string, options: SearchOptions = {}): Promise<MemoryEntry[]> {
    checkLimit(options.maxSearchResults);
    const text = cutQuery(query);
    if (text === "") return [];
    const limit = options.maxSearchResults ?? this.maxSearchResults ?? defaultSearchResults;
    const { hits } = await this.#memories.search({ query: text, limit }).collect();
    return hits.map(entryOf);
  }

  /**
   * Stores a fact and returns its id. A fact that is there stays as it is.
   *
   * @throws Error when the store is not writable, or the content is empty
   */
  async add(content: string, metadata: Record<string, JSONValue> = {}): Promise<string> {
    this.#checkWritable();
    const text = content.trim();
    if (text === "") throw new Error("the content is empty");
    const externalId = `strands/fact/${hashOf(text)}`;
    const fact = { content: content.toWellFormed(), memoryType: MemoryType.SEMANTIC, metadata };
    const [id = ""] = await this.#add([{ ...fact, externalId }]);
    return id;
  }

  /**
   * Stores the texts of messages as turns, and returns their ids. A batch with sequence numbers can
   * be repeated: each message is stored once.
   *
   * @throws Error when the store is not writable
   */
  async addMessages(messages: MessageData[], context: AddMessagesContext = {}): Promise<string[]> {
    this.#checkWritable();
    const turns = messages.flatMap((message, index) =>
      this.#turnsOf(message, String(context.sequenceNumbers?.[index] ?? randomUUID())),
    );
    return this.#add(turns);
  }

  /** Returns the turns of a message: usually one, several if the text is very long. */
  #turnsOf({ role, content }: MessageData, number: string): NewMemory[] {
    const text = content.flatMap((block) => ("text" in block ? [block.text] : [])).join("\n");
    return splitContent(text).map((piece, part) => ({
      content: piece,
      memoryType: MemoryType.CONVERSATION,
      author: role,
      threadId: this.#threadId ?? this.#runId,
      externalId: `strands/${this.#runId}/${number}/${part}`,
    }));
  }

  #checkWritable(): void {
    if (!this.writable) throw new Error(`the store ${this.name} is not writable`);
  }

  #add(added: readonly NewMemory[]): Promise<string[]> {
    const kept = added.map((memory) => ({ ...memory, onConflict: OnConflict.KEEP }));
    return addAll(this.#memories, kept);
  }
}

function checkLimit(limit: number | undefined): void {
  if (limit !== undefined && limit < 1)
    throw new RangeError(`maxSearchResults is ${limit} and must be at least 1`);
}

function entryOf({ memory, scores }: SearchHit): MemoryEntry {
  const { seconds = 0n, nanos = 0 } = memory?.eventTime ?? memory?.createTime ?? {};
  const time = new Date(Number(seconds) * 1000 + nanos / 1e6).toISOString();
  const metadata: Record<string, JSONValue> = {
    ...(memory?.metadata as Record<string, JSONValue> | undefined),
    id: memory?.id ?? "",
    relevance: scores?.relevance ?? 0,
    time,
  };
  if (memory?.author) metadata["author"] = memory.author;
  return { content: memory?.content ?? "", metadata };
}
