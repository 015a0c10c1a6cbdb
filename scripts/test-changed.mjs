// Runs the quick tests of the files that have changed since the base, and of the files that import
// them.
import { spawnSync } from "node:child_process";
import { baseCommit } from "./base-commit.mjs";

const base = baseCommit();
const changed = base === undefined ? [] : ["--changed", base];
const { status } = spawnSync("npx", ["vitest", "run", "--passWithNoTests", ...changed], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
