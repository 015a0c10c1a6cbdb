import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files and folders from which `dist` is built, relative to the project. */
const sources = [
  "src",
  "console",
  "gen/ts",
  "scripts/build.mjs",
  "scripts/build-console.mjs",
  "scripts/console-descriptors.mjs",
  "scripts/compile.mjs",
  "package.json",
];

/** The file in `dist` with the digest of the sources of the build. */
export const stampName = ".sources-sha256";

/**
 * Returns the SHA-256 of the names and contents of all sources. If it has changed since the last
 * build, `dist` is stale.
 * @param {string} projectFolder
 */
export function sourceDigest(projectFolder) {
  const hash = createHash("sha256");
  for (const source of sources) {
    for (const file of filesOf(projectFolder, source)) {
      const content = readFileSync(join(projectFolder, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest("hex");
}

/**
 * @param {string} projectFolder
 * @param {string} source
 */
function filesOf(projectFolder, source) {
  if (/\.\w+$/.test(source)) return [source];
  return readdirSync(join(projectFolder, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(projectFolder.length + 1))
    .sort();
}
