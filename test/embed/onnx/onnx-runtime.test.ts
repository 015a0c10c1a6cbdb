import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeTinyModel } from "./tiny-model.js";

const projectFolder = join(import.meta.dirname, "..", "..", "..");

/** The packages that the built server loads to start. */
const packages = ["ajv", "ajv-formats", "classic-level", "pino"];

/** Copies the built server into a new folder, without the optional package. Returns the folder. */
async function installWithoutRuntime(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-install-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const part of ["dist", "package.json", join("gen", "wasm")])
    await cp(join(projectFolder, part), join(folder, part), { recursive: true });
  await mkdir(join(folder, "node_modules"));
  for (const name of packages)
    await symlink(join(projectFolder, "node_modules", name), join(folder, "node_modules", name));
  await symlink(join(projectFolder, "models"), join(folder, "models"));
  return folder;
}

test("without the optional package, a server with an ONNX model explains how to install it", async () => {
  const folder = await installWithoutRuntime();
  const model = await writeTinyModel();
  onTestFinished(model.remove);
  const server = ["serve", "--data", join(folder, "data"), "--embedder", "onnx"];
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(folder, "dist", "main.js"), ...server, "--onnx-model", model.folder],
    { encoding: "utf8" },
  );
  expect(stderr).toMatch(
    /--embedder onnx needs the optional package onnxruntime-node.*ONNXRUNTIME_NODE_INSTALL=skip/,
  );
  expect(status).toBe(1);
});
