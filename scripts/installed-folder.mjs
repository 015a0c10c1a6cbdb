// Folders in the user's cache with programs from package managers, one for each list of packages.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/**
 * Returns where packages are installed: another folder when a version changes.
 * @param {string} name
 * @param {readonly string[]} packages
 */
export function cacheFolder(name, packages) {
  const digest = createHash("sha256").update(packages.join("\n")).digest("hex").slice(0, 12);
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return join(cache, "vademecum", `${name}-${digest}`);
}

/**
 * Returns the folder with the packages. `install` fills it if that has not been done. Several
 * processes may call this at once: each fills a folder of its own, and the first one to end gives
 * its folder to all.
 * @param {string} name
 * @param {readonly string[]} packages
 * @param {(folder: string, packages: readonly string[]) => void} install
 */
export function installedFolder(name, packages, install) {
  const folder = cacheFolder(name, packages);
  const done = join(folder, ".installed");
  if (!existsSync(done)) {
    process.stderr.write(`Installing once: ${packages.join(", ")}\n`);
    mkdirSync(dirname(folder), { recursive: true });
    const own = mkdtempSync(`${folder}.`);
    try {
      install(own, packages);
      writeFileSync(join(own, ".installed"), "");
      if (!existsSync(done)) publish(own, folder);
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  }
  return folder;
}

/**
 * @param {string} own
 * @param {string} folder
 */
function publish(own, folder) {
  // A folder that an interrupted run has left is not complete.
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(own, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(join(folder, ".installed"))) throw error;
  }
}
