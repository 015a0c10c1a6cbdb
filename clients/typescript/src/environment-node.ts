import { readFileSync } from "node:fs";

/**
 * Returns the API key in VADEMECUM_API_KEY, or in the file that VADEMECUM_API_KEY_FILE names.
 * Returns `undefined` if neither variable is set.
 *
 * @throws TypeError when the file cannot be read
 */
export function environmentKey(): string | undefined {
  return variable("VADEMECUM_API_KEY") ?? environmentFile("VADEMECUM_API_KEY_FILE")?.trim();
}

/**
 * Returns the text of the file that a variable names, or `undefined` if the variable is not set.
 *
 * @throws TypeError when the file cannot be read
 */
export function environmentFile(name: string): string | undefined {
  const path = variable(name);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new TypeError(`${name}: cannot read ${JSON.stringify(path)}`, { cause });
  }
}

/** Returns the value of a variable. An empty variable counts as not set. */
function variable(name: string): string | undefined {
  return process.env[name] || undefined;
}
