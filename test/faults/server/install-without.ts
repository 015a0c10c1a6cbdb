import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";

const projectFolder = join(import.meta.dirname, "..", "..", "..");

/**
 * Installs the built project in a folder, but leaves out one entry of `gen`, `models` or
 * `node_modules`, such as `models/static-256`. Returns the program to run.
 */
export async function installWithout(missing: string, folder: string): Promise<string> {
  for (const part of ["gen", "models", "node_modules"]) {
    await mkdir(join(folder, part), { recursive: true });
    for (const name of await readdir(join(projectFolder, part))) {
      const entry = join(part, name);
      if (entry !== missing) await symlink(join(projectFolder, entry), join(folder, entry));
    }
  }
  // Copies, because Node would run a linked program in the folder of the link's target.
  for (const copied of ["dist", "package.json"])
    await cp(join(projectFolder, copied), join(folder, copied), { recursive: true });
  return join(folder, "dist", "main.js");
}
