import { open, readFile, rm, stat, truncate } from "node:fs/promises";
import { join } from "node:path";

/** One damage to one file. */
export interface Place {
  /** The state of the folder: stopped by `close`, or as a kill leaves it. */
  readonly state: "closed" | "killed";
  /** The path of the file in the data folder. */
  readonly file: string;
  readonly kind: "flip bit" | "flip byte" | "zero block" | "cut" | "remove";
  /** Where in the file, as a share of its size: 0 to 1. */
  readonly share: number;
}

const blockBytes = 512;

/** Damages a file. An empty file does not change, unless the damage removes the file. */
export async function damage(folder: string, { file, kind, share }: Place): Promise<void> {
  const path = join(folder, file);
  if (kind === "remove") return rm(path);
  const { size } = await stat(path);
  if (size === 0) return;
  const offset = Math.min(size - 1, Math.floor(share * size));
  if (kind === "cut") return truncate(path, offset);
  const bytes = await readFile(path);
  if (kind === "flip bit") bytes.writeUInt8(bytes.readUInt8(offset) ^ (1 << (offset % 8)), offset);
  if (kind === "flip byte") bytes.writeUInt8(bytes.readUInt8(offset) ^ 0xff, offset);
  if (kind === "zero block") bytes.fill(0, offset, Math.min(size, offset + blockBytes));
  const handle = await open(path, "r+");
  await handle.write(bytes);
  await handle.close();
}
