// Generates all files that have a source:
//
// - from the `.proto` files: the TypeScript stubs in gen/; the handles of the clients;
//   docs/reference/api.md;
//   the table of roles in docs/operate/security.md. With `--all`, also the stubs of each other
//   language whose toolchain is installed. The first time in a user's account, this compiles
//   plugins and takes minutes.
// - from the kernels in AssemblyScript: gen/wasm
// - from the settings in src/config: docs/reference/configuration.md
// - from the commands in src/cli: docs/reference/commands.md
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const buf = join("node_modules", "@bufbuild", "buf", "bin", "buf");
// buf looks for its plugins on the PATH.
const path = [join(projectFolder, "node_modules", ".bin"), process.env["PATH"]].join(
  process.platform === "win32" ? ";" : ":",
);

run(buf, "generate");
run("scripts/generate-go-modules.mjs");
if (process.argv.includes("--all")) run("scripts/generate-stubs.mjs");
run("scripts/generate-clients.mjs");
run("scripts/build-kernel.mjs");
run("scripts/generate-api-docs.mjs");
run("scripts/generate-configuration-docs.mjs");
run("scripts/generate-command-docs.mjs");
run("scripts/generate-role-docs.mjs");

/**
 * Runs a script of the project. If the script fails, this process ends with the same exit code.
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
