/** The entry module of the worker thread that runs a model. */
import { parentPort, workerData } from "node:worker_threads";
import { errorText, VademecumError } from "../../core/model/errors.js";
import type { FromWorker, ToWorker } from "./inference-worker-client.js";
import type { ModelFolder } from "./model-folder.js";
import { loadOnnxRuntime } from "./onnx-runtime.js";
import { openSentenceEncoder, type SentenceEncoder } from "./sentence-encoder.js";

if (parentPort === null) throw new Error("this module is the entry of a worker thread");
const port = parentPort;

function send(message: FromWorker, transfer: readonly ArrayBuffer[] = []): void {
  port.postMessage(message, transfer);
}

async function answer(encoder: SentenceEncoder, texts: readonly string[]): Promise<void> {
  try {
    const vectors = await encoder.encode(texts);
    send(
      { kind: "vectors", vectors },
      vectors.map(({ buffer }) => buffer as ArrayBuffer),
    );
  } catch (error) {
    send({ kind: "failed", message: errorText(error) });
  }
}

try {
  const encoder = await openSentenceEncoder(await loadOnnxRuntime(), workerData as ModelFolder);
  port.on("message", (message: ToWorker) => {
    if (message.kind === "encode") void answer(encoder, message.texts);
    else void encoder.close().then(() => port.close());
  });
  send({ kind: "ready", dimension: encoder.dimension });
} catch (error) {
  if (!(error instanceof VademecumError)) throw error;
  send({ kind: "unusable", code: error.code, reason: error.reason, message: error.message });
}
