import { join } from "node:path";
import { insertMemory } from "../../src/core/memories/records.js";
import type { Memory } from "../../src/core/memory.js";
import { type Namespace, scopeOf } from "../../src/core/namespace.js";
import { openStaticEmbedder } from "../../src/embed/static/static-embedder.js";
import { openLevelStore } from "../../src/store/level/level-store.js";
import { systemClock } from "../../src/system/clock.js";
import { withCallers } from "./callers.js";

/** Writes to a data folder what Add would have, with vectors of the bundled model, straight to the store: without the search for near-duplicates, which takes minutes for many. */
export async function fillStore(data: string, namespace: Namespace, memories: readonly Memory[]): Promise<void> {
  const embedder = await openStaticEmbedder({ folder: join("models", "static-256") });
  const vectors = await embedder.embed(
    memories.map(({ content }) => content),
    new AbortController().signal,
  );
  const { modelId, dimension } = embedder;
  const store = await openLevelStore({ folder: data, clock: systemClock });
  await withCallers(64, memories.entries(), ([index, memory]) => {
    const vector = vectors[index];
    const stored = vector && { vector, profile: { modelId, dimension } };
    return store.update(scopeOf(namespace), async (tx) => insertMemory(tx, namespace, memory, stored, undefined));
  });
  await store.close();
}
