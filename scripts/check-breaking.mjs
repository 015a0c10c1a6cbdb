// Fails if the `.proto` files have a change that breaks callers. Compares them with the last
// release or, before the first release, with the main branch before these changes.
import { execFileSync, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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

/**
 * Returns the commit to compare with if there is no release. On a branch, this is the commit at
 * which the branch left main. On main, this is the previous commit. Returns `undefined` in a clone
 * without history.
 */
function mainBefore() {
  const head = git("rev-parse", "HEAD");
  const fork = git("merge-base", "HEAD", "origin/main");
  const base = fork === undefined || fork === head ? git("rev-parse", "--verify", "HEAD~1") : fork;
  return base !== undefined && git("cat-file", "-t", `${base}:proto`) === "tree" ? base : undefined;
}

/**
 * Returns the output of a git command, or `undefined` if it fails.
 * @param {readonly string[]} args
 */
function git(...args) {
  try {
    return execFileSync("git", args, {
      cwd: projectFolder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}
