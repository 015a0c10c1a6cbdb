import { createMatcher } from "../filter/matcher.js";
import { memoryNotFound } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import { isExpired, isVisible } from "../model/visibility.js";
import type { Call } from "../ports/call.js";
import { readPage } from "../requests/page.js";
import { type PageBinding, readPageToken } from "../requests/page-token.js";
import { idOfTimelineKey } from "../requests/timeline.js";
import type { GetAllQuery, MemoryPage } from "./memory-service.js";
import type { MemoryServiceParts } from "./parts.js";

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

/** Lists a page of memories, newest first. What is added meanwhile comes before the first page, so pages neither skip nor repeat. */
export async function getAllMemories(
  parts: MemoryServiceParts,
  query: GetAllQuery,
  call: Call,
): Promise<MemoryPage> {
  const { store, clock, compileExpression } = parts;
  const { namespace, filter, limit, pageToken, includeSuperseded } = query;
  const passes = createMatcher(filter, compileExpression);
  const now = instantOfMillis(clock.nowMs());
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const binding: PageBinding = {
    epoch: snapshot.head.epoch,
    listing: ["GetAll", namespace, filter, includeSuperseded],
  };
  const after = pageToken === "" ? {} : { after: readPageToken(binding, pageToken) };
  const entries = async function* (): AsyncGenerator<readonly [string, Memory]> {
    for await (const [key] of snapshot.scan("timeline", namespace, { reverse: true, ...after })) {
      call.throwIfEnded();
      const memory = await snapshot.get("memories", namespace, idOfTimelineKey(key));
      if (memory !== undefined && isVisible(memory, now, includeSuperseded) && passes(memory))
        yield [key, memory];
    }
  };
  const { items: memories, nextPageToken } = await readPage(entries(), limit, binding);
  return { memories, nextPageToken };
}
