import { join } from "node:path";
import { insertMemory } from "../../src/core/memories/records.js";
import type { Memory } from "../../src/core/model/memory.js";
import { type Namespace, scopeOf } from "../../src/core/model/namespace.js";
import type { Embedder } from "../../src/core/ports/embedder.js";
import type { Store, VectorProfile } from "../../src/core/ports/store.js";
import { openStaticEmbedder } from "../../src/embed/static/static-embedder.js";
import { openLevelStore } from "../../src/store/level/level-store.js";
import { systemClock } from "../../src/system/clock.js";
import { withCallers } from "./callers.js";

/** Memories in one batch of the embedder. */
const batchSize = 1_000;

/**
 * Writes the records that Add would write, directly to the store of a data folder. Skips Add's
 * search for near-duplicates, which would take minutes for many memories.
 *
 * @param embed whether to store vectors of the bundled model
 */
export async function fillStore(
  data: string,
  namespace: Namespace,
  memories: readonly Memory[],
  embed = true,
): Promise<void> {
  const embedder = await openStaticEmbedder({ folder: join("models", "static-256") });
  const store = await openLevelStore({ folder: data, clock: systemClock });
  await fillNamespace(store, namespace, memories, embed ? embedder : undefined);
  await store.close();
}

/** Writes the records that Add would write to a store. Without an embedder, adds no vectors. */
export async function fillNamespace(
  store: Pick<Store, "update">,
  namespace: Namespace,
  memories: readonly Memory[],
  embedder: Embedder | undefined,
): Promise<void> {
  const signal = new AbortController().signal;
  for (let from = 0; from < memories.length; from += batchSize) {
    const batch = memories.slice(from, from + batchSize);
    const texts = batch.map(({ content }) => content);
    const vectors = (await embedder?.embed(texts, signal)) ?? [];
    await withCallers(64, batch.entries(), ([index, memory]) => {
      const vector = vectors[index];
      const stored = vector && embedder && { vector, profile: profileOf(embedder) };
      return store.update(scopeOf(namespace), async (tx) =>
        insertMemory(tx, namespace, memory, stored, undefined),
      );
    });
  }
}

function profileOf({ modelId, dimension }: Embedder): VectorProfile {
  return { modelId, dimension };
}
