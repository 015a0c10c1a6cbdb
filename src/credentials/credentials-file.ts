import { type FileHandle, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import {
  type Credentials,
  formatCredentials,
  InvalidCredentials,
  parseCredentials,
} from "./credentials.js";
import { modeForOthers } from "./mode-for-others.js";

/**
 * Reads a credentials file.
 *
 * @throws InvalidCredentials when the content is wrong, or when others may read or change the file
 * @throws Error of the system when the file cannot be read
 */
export async function readCredentialsFile(path: string): Promise<Credentials> {
  const mode = await modeForOthers(path);
  if (mode !== undefined)
    throw new InvalidCredentials(
      `other users of this machine may read or change it (mode ${mode}); run \`chmod 600 ${path}\``,
    );
  return parseCredentials(await readFile(path, "utf8"));
}

/**
 * Changes a credentials file in one step. A file that does not exist counts as a file without
 * principals. After a crash, the earlier file or the new file exists, never a partial file.
 * Rethrows errors of `change`.
 *
 * @throws InvalidCredentials when the file is wrong, before or after the change, when its folder
 *   does not exist, or when another command is changing it
 * @throws Error of the system when it cannot be read or written
 */
export async function changeCredentialsFile(
  path: string,
  change: (credentials: Credentials) => Credentials,
): Promise<void> {
  // For a symbolic link, changes the target of the link.
  const target = await realpath(path).catch(() => path);
  const temporary = `${target}.new`;
  // Only one process at a time can create this file, so the file is also a lock.
  const file = await open(temporary, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT")
      throw new InvalidCredentials(
        `the folder ${dirname(target)} does not exist; create it, for example with ` +
          `\`mkdir -m 700 -p ${dirname(target)}\``,
      );
    if (error.code !== "EEXIST") throw error;
    throw new InvalidCredentials(
      `another command is changing it; if no command is running, delete ${temporary} and retry`,
    );
  });
  try {
    const changed = formatCredentials(change(await readOrEmpty(target)));
    parseCredentials(changed);
    await takeOver(file, target);
    await file.writeFile(changed);
    await file.sync();
    await file.close();
    await rename(temporary, target);
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

/**
 * Gives a new file the owner of the replaced file. A server that runs as this owner can then read
 * the new file, even if another user runs the command.
 */
async function takeOver(file: FileHandle, replaced: string): Promise<void> {
  const owner = await stat(replaced).catch(() => undefined);
  if (owner === undefined) return;
  const { uid, gid } = await file.stat();
  if (owner.uid !== uid || owner.gid !== gid) await file.chown(owner.uid, owner.gid);
}

async function readOrEmpty(path: string): Promise<Credentials> {
  try {
    return await readCredentialsFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { principals: [] };
    throw error;
  }
}

/** Makes the rename durable. Windows cannot open folders. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
