import { createMatcher, isEmptyFilter } from "../filter/matcher.js";
import { VademecumError } from "../model/errors.js";
import { type Instant, instantOfMillis, millisOfInstant } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import { idOfTimelineKey, timelineKey } from "../model/record-keys.js";
import { isExpired } from "../model/visibility.js";
import type { Call } from "../ports/call.js";
import type { Reader } from "../ports/store.js";
import { firstOfMessage, listPage, pageOf } from "../requests/list-page.js";
import { createPause } from "../requests/pause.js";
import { readSignalOf } from "../requests/read-signal.js";
import { vectorTableOf } from "../vectors/collection.js";
import { profileKey } from "../vectors/vectors.js";
import { namedNotFound, readNamed } from "./external-id.js";
import { findNamespace } from "./find-namespace.js";
import { newestMemories } from "./newest.js";
import { isNumberOrder, pageByNumber, pageOfColumns, type TimeOrder } from "./ordered-page.js";
import { storedSuccessor } from "./records.js";
import type {
  FoundMemories,
  FoundMemory,
  GetAllQuery,
  GetManyQuery,
  GetQuery,
  MemoryPage,
  MemoryServiceParts,
  ReadMemory,
} from "./service.js";
import { memoryAt } from "./versions.js";

/** Reads one memory. */
export async function getMemory(
  { store, clock, uses }: MemoryServiceParts,
  { namespace: owner, includeExpired = false, includeEmbedding = false, asOf, ...name }: GetQuery,
  call: Call,
): Promise<FoundMemory> {
  const namespace = await findNamespace(store, owner, name, call);
  if (namespace === undefined) throw namedNotFound(name);
  await uses?.flush(namespace);
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const memory = await readNamed(snapshot, namespace, name);
  const isFound =
    memory !== undefined && (includeExpired || !isExpired(memory, instantOfMillis(clock.nowMs())));
  if (!isFound) throw namedNotFound(name);
  if (asOf === undefined)
    return { memory: await readWithUse(snapshot, namespace, memory, includeEmbedding), namespace };
  const then = await memoryAt(snapshot, namespace, memory, asOf);
  if (then === "not kept") throw versionNotKept(memory.id);
  if (then === undefined || (!includeExpired && isExpired(then, asOf))) throw namedNotFound(name);
  return { memory: then, namespace };
}

function versionNotKept(id: string): VademecumError {
  return new VademecumError(
    "FAILED_PRECONDITION",
    "VERSION_NOT_KEPT",
    `the version that memory '${id}' had then is no longer kept, or was redacted; ` +
      "ListMemoryVersions lists the versions that are kept",
    { field: "as_of" },
  );
}

/** Adds the stored vector to a memory if the call asks for it and there is one. */
async function readStored(
  reader: Pick<Reader, "get">,
  namespace: Namespace,
  memory: Memory,
  includeEmbedding: boolean,
): Promise<ReadMemory> {
  if (!includeEmbedding) return memory;
  const table = vectorTableOf(await reader.get("profiles", namespace, profileKey));
  const vector = await reader.get(table, namespace, memory.id);
  return vector === undefined ? memory : { ...memory, embedding: Array.from(vector) };
}

/** Does the same as `readStored`, and adds when a tool last read the memory. */
async function readWithUse(
  reader: Pick<Reader, "get">,
  namespace: Namespace,
  memory: Memory,
  includeEmbedding: boolean,
): Promise<ReadMemory> {
  const use = await reader.get("memoryUses", namespace, memory.id);
  return { ...(await readStored(reader, namespace, memory, includeEmbedding)), ...use };
}

/** Reads several memories. Lets other calls run every few milliseconds. */
export async function getMemories(
  { store, clock, uses }: MemoryServiceParts,
  { namespace, ids, includeExpired = false, includeEmbedding = false }: GetManyQuery,
  call: Call,
): Promise<FoundMemories> {
  const now = instantOfMillis(clock.nowMs());
  const missingIds: string[] = [];
  const found: ReadMemory[] = [];
  const pause = createPause(() => call.throwIfEnded());
  await uses?.flush(namespace);
  await using snapshot = await store.snapshot(scopeOf(namespace));
  for (const id of new Set(ids)) {
    const memory = await snapshot.get("memories", namespace, id);
    if (memory !== undefined && (includeExpired || !isExpired(memory, now)))
      found.push(await readWithUse(snapshot, namespace, memory, includeEmbedding));
    else missingIds.push(id);
    await pause();
  }
  const memories = await firstOfMessage(found);
  return { memories, missingIds, unreadIds: found.slice(memories.length).map(({ id }) => id) };
}

/** The first page of a listing comes from the index if its `limit` is at most this. */
const indexedPageMax = 100;

