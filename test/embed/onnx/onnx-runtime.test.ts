import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { writeTinyModel } from "./tiny-model.js";

const projectFolder = join(import.meta.dirname, "..", "..", "..");

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The embedder as it is built, in an installation that has every package but the optional one. */
async function installWithoutRuntime(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-install-"));
  ends.push(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  const isProgram = (path: string) => !path.endsWith(".map");
  for (const part of ["embed", "core"]) {
    await cp(join(projectFolder, "dist", part), join(folder, "dist", part), { recursive: true, filter: isProgram });
  }
  await mkdir(join(folder, "node_modules"));
  await symlink(join(projectFolder, "node_modules", "@huggingface"), join(folder, "node_modules", "@huggingface"));
  return join(folder, "dist", "embed", "onnx", "onnx-embedder.js");
}

test("without the optional package the embedder says how to install it", async () => {
  const entry = await installWithoutRuntime();
  const { openOnnxEmbedder } = (await import(entry)) as typeof import("../../../src/embed/onnx/onnx-embedder.js");
  const model = await writeTinyModel();
  ends.push(model.remove);
  await expect(openOnnxEmbedder({ folder: model.folder, log: () => {} })).rejects.toMatchObject({
    code: "FAILED_PRECONDITION",
    reason: "ONNX_RUNTIME_MISSING",
    message: expect.stringContaining("ONNXRUNTIME_NODE_INSTALL=skip") as string,
  });
});
