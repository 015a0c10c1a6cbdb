import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Returns the path of the server's program `main.js`:
 *
 * 1. the value of the variable `CONTRACT_SERVER`
 * 2. the program of the package `vademecum`, if it is installed in this folder or one above
 * 3. the built program of a clone, from a folder inside it
 *
 * @throws Error when there is no such program
 */
export function findServer(): string {
  const named = process.env["CONTRACT_SERVER"];
  if (named) return named;
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const installed = join(folder, "node_modules", "vademecum", "dist", "main.js");
    if (existsSync(installed)) return installed;
    const built = join(folder, "dist", "main.js");
    if (existsSync(built) && existsSync(join(folder, "integrations", "contract"))) return built;
    if (folder === dirname(folder))
      throw new Error(
        "no server found: install the package vademecum, or set CONTRACT_SERVER to its dist/main.js",
      );
  }
}
