// Fails when the definitions break callers of an earlier state: of the last release where there is one, else of the main branch before these changes.
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

/** The commit that a branch left main at; on main itself the commit before. `undefined` in a clone without history. */
function mainBefore() {
  const head = git("rev-parse", "HEAD");
  const fork = git("merge-base", "HEAD", "origin/main");
  const base = fork === undefined || fork === head ? git("rev-parse", "--verify", "HEAD~1") : fork;
  return base !== undefined && git("cat-file", "-t", `${base}:proto`) === "tree" ? base : undefined;
}

/**
 * Returns what a git command prints, or `undefined` where it fails.
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
