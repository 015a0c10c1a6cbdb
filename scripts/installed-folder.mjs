// Folders in the user's cache with programs from package managers, one for each list of packages.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** Part of the digest in a folder's name. Change the value to leave the earlier folders unused. */
const layout = "renamed into place";

/**
 * Returns the folder for packages. If a version changes, the folder is another.
 * @param {string} name
 * @param {readonly string[]} packages
 */
export function cacheFolder(name, packages) {
  const digest = createHash("sha256")
    .update([layout, ...packages].join("\n"))
    .digest("hex")
    .slice(0, 12);
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return join(cache, "vademecum", `${name}-${digest}`);
}

/**
 * Returns the folder with the packages. If the folder does not exist, `install` fills a temporary
 * folder, which then gets the name. So processes that install the same packages at the same time do
 * not disturb each other, and the folder is never incomplete.
 * @param {string} name
 * @param {readonly string[]} packages
 * @param {(folder: string, packages: readonly string[]) => void} install
 */
export function installedFolder(name, packages, install) {
  const folder = cacheFolder(name, packages);
  if (existsSync(folder)) return folder;
  process.stderr.write(`Installing once: ${packages.join(", ")}\n`);
  mkdirSync(dirname(folder), { recursive: true });
  const own = mkdtempSync(`${folder}-`);
  try {
    install(own, packages);
    renameUnlessThere(own, folder);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
  return folder;
}

/**
 * @param {string} own
 * @param {string} folder
 */
function renameUnlessThere(own, folder) {
  try {
    renameSync(own, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
}