/** Lists a page of memories. Newest first, leaves out memories added since the first page. */
export async function getAllMemories(
  parts: MemoryServiceParts,
  query: GetAllQuery,
  call: Call,
): Promise<MemoryPage> {
  const { namespace, filter, limit, pageToken, includeSuperseded } = query;
  const { includeExpired = false, includeEmbedding = false, asOf } = query;
  const { order = "NEWEST_FIRST" } = query;
  const listing = ["GetAll", namespace, filter, includeSuperseded, includeExpired, asOf, order];
  if (isNumberOrder(order)) {
    const page = await pageByNumber(parts, { ...query, order }, listing, call);
    return includeEmbedding ? withEmbeddings(parts, namespace, page) : page;
  }
  const isIndexed =
    order === "NEWEST_FIRST" &&
    limit <= indexedPageMax &&
    isEmptyFilter(filter) &&
    !(includeExpired || includeEmbedding) &&
    asOf === undefined;
  if (pageToken === "" && isIndexed) {
    const page = await firstPageOfIndex(parts, query, listing, call);
    if (page !== undefined) return page;
  }
  if (isEmptyFilter(filter) || asOf !== undefined)
    return pageOfTimeline(parts, { ...query, order }, listing, call);
  try {
    return await pageOfTimeline(parts, { ...query, order }, listing, call, rareAfter);
  } catch (error) {
    if (error !== isRare) throw error;
    const page = await pageOfColumns(parts, { ...query, order }, listing, call);
    if (page === undefined) return pageOfTimeline(parts, { ...query, order }, listing, call);
    return includeEmbedding ? withEmbeddings(parts, namespace, page) : page;
  }
}

/** A filter is rare when a page needs more memories of the timeline than this. */
const rareAfter = 1_000;

/** Thrown when a filter is rare. */
const isRare = new Error("the filter is rare");

/**
 * Reads a page from the timeline.
 *
 * @param readMax throws `isRare` when the page needs more memories. Default: reads to the end
 */
async function pageOfTimeline(
  { store, clock, compileExpression }: MemoryServiceParts,
  query: GetAllQuery & { readonly order: TimeOrder },
  listing: readonly unknown[],
  call: Call,
  readMax = Number.POSITIVE_INFINITY,
): Promise<MemoryPage> {
  const { namespace, filter, limit, pageToken, includeSuperseded, order } = query;
  const { includeExpired = false, includeEmbedding = false, asOf } = query;
  const passes = createMatcher(filter, compileExpression);
  const now = asOf ?? instantOfMillis(clock.nowMs());
  let read = 0;
  const { items, nextPageToken } = await listPage(store, {
    scope: scopeOf(namespace),
    binding: listing,
    table: "timeline",
    owner: namespace,
    reverse: order === "NEWEST_FIRST",
    limit,
    pageToken,
    call,
    startAfter: async () => asOf && keyAfter(asOf),
    toItem: async (key, _, snapshot): Promise<ListedMemory | undefined> => {
      if (++read > readMax) throw isRare;
      const stored = await snapshot.get("memories", namespace, idOfTimelineKey(key));
      if (stored === undefined) return undefined;
      const memory = asOf ? await memoryAt(snapshot, namespace, stored, asOf) : stored;
      if (memory === "not kept") return { notKeptId: stored.id };
      if (memory === undefined || !passes(memory)) return undefined;
      if (!includeExpired && isExpired(memory, now)) return undefined;
      const isListed = includeSuperseded || !(await isSuperseded(snapshot, query, memory, now));
      if (!isListed) return undefined;
      return { memory: await readStored(snapshot, namespace, memory, includeEmbedding) };
    },
  });
  return {
    memories: items.flatMap(({ memory }) => memory ?? []),
    ...(asOf !== undefined && { notKeptIds: items.flatMap(({ notKeptId }) => notKeptId ?? []) }),
    nextPageToken,
  };
}

async function withEmbeddings(
  { store }: MemoryServiceParts,
  namespace: Namespace,
  page: MemoryPage,
): Promise<MemoryPage> {
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const memories: ReadMemory[] = [];
  for (const memory of page.memories)
    memories.push(await readStored(snapshot, namespace, memory, true));
  return { ...page, memories };
}

/** An item of a listing: a memory, or the id of one whose version of that time is not kept. */
interface ListedMemory {
  readonly memory?: ReadMemory;
  readonly notKeptId?: string;
}

/** Returns a key in `timeline` after those of all memories that existed at an instant. */
function keyAfter(instant: Instant): string {
  const next = Math.floor(millisOfInstant(instant)) + 1;
  return timelineKey({ createTime: instantOfMillis(Math.max(0, next)), id: "" });
}

async function isSuperseded(
  snapshot: Reader,
  { namespace, asOf }: GetAllQuery,
  memory: Memory,
  now: Instant,
): Promise<boolean> {
  // Of a state in the past, `memoryAt` has found out already which successors count.
  if (asOf !== undefined) return memory.supersededBy !== undefined;
  return (await storedSuccessor(snapshot, namespace, memory, now)) !== undefined;
}

/**
 * Returns the first page from the index, which costs a fraction of a read of the store. Returns
 * `undefined` if the index is not in RAM, or is large.
 *
 * @param listing See `PageBinding`.
 */
async function firstPageOfIndex(
  { store, index, clock }: MemoryServiceParts,
  { namespace: owner, limit, includeSuperseded }: GetAllQuery,
  listing: readonly unknown[],
  call: Call,
): Promise<MemoryPage | undefined> {
  const now = instantOfMillis(clock.nowMs());
  const found = await index.readLoaded(owner, readSignalOf(call), (loaded) => ({
    newest: newestMemories(loaded, { count: limit + 1, includeSuperseded, now }),
    epoch: loaded.head.epoch,
  }));
  if (found?.newest === undefined) return undefined;
  const { items, nextPageToken } = await pageOf(
    found.newest,
    { keyOf: timelineKey, limit, owner },
    {
      pageKey: store.pageKey,
      epoch: found.epoch,
      tenant: store.tenant,
      listing,
    },
  );
  return { memories: items, nextPageToken };
}
