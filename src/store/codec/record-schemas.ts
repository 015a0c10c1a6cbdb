import { Ajv } from "ajv";
import { noErasureCounts } from "../../core/model/erasure.js";
import { memoryStatuses, memoryTypes } from "../../core/model/memory.js";
import { confidences, proposalStatuses, wholeEdits } from "../../core/model/proposal.js";
import { toolMemoryTypes } from "../../core/model/tool-manifest.js";
import { turnEvents } from "../../core/model/turn-entry.js";
import type { Table } from "../../core/ports/store.js";

/** A JSON schema. */
type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: "string" };
const name: Schema = { type: "string", minLength: 1, maxLength: 1024 };
const yesOrNo: Schema = { type: "boolean" };
/** Up to 2^52, so that it can still be counted up. */
const count: Schema = { type: "integer", minimum: 0, maximum: 2 ** 52 };
const version: Schema = { ...count, minimum: 1 };
/** `token_count` and other numbers that messages hold in 32 bits. */
const smallCount: Schema = { ...count, maximum: 2 ** 31 - 1 };
/** Milliseconds that a duration of a message can hold: about 10,000 years. */
const durationMs: Schema = { type: "number", minimum: 0, maximum: 315_576_000_000_000 };
/** Milliseconds since 1970 that a date can hold. */
const timeMs: Schema = { type: "integer", minimum: 0, maximum: 8_640_000_000_000_000 };
const object: Schema = { type: "object" };
const hexadecimal: Schema = { type: "string", pattern: "^[0-9a-f]*$" };

/** The years 1 to 9999, as messages hold them. */
const instant = record({
  seconds: { type: "integer", minimum: -62_135_596_800, maximum: 253_402_300_799 },
  nanos: { type: "integer", minimum: 0, maximum: 999_999_999 },
});

function oneOf(values: readonly string[]): Schema {
  return { enum: values };
}

function listOf(items: Schema, maxItems: number): Schema {
  return { type: "array", items, maxItems };
}

/** Returns the schema of an object with exactly these fields. */
function record(required: Record<string, Schema>, optional: Record<string, Schema> = {}): Schema {
  return {
    type: "object",
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

const origin = {
  required: { changedBy: text, changeTime: instant },
  optional: { proposalId: name, restoredFrom: version },
};

const memoryFields = record(
  {
    id: name,
    content: text,
    memoryType: oneOf(memoryTypes),
    tags: listOf(text, 32),
    importance: { type: "number", minimum: 0, maximum: 1 },
    status: oneOf(memoryStatuses),
    restricted: yesOrNo,
    createTime: instant,
    updateTime: instant,
    version,
    tokenCount: smallCount,
  },
  {
    kind: text,
    source: text,
    author: text,
    threadId: text,
    metadata: object,
    eventTime: instant,
    expireTime: instant,
    supersedes: name,
    supersededBy: name,
    externalId: name,
    writtenBy: text,
    history: record({ ...origin.required, kept: listOf(version, 1000) }, origin.optional),
  },
);

const memory: Schema = {
  ...memoryFields,
  properties: {
    ...(memoryFields["properties"] as Schema),
    content: { ...text, minLength: 1 },
  },
};

const blockContent = { title: text, schemaRef: text };

const schemas: { readonly [T in Table]?: Schema } = {
  memories: memory,
  profiles: record(
    { modelId: name, dimension: { ...count, minimum: 1, maximum: 65_536 } },
    { table: text },
  ),
  memoryVersions: record(
    { ...origin.required, memory: memoryFields },
    { ...origin.optional, contentHmac: hexadecimal },
  ),
  memoryUses: record({ lastUsedTime: instant }),
  threads: record({
    turnCount: { ...smallCount, minimum: 1 },
    version,
    createTime: instant,
    updateTime: instant,
  }),
  replies: record({ requestDigest: hexadecimal, reply: {}, expireMs: timeMs }),
  skills: record(
    { id: name, context: text, lesson: text, createTime: instant, createSeq: count },
    { toolName: text, writtenBy: text },
  ),
  skillUses: record({ successCount: count, failureCount: count, lastUsedTime: instant }),
  turnEntries: record(
    {
      ...{ time: instant, requestId: text, taskId: text, planId: text, queryId: text },
      ...{ toolId: text, toolVersion: text, queryText: text, event: oneOf(turnEvents) },
      ...{ reason: text, tokensUsed: smallCount, returnedResults: smallCount },
      durationMs,
    },
    { memoryType: oneOf(memoryTypes) },
  ),
  blocks: record(
    {
      ...{ label: name, body: text, version, tokenCount: smallCount },
      ...{ updateTime: instant, createSeq: count },
    },
    blockContent,
  ),
  blockVersions: record(
    {
      ...{ body: text, version, tokenCount: smallCount },
      ...{ writtenBy: text, writeTime: instant, createSeq: count },
    },
    { ...blockContent, proposalId: name, restoredFrom: version },
  ),
  proposals: record(
    {
      ...{ id: name, agentId: name, oldString: text, newString: text, replaceAll: yesOrNo },
      target: {
        anyOf: [
          record({ kind: oneOf(["block"]), label: name }),
          record({ kind: oneOf(["memory"]), id: name }),
        ],
      },
      ...{ reasoning: text, confidence: oneOf(confidences), status: oneOf(proposalStatuses) },
      ...{ baseVersion: count, baseText: text, createTime: instant, expireTime: instant },
    },
    {
      ...{ proposedBy: text, decidedBy: text, decidedFor: text, decideTime: instant },
      ...{ decisionReason: text, editedNewString: text, resultVersion: version },
      ...{ conflictText: text, approvedMemory: memory, repeatOf: name },
      whole: oneOf(wholeEdits),
    },
  ),
  erasures: record(
    {
      runIds: listOf(text, 100),
      beginMs: timeMs,
      counts: record(Object.fromEntries(Object.keys(noErasureCounts).map((kind) => [kind, count]))),
    },
    { userId: name },
  ),
  keyValues: record({
    value: text,
    position: { type: "string", pattern: "^0[0-9a-f]{13}$" },
    version,
  }),
  toolManifests: record({
    toolId: name,
    version: name,
    memoryAccess: listOf(
      record(
        {
          ...{ memoryType: oneOf(toolMemoryTypes), enabled: yesOrNo, write: yesOrNo },
          ...{ kinds: listOf(text, 1000), tags: listOf(text, 1000) },
        },
        { maxQueries: smallCount, maxBudgetTokens: smallCount },
      ),
      toolMemoryTypes.length,
    ),
    revision: count,
    createSeq: count,
  }),
};

const ajv = new Ajv({ strictTypes: false, strictRequired: false });
const checks = new Map(
  Object.entries(schemas).map(([table, schema]) => [table, ajv.compile(schema)]),
);

/**
 * Returns what is wrong with the fields of a decoded record, such as `/version must be integer`;
 * `undefined` if they have the types and ranges of the record's type in the core. Tables of plain
 * texts, vectors and empty values have no fields.
 */
export function fieldFault(table: Table, value: unknown): string | undefined {
  const check = checks.get(table);
  if (check === undefined || check(value)) return undefined;
  return ajv.errorsText(check.errors, { dataVar: "" });
}
