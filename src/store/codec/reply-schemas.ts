import { Ajv } from "ajv";
import { noErasureCounts } from "../../core/model/erasure.js";
import { rpcOfReplyKey } from "../../core/model/record-keys.js";
import {
  count,
  listOf,
  name,
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

const outcome = oneOf(["ADDED", "REPLACED", "KEPT"]);
const share: Schema = { type: "number", minimum: 0, maximum: 1 };
/** More items than any call takes or removes. */
const itemsMax = 10_000;

const deletedOne = record({ deleted: yesOrNo });
const deletedMany = record({ deleted: count });
const added = record({
  ...{ id: name, outcome, seq: count },
  nearDuplicates: listOf(record({ id: name, relevance: share }), 3),
});
const changedMemory = record({ id: name, version, seq: count });
const storedTurns = record({ ids: listOf(name, itemsMax), seq: count, finished: count });
const writtenBlock = record({ version, createSeq: count });
const decision = record({ alreadyDecided: yesOrNo });

/** What each RPC stores under an idempotency key: the `T` of its `Mutation`. */
const schemas: Readonly<Record<string, Schema>> = {
  Add: added,
  AddTrace: added,
  AddMany: record({
    items: listOf({ anyOf: [record({ id: name, outcome }), { type: "null" }] }, itemsMax),
    seq: count,
  }),
  Update: changedMemory,
  RestoreMemory: changedMemory,
  RedactVersion: record({ id: name, version }),
  Delete: deletedOne,
  DeleteMany: deletedMany,
  DeleteWhere: record({ deleted: count, sampleIds: listOf(name, itemsMax) }),
  Reset: deletedMany,
  AppendTurns: storedTurns,
  ReplaceThread: storedTurns,
  ForkThread: record({ turnId: name, turnCount: smallCount, version: count, seq: count }),
  PopTurn: record({}, { id: name }),
  ClearThread: deletedMany,
  ProposeEdit: record({ id: name }, { waitingId: name }),
  ApproveProposal: decision,
  RejectProposal: decision,
  DeleteProposal: deletedOne,
  PutBlock: writtenBlock,
  RestoreBlock: writtenBlock,
  RenameBlock: record({ createSeq: count }),
  DeleteBlock: deletedOne,
  DeleteBlocks: deletedMany,
  StoreSkill: record({ id: name, createSeq: count, created: yesOrNo }),
  UpdateSuccessCount: record(
    { counts: record({ updated: yesOrNo, successCount: count, failureCount: count }) },
    { counted: record({ id: name, createSeq: count }) },
  ),
  DeleteSkill: deletedOne,
  PruneStale: listOf(record({ id: name, reason: oneOf(["UNUSED", "NEVER_SUCCEEDED"]) }), itemsMax),
  WriteKey: record({ position, created: yesOrNo, version }),
  DeleteKey: deletedOne,
  RegisterTool: record({ createSeq: count, changed: yesOrNo }),
  DeleteTool: deletedMany,
  SubmitToolResponse: record({
    ids: listOf(name, itemsMax),
    seq: count,
    finished: { type: "null" },
  }),
  ForgetUser: record({
    ...{ timeMs, hmacKey: text },
    scopes: listOf(
      record({ kind: oneOf(["user", "run"]), idHmac: text, commitSeq: count }),
      itemsMax,
    ),
    counts: record(Object.fromEntries(Object.keys(noErasureCounts).map((kind) => [kind, count]))),
  }),
};

const ajv = new Ajv({ strictTypes: false, strictRequired: false });
const checks = new Map(Object.entries(schemas).map(([rpc, schema]) => [rpc, ajv.compile(schema)]));

/**
 * Returns what is wrong with a stored reply, such as `/reply/seq must be integer`; `undefined` if a
 * repetition of its call can be answered with it.
 *
 * @param key the key of the record (`replyKey`), which begins with the RPC
 */
export function replyFault(key: string, reply: unknown): string | undefined {
  const rpc = rpcOfReplyKey(key);
  const check = checks.get(rpc);
  if (check === undefined) return `no call ${JSON.stringify(rpc)} stores replies`;
  return check(reply) ? undefined : ajv.errorsText(check.errors, { dataVar: "/reply" });
}
