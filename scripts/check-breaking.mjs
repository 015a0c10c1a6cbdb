// Fails if the `.proto` files have a change that breaks callers. Compares them with the last
// release or, before the first release, with the main branch before these changes.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { baseCommit, git } from "./base-commit.mjs";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const buf = join("node_modules", "@bufbuild", "buf", "bin", "buf");

const base = lastRelease() ?? mainBefore();
if (base === undefined) {
  process.stdout.write("No earlier state of the definitions to compare with.\n");
} else {
  process.stdout.write(`Comparing the definitions with ${base}.\n`);
  const against = `.git#ref=${base},subdir=proto`;
  const { status } = spawnSync(process.execPath, [buf, "breaking", "proto", "--against", against], {
    cwd: projectFolder,
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
}

function lastRelease() {
  return git("describe", "--tags", "--abbrev=0", "--match", "v*");
}

/** Returns the base commit if it has definitions. */
function mainBefore() {
  const commit = baseCommit();
  return commit !== undefined && git("cat-file", "-t", `${commit}:proto`) === "tree"
    ? commit
    : undefined;
}
