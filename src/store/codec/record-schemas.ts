import { Ajv } from "ajv";
import { noErasureCounts } from "../../core/model/erasure.js";
import { memoryStatuses, memoryTypes } from "../../core/model/memory.js";
import { confidences, proposalStatuses, wholeEdits } from "../../core/model/proposal.js";
import { toolMemoryTypes } from "../../core/model/tool-manifest.js";
import { turnEvents } from "../../core/model/turn-entry.js";
import type { Table } from "../../core/ports/store.js";
import {
  count,
  durationMs,
  hexadecimal,
  instant,
  listOf,
  name,
  object,
  oneOf,
  position,
  record,
  type Schema,
  smallCount,
  text,
  timeMs,
  version,
  yesOrNo,
} from "./field-schemas.js";

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

/** `replyFault` checks the reply, because its type depends on the key of the record. */
const anyReply: Schema = {};

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
  replies: record({ requestDigest: hexadecimal, reply: anyReply, expireMs: timeMs }),
  digestKeys: { type: "string", pattern: "^([0-9a-f]{2})+$" },
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
  deliveries: record({ epoch: name, seq: count }),
  keyValues: record({
    value: text,
    position,
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
