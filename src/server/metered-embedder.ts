import type { Embedder } from "../core/ports/embedder.js";
import { type Meter, noMeter } from "../core/ports/meter.js";

/**
 * Returns an embedder that reports how long it works, and its failures. Short texts, which take
 * microseconds, are not reported. Without metrics, returns the embedder itself.
 */
export function meteredEmbedder(embedder: Embedder, meter: Meter): Embedder {
  if (meter === noMeter) return embedder;
  const embed: Embedder["embed"] = async (texts, signal) => {
    const startMs = performance.now();
    try {
      return await embedder.embed(texts, signal);
    } catch (error) {
      if (!signal.aborted) meter("embedFailures", 1);
      throw error;
    } finally {
      meter("embedSeconds", (performance.now() - startMs) / 1000);
    }
  };
  // A copy would read the properties that some embedders make on first use.
  return Object.create(embedder, { embed: { value: embed } }) as Embedder;
}
