import type { DescMethod } from "@bufbuild/protobuf";
import { encodeShape } from "../../../bench/worst/encode-shape.js";
import { type FolderRecords, valuesFor } from "../../../bench/worst/filled-folder.js";
import type { RawCall } from "../../../bench/worst/raw-call.js";
import { type Part, type Shape, type Target, targetsOf } from "../../../bench/worst/shape.js";

/**
 * A field that an attack fills:
 *
 * - the path of the field
 * - the name of a `Filling`, which says what the field contains
 * - the size of the content: its bytes or its items. For a number field, the number itself
 * - the number of items in the first list on the path, default 1
 */
type Fill = readonly [path: string, filling: string, count: number, repeat?: number];

/** The records that a request reads. 0: many short memories; 1: a few large memories. */
type World = 0 | 1;

/** A request that could block or crash a server without limits on the elements of a request. */
export interface Attack {
  readonly method: string;
  readonly world: World;
  readonly encodings: readonly Shape["encoding"][];
  readonly fills: readonly Fill[];
}

const all = Infinity;
const emptyObjects = 'empty objects in a list of "a"';

/** Requests for an excerpt of a memory of 64 KiB. */
const excerpts = [
  attack("Search", ["budget_tokens", "largest number", 5_000]),
  attack("Recall", ["search.budget_tokens", "largest number", 5_000]),
  attack("Explain", ["search.budget_tokens", "largest number", 5_000]),
  attack("ExplainSearch", ["search.budget_tokens", "largest number", 5_000]),
  attack("QueryMemory", ["queries.budget_tokens", "largest number", 1_000]),
].map((request): Attack => ({ ...request, world: 1 }));

/** Requests that the server must refuse or answer soon, because it limits their elements. */
export const listedAttacks: readonly Attack[] = [
  attack("Add", ["metadata", "keys", 380_000]),
  attack("Add", ["metadata", emptyObjects, all]),
  attack("Add", ["metadata", 'empty lists in a list of "a"', all]),
  attack("Add", ["metadata", 'zeros in a list of "a"', all]),
  attack("SubmitToolResponse", ["memory_writes.content", "words", 65_536, 62]),
  attack("SubmitToolResponse", ["memory_writes", "empty items", all]),
  attack("Dispatch", ["arguments", 'nulls in a list of "tags"', all]),
  attack("Dispatch", ["arguments", "keys", 260_000]),
  attack("Dispatch", ["tool_name", '"no_tool"', 1], ["arguments", emptyObjects, all]),
  attack("Dispatch", ["arguments", "keys", 4_900]),
  attack(
    "Dispatch",
    ["tool_name", '"add_memory"', 1],
    ["arguments", 'nulls in a list of "tags"', 9_900],
  ),
  attack("RegisterTool", ["manifest.memory_access", "empty items", all]),
  attack("GetAll", ["filter.metadata", emptyObjects, all]),
  attack("Count", ["filter.metadata", emptyObjects, all]),
  attack("Search", ["filter.metadata", emptyObjects, all]),
  attack("DeleteWhere", ["filter.metadata", emptyObjects, all]),
  {
    ...attack(
      "Recall",
      ["search.limit", "largest number", 1_000],
      ["search.budget_tokens", "largest number", 1_000_000],
    ),
    world: 1,
  },
  ...excerpts,
  attack("QueryMemory", ["queries", "empty items", all]),
  attack("QueryMemory", ["queries.filter.metadata", emptyObjects, 10_000, 100]),
  attack("Update", ["changes.metadata", emptyObjects, all]),
  attack("Update", ["update_mask", "paths", all]),
  attack("AddTrace", ["trace_data", emptyObjects, all]),
  attack("AddBatch", ["add.metadata", emptyObjects, all]),
  attack("PutBlock", ["body", "random ASCII", 262_144]),
  { ...attack("GetAll", ["limit", "largest number", 1_000]), world: 1 },
  attack("Backup"),
  attack("StoreSkill", ["context", "random ASCII", 32_768], ["lesson", "random ASCII", 32_768]),
];

function attack(method: string, ...fills: readonly Fill[]): Attack {
  return { method, world: 0, encodings: ["binary", "json"], fills };
}

/** An attack on one method, encoded. */
export interface EncodedAttack extends RawCall {
  readonly name: string;
  readonly method: DescMethod;
}

/** Encodes the listed attacks. */
export function* encodedAttacks(
  methods: readonly DescMethod[],
  records: FolderRecords,
): Generator<EncodedAttack> {
  for (const method of methods)
    for (const listed of listedAttacks.filter(({ method: name }) => name === method.name))
      for (const encoding of listed.encodings) yield encode(method, listed, encoding, records);
}

/**
 * Encodes, for every method, a request with as many unknown fields as the largest message holds.
 */
export function* unknownFieldAttacks(
  methods: readonly DescMethod[],
  records: FolderRecords,
): Generator<EncodedAttack> {
  for (const method of methods) {
    const unknown = attack(method.name, ["", "unknown fields", all]);
    for (const encoding of unknown.encodings) yield encode(method, unknown, encoding, records);
  }
}

/**
 * Returns one unary method, and one method for each kind of stream. The server refuses unknown
 * fields in the same way for all methods of a kind.
 */
export function oneOfEachKind(methods: readonly DescMethod[]): readonly DescMethod[] {
  return [...new Map(methods.map((method) => [method.methodKind, method])).values()];
}

function encode(
  method: DescMethod,
  { world, fills }: Attack,
  encoding: Shape["encoding"],
  records: FolderRecords,
): EncodedAttack {
  const values = valuesFor(method.parent.name, records)[world] ?? {};
  const targets = targetsOf(method, values);
  const parts = fills.map((fill) => partOf(targets, fill));
  const message = encodeShape(method, { encoding, world, messages: 1, parts }, values);
  const fields = fills.map(([path, filling]) => `${path || "request"}: ${filling}`).join(", ");
  return { name: `${method.name}, ${encoding}, ${fields}`, method, encoding, messages: [message] };
}

function partOf(targets: readonly Target[], [path, name, count, repeat = 1]: Fill): Part {
  const target = targets.find((each) => each.path.map((field) => field.name).join(".") === path);
  const filling = target?.fillings.find((each) => each.name === name);
  if (target === undefined || filling === undefined)
    throw new Error(`no request has a field ${path} that is filled with ${name}`);
  return { target, filling, count, repeat };
}
