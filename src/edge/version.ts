import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "./package-folder.js";

/** Returns the product version from package.json. */
export function productVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as {
    version: string;
  };
  return version;
}
