import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { installWithout } from "../../faults/server/install-without.js";

const packageName = "onnxruntime-node";

test("without the optional package, a server with --embedder minilm explains how to install it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-install-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = await installWithout(join("node_modules", packageName), folder);
  const server = [program, "serve", "--data", join(folder, "data"), "--embedder", "minilm"];
  const { status, stderr } = spawnSync(process.execPath, server, { encoding: "utf8" });
  const { peerDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    peerDependencies: Record<string, string>;
  };
  expect(stderr).toContain(`--embedder minilm and onnx need the package ${packageName}`);
  expect(stderr).toContain(
    `npm install ${packageName}@${peerDependencies[packageName]} (with -g if Vademecum was`,
  );
  expect(status).toBe(1);
});
