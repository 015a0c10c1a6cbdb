import { randomBytes } from "node:crypto";

/** Returns a new `Store.pageKey`. */
export function randomPageKey(): string {
  return randomBytes(32).toString("base64url");
}
