// Builds the package: copies the license and the generated stubs into it, then compiles it.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
for (const name of ["dist", "gen"]) rmSync(join(folder, name), { recursive: true, force: true });
for (const name of ["vademecum", "google", "buf"]) {
  cpSync(join(folder, "..", "..", "gen", "ts", name), join(folder, "gen", name), {
    recursive: true,
  });
}
cpSync(join(folder, "..", "..", "LICENSE"), join(folder, "LICENSE"));
const compiler = join(
  dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin",
  "tsc",
);
const { status } = spawnSync(process.execPath, [compiler, "-p", folder], { stdio: "inherit" });
process.exitCode = status ?? 1;
