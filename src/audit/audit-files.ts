import { createReadStream } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ChainLine, readLine } from "./chain.js";

/** Returns the folder of the audit trail in a data folder. */
export function auditFolder(dataFolder: string): string {
  return join(dataFolder, "audit");
}

/** Returns the day (UTC) of a time, as in the name of its file: `2026-11-27`. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** Returns the path of the file of a day. */
export function fileOf(folder: string, day: string): string {
  return join(folder, `${day}.jsonl`);
}

/** Returns the days that have a file, from the oldest on. An absent folder has none. */
export async function daysIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names
    .flatMap((name) => /^(\d{4}-\d{2}-\d{2})\.jsonl$/.exec(name)?.slice(1) ?? [])
    .toSorted();
}

/** A line of a file, or the bytes after the last line break. */
export interface FileLine {
  readonly text: string;
  /** Whether the line ends with a line break. */
  readonly isWhole: boolean;
}

/** Reads the lines of a file, one after the other. */
export async function* linesIn(path: string): AsyncGenerator<FileLine> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path)) {
    let start = 0;
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    for (let end = bytes.indexOf(lineBreak); end !== -1; end = bytes.indexOf(lineBreak, start)) {
      yield { text: bytes.toString("utf8", start, end), isWhole: true };
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield { text: rest.toString("utf8"), isWhole: false };
}

/** The end of a file. */
export interface FileEnd {
  /** Size up to the last line break. */
  readonly size: number;
  /** Bytes after the last line break: the beginning of a line that was not written to its end. */
  readonly tornBytes: number;
  /** The last line that can be read. */
  readonly line: ChainLine | undefined;
}

/** Reads the end of a file: at most 256 KiB, because a line has a few kilobytes at most. */
export async function readFileEnd(path: string): Promise<FileEnd> {
  const { size } = await stat(path);
  const file = await open(path, "r");
  try {
    const bytes = await readPart(file, Math.max(0, size - tailBytes), size);
    const whole = bytes.lastIndexOf(lineBreak) + 1;
    const tornBytes = bytes.length - whole;
    const texts = bytes.toString("utf8", 0, whole).split("\n");
    const line = texts.map((text) => readLine(text)).findLast((read) => read !== undefined);
    return { size: size - tornBytes, tornBytes, line };
  } finally {
    await file.close();
  }
}

async function readPart(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(end - start);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
  return bytes.subarray(0, bytesRead);
}

const lineBreak = 0x0a;
const tailBytes = 256 * 1024;
