import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { writeTinyModel } from "./tiny-model.js";

const projectFolder = join(import.meta.dirname, "..", "..", "..");

/** A program that opens the embedder for the model folder in its argument, and prints the error. */
const program = `
  import { openOnnxEmbedder } from "./dist/embed/onnx/onnx-embedder.js";
  const [folder] = process.argv.slice(2);
  await openOnnxEmbedder({ folder, log: () => {} }).catch(({ code, reason, message }) => {
    process.stdout.write(JSON.stringify({ code, reason, message }));
  });
`;

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/**
 * Copies the built embedder into a new folder, with the packages that it needs except the optional
 * package. Writes `program` into the folder, and returns its path.
 */
async function installWithoutRuntime(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-install-"));
  ends.push(() => rm(folder, { recursive: true }));
  for (const part of ["embed", "core"])
    await cp(join(projectFolder, "dist", part), join(folder, "dist", part), { recursive: true });
  await mkdir(join(folder, "node_modules"));
  await symlink(
    join(projectFolder, "node_modules", "@huggingface"),
    join(folder, "node_modules", "@huggingface"),
  );
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "open.js"), program);
  return join(folder, "open.js");
}

test("without the optional package, the ONNX embedder explains how to install it", async () => {
  const model = await writeTinyModel();
  ends.push(model.remove);
  const { stdout } = await promisify(execFile)(process.execPath, [
    await installWithoutRuntime(),
    model.folder,
  ]);
  expect(JSON.parse(stdout)).toEqual({
    code: "FAILED_PRECONDITION",
    reason: "ONNX_RUNTIME_MISSING",
    message: expect.stringMatching(
      /^--embedder onnx needs the optional package onnxruntime-node.*ONNXRUNTIME_NODE_INSTALL=skip/,
    ) as string,
  });
});
