import { type FileHandle, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../disk/folders.js";
import { modeForOthers } from "./mode-for-others.js";

/** A file with secrets that cannot be used. The message says what to do. */
export class UnusableFile extends Error {
  override readonly name = "UnusableFile";
}

/**
 * Reads a file with secrets.
 *
 * @throws UnusableFile when others may read or change the file
 * @throws Error of the system when the file cannot be read
 */
export async function readPrivateFile(path: string): Promise<string> {
  const mode = await modeForOthers(path);
  if (mode !== undefined)
    throw new UnusableFile(
      `other users of this machine may read or change it (mode ${mode}); run \`chmod 600 ${path}\``,
    );
  return readFile(path, "utf8");
}

/**
 * Changes a file with secrets in one step. After a crash, the earlier file or the new file exists,
 * never a partial file. Rethrows errors of `change`.
 *
 * @param change returns the new text. Gets the text of the file, or `undefined` if there is no file
 * @throws UnusableFile when others may read the file, when its folder does not exist, or when
 *   another command is changing the file
 * @throws Error of the system when it cannot be read or written
 */
export async function changePrivateFile(
  path: string,
  change: (text: string | undefined) => string,
): Promise<void> {
  // For a symbolic link, changes the target of the link.
  const target = await realpath(path).catch(() => path);
  const temporary = `${target}.new`;
  // Only one process at a time can create this file, so the file is also a lock.
  const file = await open(temporary, "wx", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT")
      throw new UnusableFile(
        `the folder ${dirname(target)} does not exist; create it, for example with ` +
          `\`mkdir -m 700 -p ${dirname(target)}\``,
      );
    if (error.code !== "EEXIST") throw error;
    throw new UnusableFile(
      `another command is changing it; if no command is running, delete ${temporary} and retry`,
    );
  });
  try {
    const changed = change(await readIfPresent(target));
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

/** Returns the text of a file as `readPrivateFile` does; `undefined` if there is no file. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readPrivateFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
