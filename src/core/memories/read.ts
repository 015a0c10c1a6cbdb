import { createMatcher, isEmptyFilter } from "../filter/matcher.js";
import { memoryNotFound } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import { idOfTimelineKey, timelineKey } from "../model/record-keys.js";
import { isExpired } from "../model/visibility.js";
import type { Call } from "../ports/call.js";
import { listPage, pageOf } from "../requests/list-page.js";
import { readSignalOf } from "../requests/read-signal.js";
import { newestMemories } from "./newest.js";
import { storedSuccessor } from "./records.js";
import type { GetAllQuery, MemoryPage, MemoryServiceParts } from "./service.js";

/** Reads one memory. */
export async function getMemory(
  { store, clock }: MemoryServiceParts,
  namespace: Namespace,
  id: string,
  includeExpired = false,
): Promise<Memory> {
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const memory = await snapshot.get("memories", namespace, id);
  const isFound =
    memory !== undefined && (includeExpired || !isExpired(memory, instantOfMillis(clock.nowMs())));
  if (!isFound) throw memoryNotFound(id);
  return memory;
}

/** The first page of a listing comes from the index if its `limit` is at most this. */
const indexedPageMax = 100;

/** Lists a page of memories, newest first. Leaves out memories added since the first page. */
export async function getAllMemories(
  parts: MemoryServiceParts,
  query: GetAllQuery,
  call: Call,
): Promise<MemoryPage> {
  const { namespace, filter, limit, pageToken, includeSuperseded, includeExpired = false } = query;
  const listing = ["GetAll", namespace, filter, includeSuperseded, includeExpired];
  const isIndexed = limit <= indexedPageMax && isEmptyFilter(filter) && !includeExpired;
  if (pageToken === "" && isIndexed) {
    const page = await firstPageOfIndex(parts, query, listing, call);
    if (page !== undefined) return page;
  }
  const { store, clock, compileExpression } = parts;
  const passes = createMatcher(filter, compileExpression);
  const now = instantOfMillis(clock.nowMs());
  const { items: memories, nextPageToken } = await listPage(store, {
    scope: scopeOf(namespace),
    binding: listing,
    table: "timeline",
    owner: namespace,
    reverse: true,
    limit,
    pageToken,
    call,
    toItem: async (key, _, snapshot) => {
      const memory = await snapshot.get("memories", namespace, idOfTimelineKey(key));
      if (memory === undefined || !passes(memory)) return undefined;
      if (!includeExpired && isExpired(memory, now)) return undefined;
      const isListed =
        includeSuperseded ||
        (await storedSuccessor(snapshot, namespace, memory, now)) === undefined;
      return isListed ? memory : undefined;
    },
  });
  return { memories, nextPageToken };
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
