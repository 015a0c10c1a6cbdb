import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The sources of `dist`, relative to the project. */
const sources = [
  "src",
  "gen/ts",
  "scripts/build.mjs",
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
];

/** File with the digest of a build's sources, relative to the build's folder. */
export const stampName = ".sources-sha256";

/**
 * Returns the SHA-256 of the names and contents of the sources, which changes whenever the build
 * could change.
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
