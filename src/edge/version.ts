import { readFileSync } from "node:fs";

/** Returns the product version from package.json. */
export function productVersion(): string {
  const { version } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  ) as { version: string };
  return version;
}
