// Folders in the user's cache with programs from package managers, one for each list of packages.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

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
 * Returns the folder with the packages. `install` fills it if that has not been done.
 * @param {string} name
 * @param {readonly string[]} packages
 * @param {(folder: string, packages: readonly string[]) => void} install
 */
export function installedFolder(name, packages, install) {
  const folder = cacheFolder(name, packages);
  const done = join(folder, ".installed");
  if (!existsSync(done)) {
    process.stderr.write(`Installing once: ${packages.join(", ")}\n`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    install(folder, packages);
    writeFileSync(done, "");
  }
  return folder;
}
