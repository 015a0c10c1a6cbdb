// A worker thread that does what the first text says.
import { parentPort, workerData } from "node:worker_threads";

if (workerData.unusable) {
  parentPort.postMessage({
    kind: "unusable",
    code: "FAILED_PRECONDITION",
    reason: "MODEL_UNUSABLE",
    message: "no model",
  });
} else {
  parentPort.postMessage({ kind: "ready", dimension: 3 });
}
parentPort.on("message", ({ kind, texts }) => {
  if (kind === "close") parentPort.close();
  else if (texts[0] === "throw") throw new Error("thrown in the worker");
  else if (texts[0] === "exit") process.exit(7);
  else if (texts[0] === "fail")
    parentPort.postMessage({ kind: "failed", message: "a matrix does not fit" });
  else parentPort.postMessage({ kind: "vectors", vectors: texts.map(() => new Float32Array(3)) });
});
