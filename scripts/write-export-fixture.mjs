// Writes an export in the current format for the test of old formats:
// `node scripts/write-export-fixture.mjs`. Run it only for a format that no release has written:
// after a release, the file of its format stays as it is.
//
// Starts the built server on a copy of the newest folder in test/fixtures/folders, and exports its
// data to test/fixtures/exports/vademecum-format-N.jsonl. test/e2e/export.test.ts imports the file.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { importSource } from "./compile.mjs";

const { folderFormat } = /** @type {typeof import("../src/store/level/folder/mark-file.js")} */ (
  await importSource("src/store/level/folder/mark-file.ts")
);
const { exportFormat } = /** @type {typeof import("../src/core/transfer/export-record.js")} */ (
  await importSource("src/core/transfer/export-record.ts")
);
const projectFolder = fileURLToPath(new URL("..", import.meta.url));
const program = join(projectFolder, "dist", "main.js");
const fixtures = join(projectFolder, "test", "fixtures");
const target = join(fixtures, "exports", `vademecum-format-${exportFormat}.jsonl`);

const temporary = mkdtempSync(join(tmpdir(), "vademecum-fixture-"));
const data = join(temporary, "data");
cpSync(join(fixtures, "folders", `format-${folderFormat}`), data, { recursive: true });
const flags = [
  "--data",
  data,
  "--grpc",
  "127.0.0.1:0",
  "--http",
  "127.0.0.1:0",
  "--pruning",
  "off",
];
const server = spawn(process.execPath, [program, "serve", ...flags], {
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = once(server, "exit");
try {
  let address = "";
  for await (const line of createInterface({ input: server.stdout })) {
    const { event, grpc } = JSON.parse(line);
    if (event !== "ready") continue;
    address = grpc;
    break;
  }
  rmSync(target, { force: true });
  const args = ["export", "--to", target, "--server", address];
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  server.kill();
  await ended;
  rmSync(temporary, { recursive: true });
}
