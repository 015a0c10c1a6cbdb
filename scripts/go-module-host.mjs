import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const hostFile = join(projectFolder, "clients", "go", "module-host.json");

/** The first element of the paths of all Go modules. A fork sets its own in the file. */
export const goModuleHost = /** @type {{ host: string }} */ (
  JSON.parse(readFileSync(hostFile, "utf8"))
).host;

/** The path of a Go module, by its folder in the project. @param {string} folder */
export function goModulePath(folder) {
  return `${goModuleHost}/${folder}`;
}

/** The files and folders that name Go modules and that no other script writes. */
const namingPaths = [
  "clients/go",
  "clients/install/go-proxy",
  "examples/go",
  "gen/go/go.mod",
  "docs/guides/clients.md",
];

/** Writes the host into all files that name a Go module, where they still have another host. */
export function writeGoModuleHost() {
  const client = readFileSync(join(projectFolder, "clients", "go", "go.mod"), "utf8");
  const written = /^module (\S+)\/clients\/go$/m.exec(client)?.[1];
  if (written === undefined) throw new Error("clients/go/go.mod names no module HOST/clients/go");
  if (written === goModuleHost) return;
  for (const path of namingPaths)
    for (const file of filesIn(join(projectFolder, path))) {
      const text = readFileSync(file, "utf8");
      const changed = text.replaceAll(`${written}/`, `${goModuleHost}/`);
      if (changed !== text) writeFileSync(file, changed);
    }
}

/**
 * @param {string} path a file or a folder
 * @returns {string[]} the file, or all files in the folder
 */
function filesIn(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
