import { createRequire } from "node:module";

/** Whether the package that runs ONNX models is installed. `npm ci` does not install it. */
export const hasOnnxRuntime = ((): boolean => {
  try {
    createRequire(import.meta.url).resolve("onnxruntime-node");
    return true;
  } catch {
    return false;
  }
})();

/** Why tests are skipped without the package, for their names. */
export const needsOnnxRuntime = "needs onnxruntime-node: node scripts/onnx-runtime.mjs";
