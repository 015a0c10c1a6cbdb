import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What `dist` is made from, relative to the project. */
const sources = ["src", "gen/ts", "package.json", "tsconfig.json", "tsconfig.build.json"];

/** Where a build notes the digest of the sources that it was made from, relative to its folder. */
export const stampName = ".sources-sha256";

/**
 * SHA-256 over names and contents of the sources: changes whenever a build could come out
 * differently.
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
  if (source.endsWith(".json")) return [source];
  return readdirSync(join(projectFolder, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(projectFolder.length + 1))
    .sort();
}
