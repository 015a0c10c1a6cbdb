import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Returns the licences of the packages that a bundle contains, as one text. Each licence asks that
 * copies of the package carry it.
 *
 * @param {readonly string[]} modules the paths of all modules of the bundle
 * @throws Error when a package has no licence file, unless its licence is the one in LICENSE
 */
export function licencesOf(modules) {
  const folders = new Set(
    modules.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  return [...folders].sort().map(licenceOf).join("\n\n");
}

/** @param {string} folder the folder of a package */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  // Some packages of a repository share the licence file of the repository.
  const file = [folder, dirname(folder)].flatMap(licenceFilesIn)[0];
  const title = `${name} ${version} (${license})`;
  return `${title}\n${"=".repeat(title.length)}\n\n${textOf(file, license, name)}\n`;
}

/**
 * @param {string | undefined} file
 * @param {string} license
 * @param {string} name
 */
function textOf(file, license, name) {
  if (file !== undefined) return readFileSync(file, "utf8").trim();
  if (license.includes("Apache-2.0")) return "The text of this licence is in the file LICENSE.";
  throw new Error(`the package ${name} has no licence file`);
}

/** @param {string} folder */
function licenceFilesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying)(?:[.-]|$)/i.test(file))
    .map((file) => join(folder, file));
}
