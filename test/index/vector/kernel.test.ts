import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("the committed kernel is what its source compiles to", () => {
  const project = fileURLToPath(new URL("../../..", import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), "vademecum-kernel-"));
  try {
    const built = join(folder, "scan.wasm");
    execFileSync(process.execPath, ["scripts/build-kernel.mjs", relative(project, built)], { cwd: project });
    expect(readFileSync(built).equals(readFileSync(join(project, "gen/wasm/scan.wasm")))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
