import type { Config, EmbedderConfig } from "../config/server-settings.js";
import { createEmbedders, type Embedders } from "../core/ports/embedder.js";
import type { Log } from "../core/ports/log.js";
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
export async function openEmbedders(config: Config, log: Log): Promise<EmbeddersHandle> {
  const { provider, dataFolder } = config;
  const folder = provider === "memory" ? undefined : embeddingsFolder(dataFolder);
  const configured = await openEmbedder(config, folder, log);
  const others: EmbedderHandle[] = [];
  const close = async (): Promise<void> => {
    for (const embedder of [configured, ...others]) await embedder.close();
  };
  try {
    for (const embedder of othersOf(config))
      others.push(await openEmbedder({ ...config, embedder }, folder, log));
  } catch (error) {
    await close();
    throw error;
  }
  const available = others.flatMap(({ embedder }) => (embedder === undefined ? [] : [embedder]));
  return { embedders: createEmbedders(configured.embedder, available), close };
}

function othersOf({ embedder, onnxModel }: EmbedderConfig): EmbedderConfig["embedder"][] {
  if (embedder === "none") return [];
  const others: EmbedderConfig["embedder"][] =
    onnxModel === undefined ? ["local"] : ["local", "onnx"];
  return others.filter((other) => other !== embedder);
}
