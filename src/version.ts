import { readFileSync } from "node:fs";

/** The version of this product, from its package.json. */
export function productVersion(): string {
  const { version } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  ) as { version: string };
  return version;
}
