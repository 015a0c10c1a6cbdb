import { existsSync } from "node:fs";
import type { OnnxEmbedder, OnnxEmbedderOptions } from "../../../src/embed/onnx/onnx-embedder.js";

const entry = new URL("../../../dist/embed/onnx/onnx-embedder.js", import.meta.url);

/** Opens the embedder of `dist/`, because its worker thread cannot run TypeScript. */
export async function openBuiltEmbedder(
  options: Partial<OnnxEmbedderOptions> & { readonly folder: string },
): Promise<OnnxEmbedder> {
  if (!existsSync(entry))
    throw new Error(`there is no ${entry.pathname}; run \`npm run build\`, as \`npm test\` does`);
  const { openOnnxEmbedder } = (await import(
    entry.href
  )) as typeof import("../../../src/embed/onnx/onnx-embedder.js");
  return openOnnxEmbedder({ log: () => {}, ...options });
}
