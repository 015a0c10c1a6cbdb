import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import { expect } from "vitest";
import type { Memory } from "#gen/vademecum/v1/memory_pb.js";
import type {
  AddBatchRequestSchema,
  AddBatchResponse,
  AddRequestSchema,
  AddResponse,
  CountRequestSchema,
  DeleteWhereRequestSchema,
  DeleteWhereResponse,
  GetAllRequestSchema,
  GetAllResponse,
  MemoryChangesSchema,
  MemoryProvider,
  RecallResponse,
  SearchResponse,
  UpdateRequestSchema,
  UpdateResponse,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type { SearchHit, SearchRequestSchema, SearchSummary } from "#gen/vademecum/v1/search_pb.js";

/** A namespace in a request. */
export interface NamespaceName {
  readonly userId: string;
  readonly agentId: string;
}

/** Client of the provider. */
export type ProviderClient = Client<typeof MemoryProvider>;

type Init<T extends DescMessage> = Omit<
  Exclude<MessageInitShape<T>, { $typeName: string }>,
  "$typeName" | "$unknown" | "namespace"
>;
/** Fields of an Add besides namespace and content. */
export type AddFields = Omit<Init<typeof AddRequestSchema>, "content">;
/** Fields of a Search besides namespace and query. */
export type SearchFields = Omit<Init<typeof SearchRequestSchema>, "query">;
/** Fields of a GetAll besides the namespace. */
export type GetAllFields = Init<typeof GetAllRequestSchema>;
/** Fields of a Count besides the namespace. */
export type CountFields = Init<typeof CountRequestSchema>;
/** New values of an Update. */
export type Changes = MessageInitShape<typeof MemoryChangesSchema>;
/** Fields of an Update besides namespace, id and changes. */
export type UpdateFields = Omit<Init<typeof UpdateRequestSchema>, "id" | "changes">;
/** Fields of a DeleteWhere besides the namespace. */
export type DeleteWhereFields = Init<typeof DeleteWhereRequestSchema>;
/** An item of a batch. */
export type BatchItem = MessageInitShape<typeof AddBatchRequestSchema>;

/** All messages of a search. */
export interface SearchOutcome {
  readonly hits: readonly SearchHit[];
  readonly summary: SearchSummary;
  /** Contents of the hits, in order. */
  readonly contents: readonly string[];
  /** The messages in order. */
  readonly messages: readonly SearchResponse[];
}

/** Calls about one namespace, with checks that many tests need. */
export interface NamespaceClient {
  readonly namespace: NamespaceName;
  readonly provider: ProviderClient;
  add(content: string, fields?: AddFields): Promise<AddResponse>;
  /** Adds contents one after another, so that they are ordered. Returns their ids. */
  addAll(...contents: readonly string[]): Promise<string[]>;
  addBatch(items: Iterable<BatchItem>): Promise<AddBatchResponse[]>;
  /** Searches, and checks that the receipt in the last message adds up. */
  search(query: string, fields?: SearchFields): Promise<SearchOutcome>;
  recall(query: string, fields?: SearchFields): Promise<RecallResponse>;
  page(fields?: GetAllFields): Promise<GetAllResponse>;
  /** All memories, from all pages. */
  list(fields?: GetAllFields): Promise<Memory[]>;
  /** Number of memories. */
  count(fields?: CountFields): Promise<bigint>;
  /** Contents of all memories, newest first. */
  contents(fields?: GetAllFields): Promise<string[]>;
  get(id: string): Promise<Memory>;
  update(id: string, changes: Changes, fields?: UpdateFields): Promise<UpdateResponse>;
  /** Lets memories expire at the same time, by the machine's clock. Resolves when they have. */
  expire(...ids: readonly string[]): Promise<void>;
  delete(id: string, idempotencyKey?: string): Promise<boolean>;
  deleteWhere(fields: DeleteWhereFields): Promise<DeleteWhereResponse>;
  /** Empties the namespace. Returns the number of deleted memories. */
  reset(idempotencyKey?: string): Promise<bigint>;
}

async function expire(
  provider: ProviderClient,
  namespace: NamespaceName,
  ids: readonly string[],
): Promise<void> {
  for (let inMs = 100; ; inMs *= 4) {
    const changes = { expireTime: timestampFromMs(Date.now() + inMs) };
    try {
      for (const id of ids) await provider.update({ namespace, id, changes });
      break;
    } catch (error) {
      // The calls took longer than the memories had.
      if (inMs > 10_000) throw error;
    }
  }
  for (const id of ids) while (await exists(provider, namespace, id));
}

async function exists(
  provider: ProviderClient,
  namespace: NamespaceName,
  id: string,
): Promise<boolean> {
  try {
    await provider.get({ namespace, id });
    return true;
  } catch (error) {
    if (ConnectError.from(error).code === Code.NotFound) return false;
    throw error;
  }
}

/** Creates the client of a namespace. */
export function createNamespaceClient(
  provider: ProviderClient,
  namespace: NamespaceName,
): NamespaceClient {
  const add = (content: string, fields: AddFields = {}) =>
    provider.add({ ...fields, namespace, content });
  const page = (fields: GetAllFields = {}) => provider.getAll({ ...fields, namespace });
  const list = async (fields: GetAllFields = {}) => {
    const { memories, nextPageToken } = await page({ limit: 1000, ...fields });
    for (let token = nextPageToken; token !== ""; ) {
      const next = await page({ limit: 1000, ...fields, pageToken: token });
      memories.push(...next.memories);
      token = next.nextPageToken;
    }
    return memories;
  };
  return {
    namespace,
    provider,
    add,
    async addAll(...contents) {
      const ids: string[] = [];
      for (const content of contents) ids.push((await add(content)).id);
      return ids;
    },
    async addBatch(items) {
      return collect(provider.addBatch(streamOf(items)));
    },
    async search(query, fields = {}) {
      const outcome = outcomeOf(await collect(provider.search({ ...fields, namespace, query })));
      expectHonestReceipt(outcome, namespace);
      return outcome;
    },
    async recall(query, fields = {}) {
      const reply = await provider.recall({ search: { ...fields, namespace, query } });
      expectReceiptToAddUp(reply.hits, reply.summary);
      return reply;
    },
    page,
    list,
    count: async (fields = {}) => (await provider.count({ ...fields, namespace })).count,
    contents: async (fields) => (await list(fields)).map(({ content }) => content),
    async get(id) {
      const { memory } = await provider.get({ namespace, id });
      return required(memory, "Get answered without a memory");
    },
    update: (id, changes, fields = {}) => provider.update({ ...fields, namespace, id, changes }),
    expire: (...ids) => expire(provider, namespace, ids),
    async delete(id, idempotencyKey) {
      const { deleted } = await provider.delete({
        namespace,
        id,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
      return deleted;
    },
    deleteWhere: (fields) => provider.deleteWhere({ ...fields, namespace }),
    async reset(idempotencyKey) {
      const { deleted } = await provider.reset({
        target: { case: "namespace", value: namespace },
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
      return deleted;
    },
  };
}

/** Returns a value. Throws an error with the text `problem` if the value is missing. */
export function required<T>(value: T | undefined, problem: string): T {
  if (value === undefined) throw new Error(problem);
  return value;
}

/** Reads a stream to its end. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

export async function* streamOf<T>(items: Iterable<T>): AsyncIterable<T> {
  yield* items;
}

function outcomeOf(messages: readonly SearchResponse[]): SearchOutcome {
  const hits = messages.flatMap((message) => message.hits);
  const summary = required(messages.at(-1)?.summary, "the last message of a search has no summary");
  return { hits, summary, contents: hits.map((hit) => hit.memory?.content ?? ""), messages };
}

function expectHonestReceipt(
  { hits, summary, messages }: SearchOutcome,
  namespace: NamespaceName,
): void {
  expect(messages.filter((message) => message.summary !== undefined)).toHaveLength(1);
  expect(summary.tokensUsed).toBe(hits.reduce((sum, { tokens }) => sum + tokens, 0));
  for (const { memory } of hits) expect(memory?.namespace).toMatchObject({ ...namespace });
  expectReceiptToAddUp(hits, summary);
}

function expectReceiptToAddUp(
  hits: readonly SearchHit[],
  summary: SearchSummary | undefined,
): void {
  const { totalMatches, returned, omitted, omittedCount, tokensUsed, budgetTokens } = required(
    summary,
    "there is no receipt",
  );
  expect(returned).toBe(hits.length);
  expect(BigInt(returned + omitted.length) + omittedCount).toBe(totalMatches);
  expect(omitted.length).toBeLessThanOrEqual(100);
  if (budgetTokens !== undefined) expect(tokensUsed).toBeLessThanOrEqual(budgetTokens);
  const named = [...hits.map(({ memory }) => memory?.id), ...omitted.map(({ id }) => id)];
  expect(new Set(named).size).toBe(named.length);
}
