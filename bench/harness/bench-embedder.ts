import { join } from "node:path";
import type { Embedder } from "../../src/core/ports/embedder.js";
import { openMiniLmEmbedder } from "../../src/embed/minilm/minilm-embedder.js";
import { openBundledEmbedder } from "./bench-service.js";

/** The option `--embedder` of a benchmark. */
export const embedderOption = { embedder: { type: "string", default: "local" } } as const;

/** The line of a usage text about `embedderOption`. */
export const embedderUsage = "--embedder NAME  local (the default) or minilm";

/** Opens the embedder with the name of `--embedder`. Disposing stops its threads. */
export async function openBenchEmbedder(name: string): Promise<Embedder & AsyncDisposable> {
  const local = await openBundledEmbedder();
  if (name === "local") return { ...local, [Symbol.asyncDispose]: async () => {} };
  if (name !== "minilm") throw new Error(`--embedder: got '${name}'; ${embedderUsage}`);
  const embedder = await openMiniLmEmbedder({
    folder: join("models", "minilm"),
    wordPieces: local.wordPieces,
    log: () => {},
  });
  return { ...embedder, [Symbol.asyncDispose]: () => embedder.close() };
}
