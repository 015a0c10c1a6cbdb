import { stat } from "node:fs/promises";

/** Bits of a mode that let the group or others read, write or run. */
const othersMask = 0o077;

/**
 * Returns the mode of a file or folder, such as `644`, if it lets other users of the machine read
 * or change it. Returns `undefined` if it does not, and on Windows, which has no such modes.
 *
 * @throws Error of the system when there is no such file or folder
 */
export async function modeForOthers(path: string): Promise<string | undefined> {
  const { mode } = await stat(path);
  if (process.platform === "win32" || (mode & othersMask) === 0) return undefined;
  return (mode & 0o777).toString(8);
}
