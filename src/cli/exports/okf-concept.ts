import { create, fromJson, type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import { parseDocument, stringify, visit } from "yaml";
import {
  type ExportedBlock,
  ExportedBlockSchema,
  type ExportedMemory,
  ExportedMemorySchema,
  type ExportRecord,
  ExportRecordSchema,
} from "#gen/vademecum/v1/export_pb.js";
import { isChangedByDouble, mayBeInexact } from "../../core/text/json-numbers.js";
import { isObject } from "../imports/export-values.js";

/** The version of the Open Knowledge Format that this build writes. */
export const okfVersion = "0.2";

/** The entry of the front matter with all fields that the format has no entry for. */
const ownEntry = "vademecum";

/** Maximum length of the title of a memory, in characters. */
const titleMax = 80;

/** A file of a bundle: its front matter, and the text after it. */
export interface Concept {
  readonly frontMatter: JsonObject;
  readonly body: string;
}

/** Returns the file of a memory or block; `undefined` for other records. */
export function conceptOf({ record }: ExportRecord): Concept | undefined {
  if (record.case === "memory") return conceptOfMemory(record.value);
  return record.case === "block" ? conceptOfBlock(record.value) : undefined;
}

function conceptOfMemory(exported: ExportedMemory): Concept {
  const json = toJson(ExportedMemorySchema, exported) as JsonObject;
  const version = objectIn(json, "version");
  const { content: _, tags, tokenCount: _count, ...memory } = objectIn(version, "memory");
  const { supersededBy, expireTime } = memory;
  const content = exported.version?.memory?.content ?? "";
  return {
    frontMatter: {
      type: "Memory",
      title: titleOf(content),
      ...(tags !== undefined && { tags }),
      ...generatedBy(version["changedBy"], version["changeTime"]),
      ...(supersededBy !== undefined && { status: "deprecated" }),
      ...(typeof expireTime === "string" && { stale_after: expireTime.slice(0, 10) }),
      [ownEntry]: { memory: { ...json, version: { ...version, memory } } },
    },
    body: content,
  };
}

function conceptOfBlock(exported: ExportedBlock): Concept {
  const json = toJson(ExportedBlockSchema, exported) as JsonObject;
  const { body: _, title = "", tokenCount: _count, ...version } = objectIn(json, "version");
  return {
    frontMatter: {
      type: "Memory Block",
      title,
      ...generatedBy(version["writtenBy"], version["writeTime"]),
      [ownEntry]: { block: { ...json, version } },
    },
    body: exported.version?.body ?? "",
  };
}

/** Names who wrote the present text. The format calls everybody but people a process. */
function generatedBy(by: JsonValue | undefined, at: JsonValue | undefined): JsonObject {
  return {
    generated: {
      by: `process:${typeof by === "string" ? by : "anonymous"}`,
      ...(at !== undefined && { at }),
    },
  };
}

function titleOf(content: string): string {
  const [line = ""] = content.trim().split(/\r?\n/, 1);
  const characters = Array.from(line);
  return characters.length <= titleMax ? line : `${characters.slice(0, titleMax - 1).join("")}…`;
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isObject(value) ? value : {};
}

/** Writes a file. Exactly one line break stands before the body, and one after it. */
export function conceptText({ frontMatter, body }: Concept): string {
  return `---\n${stringify(frontMatter, { lineWidth: 0 })}---\n\n${body}\n`;
}

/** Says why a file is no concept. */
export class ConceptFault extends Error {
  override readonly name = "ConceptFault";
}

/**
 * Reads a file.
 *
 * @throws ConceptFault when it has no front matter with a type, or has a number that is not exact
 */
export function parseConcept(text: string): Concept {
  const begin = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  const inside = text.slice(begin?.[0].length);
  const end = /^---[ \t]*(?:\r?\n|$(?![\s\S]))/m.exec(inside);
  if (begin === null || end === null)
    throw new ConceptFault("it does not begin with front matter between two lines of ---");
  const yaml = inside.slice(0, end.index);
  const rest = inside.slice(end.index + end[0].length);
  const document = parseDocument(yaml, { intAsBigInt: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = (error.linePos?.[0].line ?? 0) + 1;
    throw new ConceptFault(`line ${line}: ${error.message.split("\n")[0] ?? ""}`);
  }
  visit(document, { Scalar: (_, { value, source }) => requireExact(value, source) });
  const frontMatter = plain(document.toJS(), "");
  if (!isObject(frontMatter)) throw new ConceptFault("its front matter has no entries");
  const { type } = frontMatter;
  if (typeof type !== "string" || type.trim() === "")
    throw new ConceptFault("its front matter has no type");
  return { frontMatter, body: bodyIn(rest) };
}

/** Drops the line break before the body and the one after it. */
function bodyIn(rest: string): string {
  return rest.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
}

/** Refuses a number with a dot or an exponent that its double does not hold. */
function requireExact(value: unknown, source: string | undefined): void {
  if (typeof value !== "number" || source === undefined) return;
  if (mayBeInexact(source) && isChangedByDouble(source))
    throw new ConceptFault(
      `it has the number ${source}, which numbers cannot hold exactly; write an id in quotes, as a text`,
    );
}

/** Returns a value of YAML as JSON. */
function plain(value: unknown, path: string): JsonValue {
  if (typeof value === "bigint") {
    if (BigInt(Number(value)) === value) return Number(value);
    throw new ConceptFault(
      `${path} is ${value}, which numbers cannot hold exactly; write an id in quotes, as a text`,
    );
  }
  if (Array.isArray(value)) return value.map((item, at) => plain(item, `${path}[${at}]`));
  if (typeof value !== "object" || value === null) return value as JsonValue;
  const entries = Object.entries(value).map(([key, item]) => {
    return [key, plain(item, path === "" ? key : `${path}.${key}`)] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the record of a file that an export wrote, with the text and tags that the file has now;
 * `undefined` for a file of another program.
 *
 * @throws ConceptFault when the entry of the export is damaged
 */
export function recordOf({ frontMatter, body }: Concept): ExportRecord | undefined {
  const own = frontMatter[ownEntry];
  if (!isObject(own)) return undefined;
  try {
    if (isObject(own["block"])) {
      const value = fromJson(ExportedBlockSchema, own["block"]);
      const { title } = frontMatter;
      if (value.version !== undefined) {
        value.version.body = body;
        value.version.title = typeof title === "string" ? title : "";
      }
      return create(ExportRecordSchema, { record: { case: "block", value } });
    }
    const value = fromJson(ExportedMemorySchema, own["memory"] ?? {});
    if (value.version?.memory !== undefined) {
      value.version.memory.content = body;
      value.version.memory.tags = tagsOf(frontMatter);
    }
    return create(ExportRecordSchema, { record: { case: "memory", value } });
  } catch (error) {
    throw new ConceptFault(`its entry "${ownEntry}" is damaged: ${String(error)}`);
  }
}

/** Returns the tags of a file. */
export function tagsOf({ tags }: JsonObject): string[] {
  return Array.isArray(tags) ? tags.map(String) : [];
}
