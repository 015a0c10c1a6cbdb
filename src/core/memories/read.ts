import { createMatcher } from "../filter/matcher.js";
import { memoryNotFound } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import { idOfTimelineKey } from "../model/record-keys.js";
import { isExpired } from "../model/visibility.js";
import type { Call } from "../ports/call.js";
import { listPage } from "../requests/list-page.js";
import { storedSuccessor } from "./records.js";
import type { GetAllQuery, MemoryPage, MemoryServiceParts } from "./service.js";

/** Reads one memory. */
export async function getMemory(
  { store, clock }: MemoryServiceParts,
  namespace: Namespace,
  id: string,
): Promise<Memory> {
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const memory = await snapshot.get("memories", namespace, id);
  if (memory === undefined || isExpired(memory, instantOfMillis(clock.nowMs())))
    throw memoryNotFound(id);
  return memory;
}

/** Lists a page of memories, newest first. Leaves out memories added since the first page. */
export async function getAllMemories(
  { store, clock, compileExpression }: MemoryServiceParts,
  query: GetAllQuery,
  call: Call,
): Promise<MemoryPage> {
  const { namespace, filter, limit, pageToken, includeSuperseded } = query;
  const passes = createMatcher(filter, compileExpression);
  const now = instantOfMillis(clock.nowMs());
  const { items: memories, nextPageToken } = await listPage(store, {
    scope: scopeOf(namespace),
    binding: ["GetAll", namespace, filter, includeSuperseded],
    table: "timeline",
    owner: namespace,
    reverse: true,
    limit,
    pageToken,
    call,
    toItem: async (key, _, snapshot) => {
      const memory = await snapshot.get("memories", namespace, idOfTimelineKey(key));
      if (memory === undefined || isExpired(memory, now) || !passes(memory)) return undefined;
      const isListed =
        includeSuperseded ||
        (await storedSuccessor(snapshot, namespace, memory, now)) === undefined;
      return isListed ? memory : undefined;
    },
  });
  return { memories, nextPageToken };
}
