import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Returns the commit that changes are compared with. On a branch, this is the commit at which the
 * branch left main. On main, this is the previous commit. Returns `undefined` in a clone without
 * history.
 */
export function baseCommit() {
  const head = git("rev-parse", "HEAD");
  const fork = git("merge-base", "HEAD", "origin/main");
  return fork === undefined || fork === head ? git("rev-parse", "--verify", "HEAD~1") : fork;
}

/**
 * Returns the output of a git command, or `undefined` if it fails.
 * @param {readonly string[]} args
 */
export function git(...args) {
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
