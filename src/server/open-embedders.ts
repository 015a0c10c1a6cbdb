import type { EmbedderConfig } from "../config/config.js";
import { createEmbedders, type Embedders } from "../core/ports/embedder.js";
import type { Log } from "../core/ports/log.js";
import { type OpenedEmbedder, openEmbedder } from "./open-embedder.js";

/** All models that a server has at hand, in use. */
export interface OpenedEmbedders {
  readonly embedders: Embedders;
  close(): Promise<void>;
}

/**
 * Opens the embedder that a configuration asks for, and those that may have made vectors before it was changed: the bundled one, which needs nothing, and an ONNX model whose folder is given. With `none` there is no model at all.
 * `folder` is where they may keep what they have learned; `undefined`: nowhere.
 * @throws VademecumError for a model or an endpoint that cannot be used
 */
export async function openEmbedders(
  config: EmbedderConfig,
  folder: string | undefined,
  log: Log,
): Promise<OpenedEmbedders> {
  const configured = await openEmbedder(config, folder, log);
  const others: OpenedEmbedder[] = [];
  const close = async (): Promise<void> => {
    for (const opened of [configured, ...others]) await opened.close();
  };
  try {
    for (const embedder of othersOf(config))
      others.push(await openEmbedder({ ...config, embedder }, folder, log));
  } catch (error) {
    await close();
    throw error;
  }
  const known = others.flatMap(({ embedder }) => (embedder === undefined ? [] : [embedder]));
  return { embedders: createEmbedders(configured.embedder, known), close };
}

function othersOf({ embedder, onnxModel }: EmbedderConfig): EmbedderConfig["embedder"][] {
  if (embedder === "none") return [];
  const others: EmbedderConfig["embedder"][] =
    onnxModel === undefined ? ["local"] : ["local", "onnx"];
  return others.filter((other) => other !== embedder);
}
