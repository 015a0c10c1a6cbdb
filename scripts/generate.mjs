// Generates all files that have a source: gen/ from the definitions (for each installed toolchain)
// and from the kernel, the clients' handles and docs/api.md from the definitions, and
// docs/configuration.md from the settings.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const buf = join("node_modules", "@bufbuild", "buf", "bin", "buf");
// buf looks for its plugins on the path.
const path = [join(projectFolder, "node_modules", ".bin"), process.env["PATH"]].join(
  process.platform === "win32" ? ";" : ":",
);

run(buf, "generate");
run("scripts/generate-stubs.mjs");
run("scripts/generate-clients.mjs");
run("scripts/build-kernel.mjs");
run("scripts/generate-api-docs.mjs");
// The settings are read from the built configuration.
run("scripts/build.mjs");
run("scripts/generate-configuration-docs.mjs");

/**
 * Runs a script of the project, and ends with its exit code if it fails.
 * @param {string} script
 * @param {readonly string[]} args
 */
function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: projectFolder,
    stdio: "inherit",
    env: { ...process.env, PATH: path },
  });
  if (status !== 0) process.exit(status ?? 1);
}
