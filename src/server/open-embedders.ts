import type { Config, EmbedderConfig } from "../config/server-settings.js";
import { createEmbedders, type Embedders } from "../core/ports/embedder.js";
import type { Log } from "../core/ports/log.js";
import { type EmbedderHandle, embeddingsFolder, openEmbedder } from "./open-embedder.js";

/** The embedders of a server. */
export interface EmbeddersHandle {
  /** Returns the embedders. Opens those that are not open yet. */
  open(): Promise<Embedders>;
  /** Requires: no promise of `open` is pending. */
  close(): Promise<void>;
}

/** All embedders of a server, ready for use. */
interface OpenEmbedders {
  readonly embedders: Embedders;
  close(): Promise<void>;
}

/**
 * Opens all embedders now if a setting names a model folder or an endpoint, so that a wrong setting
 * is reported at the start. Otherwise, `open` opens the bundled embedder, which needs no setting.
 *
 * @throws VademecumError when a model or the endpoint cannot be used
 */
export async function openConfiguredEmbedders(config: Config, log: Log): Promise<EmbeddersHandle> {
  const { provider, dataFolder, embedder, onnxModel } = config;
  const folder = provider === "memory" ? undefined : embeddingsFolder(dataFolder);
  const openAll = (): Promise<OpenEmbedders> => openEmbedders(config, folder, log);
  const needsNoSetting = embedder === "local" && onnxModel === undefined;
  let opened = needsNoSetting ? undefined : await openAll();
  return {
    async open() {
      opened ??= await openAll();
      return opened.embedders;
    },
    async close() {
      await opened?.close();
    },
  };
}

/**
 * Opens the configured embedder and the embedders that may have made older vectors: the bundled
 * embedder, and an ONNX model whose folder is given. With `none`, opens no embedder.
 *
 * @param folder the folder for caches and calibrations; `undefined`: neither is stored
 * @throws VademecumError when a model or the endpoint cannot be used
 */
async function openEmbedders(
  config: EmbedderConfig,
  folder: string | undefined,
  log: Log,
): Promise<OpenEmbedders> {
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
