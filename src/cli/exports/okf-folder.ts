import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix, relative, sep } from "node:path";
import { create } from "@bufbuild/protobuf";
import {
  ExportCountSchema,
  ExportHeaderSchema,
  type ExportRecord,
  ExportRecordSchema,
  type ExportTrailer,
  ExportTrailerSchema,
} from "#gen/vademecum/v1/export_pb.js";
import { CommandFailure } from "../command-io.js";
import { printable } from "../printable.js";
import type { NumberedRecord } from "./export-lines.js";
import {
  type Concept,
  ConceptFault,
  conceptOf,
  conceptText,
  okfVersion,
  parseConcept,
  recordOf,
} from "./okf-concept.js";

/** Files with a meaning of their own, at any level. */
const reserved: ReadonlySet<string> = new Set(["index.md", "log.md"]);

/**
 * Writes memories and blocks to a new folder, one file each. Writes it under another name first, so
 * that a cut off folder never has its name.
 */
export async function writeFolder(
  records: AsyncIterable<ExportRecord>,
  folder: string,
): Promise<ExportTrailer> {
  const part = `${folder}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true, mode: 0o700 });
  const written = new Set<string>();
  const users = new Set<string>();
  const counts = new Map<string, bigint>();
  let trailer: ExportTrailer | undefined;
  for await (const record of records) {
    if (record.record.case === "trailer") trailer = record.record.value;
    const concept = conceptOf(record);
    if (concept === undefined) continue;
    const path = freePath(pathOf(record), written);
    await mkdir(join(part, dirname(path)), { recursive: true, mode: 0o700 });
    await writeFile(join(part, path), conceptText(concept), { mode: 0o600 });
    users.add(path.split("/")[1] ?? "");
    const kind = record.record.case ?? "";
    counts.set(kind, (counts.get(kind) ?? 0n) + 1n);
  }
  await writeFile(join(part, "index.md"), indexText(users), { mode: 0o600 });
  await rename(part, folder);
  return create(ExportTrailerSchema, {
    counts: countsIn(counts),
    movedUsers: trailer?.movedUsers ?? 0n,
    movedTo: trailer?.movedTo ?? [],
  });
}

/** Returns the index of a bundle, with links to the folders of its users. */
function indexText(users: ReadonlySet<string>): string {
  const links = [...users].map((name) => `* [${name}](users/${encodeURIComponent(name)}/)\n`);
  return `---\nokf_version: "${okfVersion}"\n---\n\n# Users\n\n${links.join("")}`;
}

/** Returns the path of a memory or block in a bundle, without the suffix. */
function pathOf({ record }: ExportRecord): string {
  if (record.case === "block")
    return posix.join(
      "users",
      fileName(record.value.userId),
      "blocks",
      fileName(record.value.label),
    );
  const memory = record.case === "memory" ? record.value.version?.memory : undefined;
  const { userId = "", agentId = "" } = memory?.namespace ?? {};
  const folder = ["users", fileName(userId), "agents", fileName(agentId), "memories"];
  return posix.join(...folder, fileName(memory?.id ?? ""));
}

/** Maximum length of a name that is made of an id, in characters. */
const nameMax = 100;

/**
 * Returns a name of a file or folder for an id. All characters but letters, digits, `-`, `_` and
 * `.` inside of it are percent-encoded. A long id is cut, and gets a digest.
 */
function fileName(id: string): string {
  const bytes = Buffer.from(id);
  const name = [...bytes]
    .map((byte, at) => {
      const character = String.fromCharCode(byte);
      const isPlain = /[\w-]/.test(character) || (character === "." && at > 0);
      return isPlain ? character : `%${byte.toString(16).padStart(2, "0")}`;
    })
    .join("");
  if (name.length <= nameMax) return name;
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return `${name.slice(0, nameMax - 17).replace(/%.?$/, "")}-${digest}`;
}

/**
 * Returns a path that no other file has, on file systems that ignore the case of letters too, and
 * that the format does not reserve.
 */
function freePath(path: string, written: Set<string>): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? `${path}.md` : `${path}~${number}.md`;
    const key = free.toLowerCase();
    if (written.has(key) || reserved.has(posix.basename(key))) continue;
    written.add(key);
    return free;
  }
}

/** A file of a bundle, and its path in it. */
export interface ConceptFile {
  readonly path: string;
  readonly concept: Concept;
}

/** Returns the paths of the concepts in a folder, sorted. Skips hidden files and folders. */
export async function conceptPaths(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !path.split("/").some((part) => part.startsWith(".")))
    .filter((path) => !reserved.has(posix.basename(path).toLowerCase()))
    .sort();
}

/**
 * Reads a file of a bundle.
 *
 * @throws CommandFailure when it is no concept
 */
export async function readConcept(folder: string, path: string): Promise<Concept> {
  const bytes = await readFile(join(folder, path));
  try {
    return parseConcept(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    if (error instanceof ConceptFault) throw fileFault(path, error.message);
    throw fileFault(path, "it is not UTF-8");
  }
}

/**
 * Returns the record of a file that an export wrote; `undefined` for a file of another program.
 *
 * @throws CommandFailure when the entry of the export is damaged
 */
export function recordIn({ path, concept }: ConceptFile): ExportRecord | undefined {
  try {
    return recordOf(concept);
  } catch (error) {
    if (error instanceof ConceptFault) throw fileFault(path, error.message);
    throw error;
  }
}

function fileFault(path: string, what: string): CommandFailure {
  return new CommandFailure(`file: '${printable(path)}' is no concept of the format: ${what}`, 2);
}

/** Yields the records of files that an export wrote, between a header and a trailer. */
export async function* folderRecords(
  folder: string,
  paths: readonly string[],
): AsyncGenerator<NumberedRecord> {
  const header = create(ExportHeaderSchema, { format: 1 });
  yield { line: 1, bytes: 0, record: wrap({ case: "header", value: header }) };
  const counts = new Map<string, bigint>();
  for (const [at, path] of paths.entries()) {
    const concept = await readConcept(folder, path);
    const record = recordIn({ path, concept });
    if (record === undefined) throw fileFault(path, "it changed during the import");
    const kind = record.record.case ?? "";
    counts.set(kind, (counts.get(kind) ?? 0n) + 1n);
    yield { line: at + 2, bytes: concept.body.length, record };
  }
  const trailer = create(ExportTrailerSchema, { counts: countsIn(counts) });
  yield { line: paths.length + 2, bytes: 0, record: wrap({ case: "trailer", value: trailer }) };
}

function wrap(record: ExportRecord["record"]): ExportRecord {
  return create(ExportRecordSchema, { record });
}

function countsIn(counts: ReadonlyMap<string, bigint>) {
  return [...counts].map(([kind, records]) => create(ExportCountSchema, { kind, records }));
}
