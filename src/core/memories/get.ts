import type { Call } from "../call.js";
import { memoryNotFound } from "../errors.js";
import { createMatcher } from "../filter/matcher.js";
import { instantOfMillis } from "../instant.js";
import type { Memory } from "../memory.js";
import { type Namespace, scopeOf } from "../namespace.js";
import { createPageToken, type PageBinding, readPageToken } from "../page-token.js";
import { idOfTimelineKey } from "../timeline.js";
import { isExpired, isVisible } from "../visibility.js";
import type { GetAllQuery, MemoryPage } from "./memory-service.js";
import type { MemoryServiceParts } from "./parts.js";

/** A page ends before it grows beyond this: most clients take no message of more than 4 MiB. */
const pageMaxBytes = 3 * 1024 * 1024;

/** Reads one memory. */
export async function getMemory({ store, clock }: MemoryServiceParts, namespace: Namespace, id: string): Promise<Memory> {
  const snapshot = await store.snapshot(scopeOf(namespace));
  try {
    const memory = await snapshot.get("memories", namespace, id);
    if (memory === undefined || isExpired(memory, instantOfMillis(clock.nowMs()))) throw memoryNotFound(id);
    return memory;
  } finally {
    await snapshot.close();
  }
}

/** Lists a page of memories, newest first. What is added meanwhile comes before the first page, so pages neither skip nor repeat. */
export async function getAllMemories(parts: MemoryServiceParts, query: GetAllQuery, call: Call): Promise<MemoryPage> {
  const { store, clock, compileExpression } = parts;
  const { namespace, filter, limit, pageToken, includeSuperseded } = query;
  const passes = createMatcher(filter, compileExpression);
  const now = instantOfMillis(clock.nowMs());
  const snapshot = await store.snapshot(scopeOf(namespace));
  try {
    const binding: PageBinding = { epoch: snapshot.head.epoch, listing: ["GetAll", namespace, filter, includeSuperseded] };
    const after = pageToken === "" ? {} : { after: readPageToken(binding, pageToken) };
    const memories: Memory[] = [];
    let last = "";
    let bytes = 0;
    for await (const [key] of snapshot.scan("timeline", namespace, { reverse: true, ...after })) {
      call.throwIfEnded();
      const memory = await snapshot.get("memories", namespace, idOfTimelineKey(key));
      if (memory === undefined || !isVisible(memory, now, includeSuperseded) || !passes(memory)) continue;
      bytes += Buffer.byteLength(JSON.stringify(memory));
      if (memories.length === limit || (bytes > pageMaxBytes && memories.length > 0)) {
        return { memories, nextPageToken: createPageToken(binding, last) };
      }
      memories.push(memory);
      last = key;
    }
    return { memories, nextPageToken: "" };
  } finally {
    await snapshot.close();
  }
}
