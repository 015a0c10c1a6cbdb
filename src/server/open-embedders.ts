import type { Config, EmbedderConfig } from "../config/server-settings.js";
import { createEmbedders, type Embedders } from "../core/ports/embedder.js";
import type { Log } from "../core/ports/log.js";
import type { Meter } from "../core/ports/meter.js";
import { meteredEmbedder } from "./metered-embedder.js";
import { type EmbedderHandle, embeddingsFolder, openEmbedder } from "./open-embedder.js";

/** The embedders of a server. */
export interface EmbeddersHandle {
  readonly embedders: Embedders;
  close(): Promise<void>;
}

/**
 * Opens the configured embedder and the embedders that may have made older vectors: the bundled
 * embedder, and an ONNX model whose folder is given. With `none`, opens no embedder.
 *
 * @throws VademecumError when a model or the endpoint cannot be used
 */
export async function openEmbedders(
  config: Config,
  log: Log,
  meter: Meter,
): Promise<EmbeddersHandle> {
  const { provider, dataFolder } = config;
  const folder = provider === "memory" ? undefined : embeddingsFolder(dataFolder);
  const opened = new Map<EmbedderConfig["embedder"], EmbedderHandle>();
  const close = async (): Promise<void> => {
    for (const embedder of opened.values()) await embedder.close();
  };
  try {
    for (const embedder of embeddersOf(config)) {
      const wordPieces = opened.get("local")?.embedder?.wordPieces;
      opened.set(embedder, await openEmbedder({ ...config, embedder }, folder, log, wordPieces));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const metered = new Map(
    [...opened].flatMap(([name, { embedder }]) =>
      embedder === undefined ? [] : [[name, meteredEmbedder(embedder, meter)]],
    ),
  );
  const embedders = createEmbedders(metered.get(config.embedder), [...metered.values()]);
  return { embedders, close };
}

/** Returns the embedders to open, the bundled one first: others use its vectors of words. */
function embeddersOf({ embedder, onnxModel }: EmbedderConfig): Set<EmbedderConfig["embedder"]> {
  if (embedder === "none") return new Set();
  return new Set(["local", embedder, ...(onnxModel === undefined ? [] : (["onnx"] as const))]);
}
