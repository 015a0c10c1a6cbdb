import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { fromJson, fromJsonString, type JsonObject, toJson } from "@bufbuild/protobuf";
import { Ajv, type ErrorObject } from "ajv";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import { MemorySchema } from "#gen/vademecum/v1/memory_pb.js";
import { type AddRequest, AddRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { type SearchRequest, SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import { errorText } from "../../core/model/errors.js";
import { CommandFailure } from "../command-io.js";
import { printable } from "../printable.js";
import { testFileSchema } from "./test-file-schema.js";

/** A memory that a test stores. `supersedes` of the request is the id of another test memory. */
export interface TestMemory {
  readonly id: string;
  readonly request: AddRequest;
}

/** Names memories: by the id of one, or by a text that they contain. */
export type Reference = string | { readonly text: string };

/** One query, and what its hits must be. */
export interface MemoryTest {
  readonly name: string;
  readonly search: SearchRequest;
  readonly expect: readonly Reference[];
  readonly expectFirst: Reference | undefined;
  readonly forbid: readonly Reference[];
  readonly maxHits: number;
  readonly maxTokens: number;
}

/** The contents of a test file. */
export interface TestFile {
  readonly path: string;
  /** The time of the test, in milliseconds since 1970. `undefined`: the machine's. */
  readonly nowMs: number | undefined;
  readonly memories: readonly TestMemory[];
  readonly tests: readonly MemoryTest[];
}

/** The namespace of all test memories. */
export const testNamespace = { userId: "test", agentId: "test" };

/** A test file as it is written, which the schema describes. */
interface WrittenFile {
  readonly now?: string;
  readonly memories?: readonly WrittenMemory[];
  readonly memories_file?: string;
  readonly tests: readonly WrittenTest[];
}

type WrittenMemory = JsonObject & { readonly id: string; readonly supersedes?: string };

interface WrittenTest {
  readonly name: string;
  readonly expect?: readonly Reference[];
  readonly expect_first?: Reference;
  readonly forbid?: readonly Reference[];
  readonly max_hits?: number;
  readonly max_tokens?: number;
}

/**
 * Reads a test file.
 *
 * @throws CommandFailure when the file cannot be read, or does not have the form of the schema, or
 *   a reference names no memory. The message has a line for each fault
 */
export async function readTestFile(path: string): Promise<TestFile> {
  const file = new FaultyParts(path);
  const text = await readText(path);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  for (const { linePos, message } of document.errors)
    file.add(linePos?.[0].line, message.split("\n")[0]?.replace(/ at line \d+.*/, "") ?? "");
  file.throwIfAny();
  const written: unknown = document.toJS();
  const validate = new Ajv({ allErrors: true, strict: false }).compile<WrittenFile>(testFileSchema);
  if (!validate(written)) {
    for (const error of validate.errors ?? [])
      if (!isPartOfChoice(error))
        file.add(lineOf(document, lines, pathOf(error)), faultText(error));
    throw file.failure();
  }
  const memories = [
    ...(written.memories ?? []).map((memory, index) =>
      file.read(lineOf(document, lines, ["memories", index]), () => memoryOf(memory)),
    ),
    ...(await memoriesBeside(path, written.memories_file)),
  ];
  file.throwIfAny();
  const known = memories.filter((it) => it !== undefined);
  checkIds(known, file, (index) => lineOf(document, lines, ["memories", index]));
  const tests = written.tests.map((test, index) => {
    const line = lineOf(document, lines, ["tests", index]);
    for (const reference of [...(test.expect ?? []), ...(test.forbid ?? []), test.expect_first])
      if (reference !== undefined && !known.some((it) => isNamed(it, reference)))
        file.add(line, `no memory ${referenceText(reference, "has the id", "contains")}`);
    return file.read(line, () => testOf(test));
  });
  file.throwIfAny();
  return {
    path,
    nowMs: written.now === undefined ? undefined : Date.parse(written.now),
    memories: known,
    tests: tests.filter((it) => it !== undefined),
  };
}

/** Whether a reference names a memory. */
export function isNamed({ id, request }: TestMemory, reference: Reference): boolean {
  if (typeof reference === "string") return id === reference;
  return request.content.toLowerCase().includes(reference.text.toLowerCase());
}

/** Writes a reference for a person. */
export function referenceText(
  reference: Reference,
  ofId = "",
  ofText = "a memory with the text",
): string {
  return typeof reference === "string"
    ? `${ofId} '${reference}'`.trim()
    : `${ofText} '${reference.text}'`;
}

function memoryOf({ id, ...fields }: WrittenMemory): TestMemory {
  return { id, request: fromJson(AddRequestSchema, fields) };
}

function testOf(test: WrittenTest): MemoryTest {
  const { name, expect = [], expect_first: expectFirst, forbid = [], ...rest } = test;
  const { max_hits: maxHits = Infinity, max_tokens: maxTokens = Infinity, ...search } = rest;
  const request = fromJson(SearchRequestSchema, { ...search, namespace: testNamespace });
  return { name, search: request, expect, expectFirst, forbid, maxHits, maxTokens };
}

/** Reads the memories of a file of JSON Lines beside the test file. */
async function memoriesBeside(path: string, name: string | undefined): Promise<TestMemory[]> {
  if (name === undefined) return [];
  const file = isAbsolute(name) ? name : join(dirname(path), name);
  const lines = (await readText(file)).split("\n");
  const faults = new FaultyParts(file);
  const memories = lines.map((line, index) =>
    line.trim() === "" ? undefined : faults.read(index + 1, () => storedMemory(line)),
  );
  faults.throwIfAny();
  return memories.filter((it) => it !== undefined);
}

/** Makes a test memory of a line of `vademecum list --json`. Its event is at the time it has. */
function storedMemory(line: string): TestMemory {
  const { id, createTime, eventTime, ...memory } = toJson(
    MemorySchema,
    fromJsonString(MemorySchema, line),
  ) as JsonObject;
  if (typeof id !== "string") throw new Error("the line is no memory of `vademecum list --json`");
  const fields = Object.entries(memory).filter(
    ([name]) => addFields.has(name) && !ownFields.has(name),
  );
  const happened = eventTime ?? createTime ?? null;
  return {
    id,
    request: fromJson(AddRequestSchema, { ...Object.fromEntries(fields), eventTime: happened }),
  };
}

const addFields: ReadonlySet<string> = new Set(
  AddRequestSchema.fields.map(({ jsonName }) => jsonName),
);

/** Fields of a stored memory that a test memory does not take over. */
const ownFields: ReadonlySet<string> = new Set(["namespace", "externalId", "embedding"]);

/** Checks that ids are unique, and that memories supersede earlier ones. */
function checkIds(
  memories: readonly TestMemory[],
  file: FaultyParts,
  lineAt: (index: number) => number | undefined,
): void {
  const earlier = new Set<string>();
  for (const [index, { id, request }] of memories.entries()) {
    if (earlier.has(id)) file.add(lineAt(index), `two memories have the id '${id}'`);
    const { supersedes } = request;
    if (supersedes !== undefined && !earlier.has(supersedes))
      file.add(lineAt(index), `supersedes: no earlier memory has the id '${supersedes}'`);
    earlier.add(id);
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new CommandFailure(`${printable(path)}: cannot read it: ${errorText(error)}`, 2);
  }
}

/** The faults of a file, each with its line. */
class FaultyParts {
  readonly #faults: string[] = [];
  constructor(private readonly path: string) {}

  add(line: number | undefined, fault: string): void {
    this.#faults.push(printable(`${this.path}:${line ?? 1}: ${fault}`));
  }

  /** Runs `read`, and adds what it throws. */
  read<T>(line: number | undefined, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.add(line, errorText(error));
      return undefined;
    }
  }

  throwIfAny(): void {
    if (this.#faults.length > 0) throw this.failure();
  }

  failure(): CommandFailure {
    return new CommandFailure(this.#faults.join("\nerror: "), 2);
  }
}

/** Whether an error is about one of several forms. The error of the choice itself says more. */
function isPartOfChoice({ keyword, schemaPath }: ErrorObject): boolean {
  return /\/(?:anyOf|oneOf)\/\d/.test(schemaPath) && keyword !== "oneOf";
}

type Path = readonly (string | number)[];

/** Returns the line of the innermost part of a path that the file has. */
function lineOf(document: Document, lines: LineCounter, path: Path): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}

function pathOf({ instancePath, keyword, params }: ErrorObject): Path {
  const path = instancePath
    .split("/")
    .slice(1)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const { additionalProperty } = params as { readonly additionalProperty?: string };
  return keyword === "additionalProperties" ? [...path, additionalProperty ?? ""] : path;
}

function faultText({ instancePath, keyword, message = "", params }: ErrorObject): string {
  const place = instancePath.slice(1).replaceAll("/", ".");
  const { additionalProperty, allowedValues } = params as {
    readonly additionalProperty?: string;
    readonly allowedValues?: readonly string[];
  };
  if (keyword === "additionalProperties")
    return `${place}: the field '${additionalProperty}' is not known; see \`vademecum test --schema\``;
  if (keyword === "anyOf" && place.startsWith("tests"))
    return `${place}: checks nothing; give expect, expect_first, forbid, max_hits or max_tokens`;
  if (keyword === "oneOf") return `${place}: must be the id of a memory, or {text: "…"}`;
  if (keyword === "anyOf") return "give memories, memories_file, or both";
  const values = allowedValues === undefined ? "" : `: ${allowedValues.join(", ")}`;
  return `${place}${place === "" ? "" : ": "}${message}${values}`;
}
