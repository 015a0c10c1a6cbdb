import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { crc32 } from "node:zlib";
import { fromJson, type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import {
  type ExportRecord,
  ExportRecordSchema,
  type ExportTrailer,
} from "#gen/vademecum/v1/export_pb.js";
import { errorText } from "../../core/model/errors.js";
import { inexactFault, noLimits, scanJson } from "../../core/text/scan-json.js";
import { CommandFailure } from "../command-io.js";

/** The version of the format that this build reads. */
const format = 1;

/** Maximum length of a line, in bytes. The limits of the service keep every record shorter. */
const lineMaxBytes = 32 * 1024 * 1024;

/** A record, and its line in the file, from 1. */
export interface NumberedRecord {
  readonly line: number;
  readonly record: ExportRecord;
  /** Size of the line, in bytes. */
  readonly bytes: number;
}

/** Writes records as lines. The trailer gets the SHA-256 of all lines before it. */
export class LineWriter {
  readonly #hash: Hash = createHash("sha256");

  /** Returns the line of a record, with its line break. */
  lineOf(record: ExportRecord): string {
    if (record.record.case === "trailer") record.record.value.sha256 = this.#hash.digest("hex");
    const line = `${withCheck(JSON.stringify(toJson(ExportRecordSchema, record)))}\n`;
    if (record.record.case !== "trailer") this.#hash.update(line);
    return line;
  }
}

/** Adds the CRC-32 of a JSON object to it, as its last entry. */
function withCheck(json: string): string {
  return `${json.slice(0, -1)},"check":"${checkOf(json)}"}`;
}

function checkOf(json: string): string {
  return crc32(json).toString(16).padStart(8, "0");
}

const checkAtEnd = /,"check":"([\da-f]{8})"\}$/;

/**
 * Reads the records of a file, and checks each line.
 *
 * @throws CommandFailure with the number of a line that is damaged
 */
export async function* readExport(path: string): AsyncGenerator<NumberedRecord> {
  let line = 0;
  for await (const bytes of linesOf(path)) {
    line += 1;
    yield { line, record: recordOf(bytes, faultAt(path, line)), bytes: bytes.length };
  }
}

/** Returns the failure of a file. `what` says what is wrong. */
type Fault = (what: string) => CommandFailure;

function faultAt(path: string, line: number): Fault {
  return (what) => new CommandFailure(`file: line ${line} of '${path}' ${what}`, 2);
}

function recordOf(bytes: Buffer, fault: Fault): ExportRecord {
  if (bytes.length > lineMaxBytes) throw fault(`has more than ${lineMaxBytes} bytes`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fault("is damaged: it is not UTF-8");
  }
  const check = checkAtEnd.exec(text);
  const json = check === null ? text : `${text.slice(0, check.index)}}`;
  if (check !== null && check[1] !== checkOf(json))
    throw fault("is damaged: its text does not have the check that was written");
  try {
    return fromJson(ExportRecordSchema, parse(json));
  } catch (error) {
    throw fault(`is no record of an export: ${errorText(error)}`);
  }
}

function parse(json: string): JsonValue {
  const { duplicateKey, inexact } = scanJson(Buffer.from(json), noLimits);
  if (duplicateKey !== undefined)
    throw new SyntaxError(`an object has the name ${JSON.stringify(duplicateKey)} twice`);
  const [number] = inexact;
  if (number !== undefined)
    throw new SyntaxError(`${number.path.join(".")} ${inexactFault(number)}`);
  const value = JSON.parse(json) as JsonValue;
  // A program that changes a file may leave the entry where it writes lines anew.
  const { check: _, ...record } = value as JsonObject;
  return record;
}

/** Yields the lines of a file without their line breaks. Skips an empty last line. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]);
      parts = [];
      length = 0;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > lineMaxBytes) break;
  }
  const rest = Buffer.concat(parts);
  if (rest.length > 0) yield rest;
}

/** Counts of a file that was read to its end. */
export interface CheckedExport {
  /** Number of lines. */
  readonly records: number;
  readonly trailer: ExportTrailer;
}

/**
 * Checks that a file is a whole export: every line, the counts and the digest of the trailer.
 *
 * @throws CommandFailure with the number of the line at fault
 */
export async function checkExport(path: string): Promise<CheckedExport> {
  const counts = new Map<string, bigint>();
  const hash = createHash("sha256");
  let trailer: ExportTrailer | undefined;
  let line = 0;
  for await (const bytes of linesOf(path)) {
    line += 1;
    const fault = faultAt(path, line);
    if (trailer !== undefined) throw fault("follows the trailer");
    const { record } = recordOf(bytes, fault);
    if (record.case === undefined) throw fault("has no record");
    requirePlace(record, line, fault);
    if (record.case === "trailer") {
      trailer = record.value;
      requireCounts(trailer, counts, fault);
      if (trailer.sha256 !== "" && trailer.sha256 !== hash.digest("hex"))
        throw fault("has another SHA-256 than the lines before it: the file was changed");
      continue;
    }
    hash.update(bytes).update("\n");
    if (record.case === "header") continue;
    const name = kindName(record.case);
    counts.set(name, (counts.get(name) ?? 0n) + 1n);
  }
  if (trailer === undefined)
    throw faultAt(
      path,
      line + 1,
    )("is missing: the file ends before its trailer, so it was cut off");
  return { records: line, trailer };
}

function requirePlace(record: ExportRecord["record"], line: number, fault: Fault): void {
  if ((record.case === "header") !== (line === 1))
    throw fault(line === 1 ? "is not the header of an export" : "is a second header");
  if (record.case === "header" && record.value.format !== format)
    throw fault(
      `has format ${record.value.format}, made by version ${record.value.productVersion}; this ` +
        `version reads format ${format}`,
    );
}

function requireCounts(
  trailer: ExportTrailer,
  counts: ReadonlyMap<string, bigint>,
  fault: Fault,
): void {
  const expected = new Map(trailer.counts.map(({ kind, records }) => [kind, records]));
  for (const kind of new Set([...expected.keys(), ...counts.keys()])) {
    const found = counts.get(kind) ?? 0n;
    if (found !== (expected.get(kind) ?? 0n))
      throw fault(
        `counts ${expected.get(kind) ?? 0n} records of the kind ${kind}; there are ${found}`,
      );
  }
}

/** Returns the name of a kind in a trailer, such as `memory_version`. */
function kindName(kind: string): string {
  return kind.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Whether a file begins as an export does. */
export async function isExport(path: string): Promise<boolean> {
  for await (const chunk of createReadStream(path, { end: 31 }) as AsyncIterable<Buffer>)
    return /^\s*\{\s*"header"\s*:/.test(chunk.toString("latin1"));
  return false;
}
