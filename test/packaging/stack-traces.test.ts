import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const projectFolder = join(import.meta.dirname, "..", "..");

it("stack traces of the built program name the source files", () => {
  // Outside of a worker thread, this module throws.
  const program = `process.setSourceMapsEnabled(true); await import("./dist/inference-worker.js")`;
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: projectFolder,
    encoding: "utf8",
  });
  expect(stderr).toMatch(/at .*src\/embed\/onnx\/inference-worker\.ts:\d+/);
});
