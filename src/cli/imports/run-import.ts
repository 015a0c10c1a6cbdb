import { createHash } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { stringify } from "safe-stable-stringify";
import { QuotaFailureSchema } from "#gen/google/rpc/error_details_pb.js";
import { AddOutcome, OnConflict } from "#gen/vademecum/v1/memory_provider_pb.js";
import { isWellFormed } from "../../edge/well-formed.js";
import type { Connection } from "../connection.js";
import { isObject, textOf } from "./export-values.js";
import {
  type ImportedBlock,
  type ImportedMemory,
  type ImportPlan,
  originEntry,
  type Skipped,
} from "./import-plan.js";

/** The result of an import. Each entry of the plan is counted or listed once. */
export interface ImportOutcome {
  memoriesAdded: number;
  blocksAdded: number;
  /**
   * Memories and blocks that are stored already with the same text, by an earlier import or another
   * client.
   */
  alreadyThere: number;
  /** Parts that the plan or this import left out on purpose. */
  readonly skipped: Skipped[];
  /** Fields that could not be read, of memories that are stored without them. */
  readonly incomplete: readonly Skipped[];
  /** Parts that the server refused. */
  readonly refused: Skipped[];
}

/** The destination of an import. */
export interface ImportTarget {
  readonly connection: Connection;
  readonly namespace: { readonly userId: string; readonly agentId: string };
  readonly onProgress: (done: number, total: number) => void;
}

/** Maximum number of items in one call. */
const callItems = 1_000;
/** Length of the contents after which a call gets no further item, in UTF-16 units. */
const callLength = 1024 * 1024;
/**
 * The deadline of a call, in milliseconds. Even a call with the maximum of items and text ends long
 * before it.
 */
const callTimeoutMs = 120_000;

const loneSurrogate = "not Unicode: it has a lone surrogate";

/**
 * Stores a plan.
 *
 * A repeated import adds nothing twice, however much later it runs: it finds stored memories by
 * their origin. External ids prevent duplicates of memories that another import, interrupted or
 * concurrent, has just stored.
 */
export async function runImport(plan: ImportPlan, target: ImportTarget): Promise<ImportOutcome> {
  const outcome: ImportOutcome = {
    memoriesAdded: 0,
    blocksAdded: 0,
    alreadyThere: 0,
    skipped: [...plan.skipped],
    incomplete: plan.incomplete,
    refused: [],
  };
  for (const block of plan.blocks) await putBlock(block, target, outcome);
  const known =
    plan.memories.length === 0
      ? new Map<string, string>()
      : await knownContents(plan.source, target);
  const additions = plan.memories.filter((memory) => isNew(memory, known, outcome));
  let done = 0;
  for (const memories of callsOf(additions)) {
    target.onProgress(done, additions.length);
    await addMemories(memories, plan.source, target, outcome);
    done += memories.length;
  }
  return outcome;
}

/**
 * Returns the contents of memories that earlier imports from the source stored, by their ids in
 * that source.
 */
async function knownContents(
  source: string,
  { connection, namespace }: ImportTarget,
): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  let pageToken = "";
  do {
    const page = await connection.memoryProvider.getAll(
      { namespace, limit: 1000, pageToken, filter: { source }, includeSuperseded: true },
      { timeoutMs: callTimeoutMs },
    );
    for (const { metadata, content } of page.memories) {
      const origin = metadata?.[originEntry];
      const id = isObject(origin) ? textOf(origin, "id") : undefined;
      if (id !== undefined) known.set(id, content);
    }
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return known;
}

/**
 * Whether a memory must be stored. Adds such a memory to `known`, because a file can repeat an id.
 * Enters any other memory in `outcome`.
 */
function isNew(
  { name, originId, fields }: ImportedMemory,
  known: Map<string, string>,
  outcome: ImportOutcome,
): boolean {
  if (!isWellFormed(fields)) {
    outcome.skipped.push({ name, reason: loneSurrogate });
    return false;
  }
  const content = known.get(originId);
  if (content === undefined) {
    known.set(originId, fields.content);
    return true;
  }
  if (content === fields.content) outcome.alreadyThere++;
  else outcome.skipped.push({ name, reason: "already stored with another text, which stays" });
  return false;
}

async function addMemories(
  memories: readonly ImportedMemory[],
  source: string,
  target: ImportTarget,
  outcome: ImportOutcome,
): Promise<void> {
  const { connection, namespace } = target;
  // Makes each request when it is sent, so that the server stores the first ones meanwhile.
  async function* requests() {
    for (const [index, { fields, originId }] of memories.entries()) {
      const add = { ...fields, ...externalIdOf(source, originId), source, namespace };
      yield { clientId: String(index), add: { ...add, idempotencyKey: digestOf(add) } };
    }
  }
  const responses = connection.memoryProvider.addBatch(requests(), { timeoutMs: callTimeoutMs });
  for await (const { clientId, result, outcome: done } of responses) {
    if (done === AddOutcome.KEPT) outcome.alreadyThere++;
    else if (result.case !== "error") outcome.memoriesAdded++;
    else
      outcome.refused.push({
        name: memories[Number(clientId)]?.name ?? clientId,
        reason: result.value.message,
      });
  }
}

/** Maximum size of an external id, in bytes. */
const externalIdMaxBytes = 256;

/** Returns the fields with which only one of several concurrent imports stores a memory. */
function externalIdOf(source: string, originId: string) {
  const externalId = `${source}:${originId}`;
  if (Buffer.byteLength(externalId) > externalIdMaxBytes) return {};
  return { externalId, onConflict: OnConflict.KEEP };
}

/** Divides memories among calls. */
function* callsOf(memories: readonly ImportedMemory[]): Generator<readonly ImportedMemory[]> {
  let call: ImportedMemory[] = [];
  let length = 0;
  for (const memory of memories) {
    call.push(memory);
    length += memory.fields.content.length;
    if (call.length < callItems && length < callLength) continue;
    yield call;
    call = [];
    length = 0;
  }
  if (call.length > 0) yield call;
}

async function putBlock(
  { name, label, body }: ImportedBlock,
  { connection, namespace }: ImportTarget,
  outcome: ImportOutcome,
): Promise<void> {
  if (!isWellFormed([label, body])) {
    outcome.skipped.push({ name, reason: loneSurrogate });
    return;
  }
  const options = { timeoutMs: callTimeoutMs };
  const { userId } = namespace;
  try {
    await connection.blocks.putBlock({ userId, label, body, expectedVersion: 0n }, options);
    outcome.blocksAdded++;
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    if (error.code === Code.InvalidArgument || isQuotaExceeded(error))
      outcome.refused.push({ name, reason: error.rawMessage });
    else if (error.code !== Code.Aborted) throw error;
    else {
      const { block } = await connection.blocks.getBlock({ userId, label }, options);
      if (block?.body === body) outcome.alreadyThere++;
      else
        outcome.skipped.push({
          name,
          reason: "the user has a block with this label and another text, which stays",
        });
    }
  }
}

function isQuotaExceeded(error: ConnectError): boolean {
  return error.findDetails(QuotaFailureSchema).length > 0;
}

function digestOf(request: object): string {
  return createHash("sha256")
    .update(stringify(request) ?? "")
    .digest("hex");
}
