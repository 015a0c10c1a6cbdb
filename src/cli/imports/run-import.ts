import { createHash } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { stringify } from "safe-stable-stringify";
import { isWellFormed } from "../../well-formed.js";
import type { Connection } from "../connection.js";
import { isObject, textOf } from "./export-values.js";
import {
  type ImportedBlock,
  type ImportedMemory,
  type ImportPlan,
  originEntry,
  type Skipped,
} from "./import-plan.js";

/** What an import did. Everything of the file is in one of its parts. */
export interface ImportOutcome {
  memoriesAdded: number;
  blocksAdded: number;
  /** Memories and blocks that an earlier import, or somebody else, has stored just so. */
  alreadyThere: number;
  /** What was left out on purpose. */
  readonly skipped: Skipped[];
  /** What the server did not take. */
  readonly refused: Skipped[];
}

/** Where to import to, and who wants to know how far it is. */
export interface ImportTarget {
  readonly connection: Connection;
  readonly namespace: { readonly userId: string; readonly agentId: string };
  readonly onProgress: (done: number, total: number) => void;
}

/** Items of one call: few enough that a call ends long before its deadline. */
const callItems = 500;
const callTimeoutMs = 120_000;

const notUnicode = "not Unicode: it has half of a surrogate pair";

/**
 * Stores what a plan holds. What is there already is found by its origin, so a repeated import adds nothing twice, however much later;
 * idempotency keys see to it that one that was cut off, or runs twice at the same time, does not either.
 */
export async function runImport(plan: ImportPlan, target: ImportTarget): Promise<ImportOutcome> {
  const outcome: ImportOutcome = {
    memoriesAdded: 0,
    blocksAdded: 0,
    alreadyThere: 0,
    skipped: [...plan.skipped],
    refused: [],
  };
  for (const block of plan.blocks) await putBlock(block, target, outcome);
  const known =
    plan.memories.length === 0
      ? new Map<string, string>()
      : await knownContents(plan.source, target);
  const wanted = plan.memories.filter((memory) => isNew(memory, known, outcome));
  for (let done = 0; done < wanted.length; done += callItems) {
    target.onProgress(done, wanted.length);
    await addMemories(wanted.slice(done, done + callItems), plan.source, target, outcome);
  }
  return outcome;
}

/** The contents of the memories that earlier imports from the source left, by the ids that they have there. */
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

/** Whether a memory is still to be stored. Notes in `known` that it will be: a file may hold an id twice. */
function isNew(
  { name, originId, fields }: ImportedMemory,
  known: Map<string, string>,
  outcome: ImportOutcome,
): boolean {
  if (!isWellFormed(fields)) {
    outcome.skipped.push({ name, reason: notUnicode });
    return false;
  }
  const content = known.get(originId);
  if (content === undefined) {
    known.set(originId, fields.content);
    return true;
  }
  if (content === fields.content) outcome.alreadyThere++;
  else outcome.skipped.push({ name, reason: "there already, with another text, which is kept" });
  return false;
}

async function addMemories(
  memories: readonly ImportedMemory[],
  source: string,
  target: ImportTarget,
  outcome: ImportOutcome,
): Promise<void> {
  const { connection, namespace } = target;
  const requests = memories.map(({ fields }, index) => {
    const add = { ...fields, source, namespace };
    return { clientId: String(index), add: { ...add, idempotencyKey: digestOf(add) } };
  });
  const responses = connection.memoryProvider.addBatch(eachOf(requests), {
    timeoutMs: callTimeoutMs,
  });
  for await (const { clientId, result } of responses) {
    if (result.case !== "error") outcome.memoriesAdded++;
    else
      outcome.refused.push({
        name: memories[Number(clientId)]?.name ?? clientId,
        reason: result.value.message,
      });
  }
}

async function* eachOf<T>(requests: readonly T[]): AsyncGenerator<T> {
  yield* requests;
}

async function putBlock(
  { name, label, body }: ImportedBlock,
  { connection, namespace }: ImportTarget,
  outcome: ImportOutcome,
): Promise<void> {
  if (!isWellFormed([label, body])) {
    outcome.skipped.push({ name, reason: notUnicode });
    return;
  }
  const options = { timeoutMs: callTimeoutMs };
  const { userId } = namespace;
  try {
    await connection.blocks.putBlock({ userId, label, body, expectedVersion: 0n }, options);
    outcome.blocksAdded++;
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    if (error.code === Code.InvalidArgument)
      outcome.refused.push({ name, reason: error.rawMessage });
    else if (error.code !== Code.Aborted) throw error;
    else {
      const { block } = await connection.blocks.getBlock({ userId, label }, options);
      if (block?.body === body) outcome.alreadyThere++;
      else
        outcome.skipped.push({
          name,
          reason: "the user has a block with this label and another text, which is kept",
        });
    }
  }
}

function digestOf(request: object): string {
  return createHash("sha256")
    .update(stringify(request) ?? "")
    .digest("hex");
}
