// Installs programs with package managers into the user's cache. Each list of packages has its own
// folder there.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/**
 * A part of the digest in the path of every folder. Change this text to stop the use of all
 * existing folders, for example after a change of how packages are installed.
 */
const layout = "renamed into place";

/**
 * Returns the path of the folder for packages. The path has a digest of their names and versions.
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
 * Returns the folder with the packages. If the folder does not exist, calls `install` with a
 * temporary folder, and then renames the temporary folder. So the returned folder is always
 * complete, even if several processes install the same packages at the same time.
 *
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
