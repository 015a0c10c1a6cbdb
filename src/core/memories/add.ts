import { VademecumError } from "../model/errors.js";
import { instantOfMillis } from "../model/instant.js";
import type { Namespace } from "../model/namespace.js";
import { isExpired } from "../model/visibility.js";
import type { Call } from "../ports/call.js";
import type { Embedder } from "../ports/embedder.js";
import type { Reader, Transaction } from "../ports/store.js";
import { commitSeqOf } from "../requests/commit-seq.js";
import type { Idempotent } from "../requests/idempotency.js";
import { embedTexts, noTextVectors } from "../vectors/text-vectors.js";
import { storingEmbedder } from "../vectors/vectors.js";
import { writesAllowed } from "../vectors/write-gate.js";
import { mutateGrowing } from "./namespace-growth.js";
import { findNearDuplicates } from "./near-duplicates.js";
import type { AddInput, AddParts, AddResult, NewMemory } from "./service.js";
import { type Draft, withDefaults, writeDraft } from "./write-draft.js";

/** A memory to store. */
export interface SingleAddition {
  /** Name of the RPC, for idempotency keys. */
  readonly rpc: string;
  readonly input: AddInput;
  /** Whether to look for near-duplicates. For a long text this takes tens of milliseconds. */
  readonly findsNearDuplicates: boolean;
}

/** Several memories to store in one transaction. `T` is what its reply has besides the ids. */
export interface Addition<T = null> {
  /** Name of the RPC, for idempotency keys. */
  readonly rpc: string;
  readonly namespace: Namespace;
  readonly memories: readonly NewMemory[];
  /** Path of each memory in the request, for errors. */
  readonly paths: readonly string[];
  /** The whole input of the RPC. */
  readonly input: Idempotent;
  /**
   * Called in the transaction before the memories are stored, and not for a repetition of an
   * earlier call. Throws if the memories may not be stored.
   */
  readonly begin: (tx: Transaction, nowMs: number) => Promise<void> | void;
  /**
   * Called in the transaction after the memories are stored. Returns JSON values without texts of
   * the caller, which are stored with the reply.
   */
  readonly finish: (tx: Transaction) => Promise<T> | T;
}

/** The outcome of an addition of several memories. */
export interface Added<T> {
  readonly ids: readonly string[];
  readonly commitSeq: bigint;
  readonly finished: T;
}

/** The dependencies of making drafts. */
type DraftParts = Omit<AddParts, "store">;

/** Stores a memory. */
export async function addMemory(
  parts: AddParts,
  { rpc, input, findsNearDuplicates }: SingleAddition,
  call: Call,
): Promise<AddResult> {
  const { clock, gate } = parts;
  const { namespace, content, embedding: given } = input;
  const tokenCount = await parts.tokens.countInTurns(content);
  const expected = given === undefined ? await embedderFor(parts, namespace) : undefined;
  const { result, head } = await embedTexts([content], expected, call).use(async ([made]) => {
    const nowMs = clock.nowMs();
    const vectors = { given, made };
    const draft = { memory: input, tokenCount, vectors };
    const nearDuplicates = findsNearDuplicates
      ? await findNearDuplicates(parts, namespace, input, vectors, nowMs, call)
      : [];
    await writesAllowed(gate, namespace, call);
    const mutation = {
      ...{ rpc, target: namespace, input: withDefaults(input), nowMs, allowance: call.allowance },
      stands: standsWhileStored(namespace, nowMs),
    };
    return mutateGrowing(parts, mutation, async (tx) => {
      const times = { nowMs, timeMs: tx.commitTimeMs(nowMs) };
      const written = await writeDraft(tx, namespace, parts, draft, times, call);
      return {
        id: written.id,
        outcome: written.outcome,
        seq: tx.head.seq + 1,
        nearDuplicates: nearDuplicates.filter((near) => near.id !== written.id),
      };
    });
  });
  const { id, outcome, nearDuplicates } = result;
  // A call that keeps a memory commits nothing. Then `result.seq` is one too high.
  const seq = Math.min(result.seq, head.seq);
  const commitSeq = commitSeqOf({ epoch: head.epoch, seq }, namespace.userId);
  return { id, outcome, commitSeq, nearDuplicates };
}

/**
 * Returns the `stands` of a mutation whose reply has the id of one memory: false once the memory
 * was deleted or has expired.
 */
export function standsWhileStored(
  namespace: Namespace,
  nowMs: number,
): (tx: Reader, reply: { readonly id: string }) => Promise<boolean> {
  return (tx, { id }) => isStored(tx, namespace, id, nowMs);
}

/** Whether a namespace has a memory that has not expired. */
export async function isStored(
  reader: Reader,
  namespace: Namespace,
  id: string,
  nowMs: number,
): Promise<boolean> {
  const memory = await reader.get("memories", namespace, id);
  return memory !== undefined && !isExpired(memory, instantOfMillis(nowMs));
}

/**
 * Stores several memories in their order, all or none. Does not look for near-duplicates. A
 * repetition stores those memories again that were deleted or have expired since.
 */
export async function addMemories<T>(
  parts: AddParts,
  { rpc, namespace, memories, paths, input, begin, finish }: Addition<T>,
  call: Call,
): Promise<Added<T>> {
  const prepared = await prepareMemories(parts, namespace, memories, call);
  const { result, head } = await prepared.withDrafts((drafts, nowMs) => {
    const isKept = (tx: Reader, id: string): Promise<boolean> => isStored(tx, namespace, id, nowMs);
    const mutation = {
      ...{ rpc, target: namespace, input, nowMs, allowance: call.allowance },
      async stands(tx: Reader, { ids }: StoredMemories<T>) {
        for (const id of ids) if (!(await isKept(tx, id))) return false;
        return true;
      },
    };
    return mutateGrowing<StoredMemories<T>>(parts, mutation, async (tx, _, earlier) => {
      await begin(tx, nowMs);
      const times = { nowMs, timeMs: tx.commitTimeMs(nowMs) };
      const ids: string[] = [];
      for (const [at, draft] of drafts.entries()) {
        const earlierId = earlier?.ids[at];
        if (earlierId !== undefined && (await isKept(tx, earlierId))) {
          ids.push(earlierId);
          continue;
        }
        const { id } = await writeDraft(tx, namespace, parts, draft, times, call).catch(
          (error: unknown) => throwWithPath(error, paths[at] as string),
        );
        ids.push(id);
      }
      return { ids, seq: tx.head.seq + 1, finished: await finish(tx) };
    });
  });
  // Without memories and without an idempotency key, the transaction commits nothing. Then
  // `result.seq` is one too high.
  const seq = Math.min(result.seq, head.seq);
  const commitSeq = commitSeqOf({ epoch: head.epoch, seq }, namespace.userId);
  return { ids: result.ids, commitSeq, finished: result.finished };
}

/** The stored reply of an addition of several memories. `seq` is the number of its commit. */
interface StoredMemories<T> {
  readonly ids: readonly string[];
  readonly seq: number;
  readonly finished: T;
}

/** Memories whose tokens are counted. Each model embeds their texts at most once. */
export interface PreparedMemories {
  /**
   * Embeds the memories, waits until writes to the namespace may continue, and calls `use` with the
   * drafts at positions from `start` (included) to `end` (excluded). Default: all drafts. If the
   * namespace turns out to use another model, embeds the memories again and calls `use` again.
   *
   * Requires: `use` inserts the drafts in a transaction and rethrows the transaction's errors.
   */
  withDrafts<T>(
    use: (drafts: readonly Draft[], nowMs: number) => Promise<T>,
    start?: number,
    end?: number,
  ): Promise<T>;
}

/** Counts the tokens of memories. */
export async function prepareMemories(
  parts: DraftParts,
  namespace: Namespace,
  memories: readonly NewMemory[],
  call: Call,
): Promise<PreparedMemories> {
  const { clock, gate, tokens } = parts;
  const tokenCounts: number[] = [];
  for (const { content } of memories) tokenCounts.push(await tokens.countInTurns(content));
  const toEmbed = memories.filter(({ embedding }) => embedding === undefined);
  const texts = toEmbed.map(({ content }) => content);
  const expected = texts.length === 0 ? undefined : await embedderFor(parts, namespace);
  const embedded = embedTexts(texts, expected, call);
  return {
    withDrafts: (use, start = 0, end = memories.length) =>
      embedded.use(async (made) => {
        const madeOf = new Map(toEmbed.map((memory, at) => [memory, made[at]]));
        const nowMs = clock.nowMs();
        const drafts = memories.slice(start, end).map((memory, at) => ({
          memory,
          tokenCount: tokenCounts[start + at] as number,
          vectors: { given: memory.embedding, made: madeOf.get(memory) ?? noTextVectors },
        }));
        await writesAllowed(gate, namespace, call);
        return use(drafts, nowMs);
      }),
  };
}

/** Returns the model that probably embeds for the namespace. The transaction verifies the model. */
async function embedderFor(
  { index, embedders }: DraftParts,
  namespace: Namespace,
): Promise<Embedder | undefined> {
  return storingEmbedder(await index.profileOf(namespace), embedders);
}

/** Throws an error. Prefixes its fields with the path that the memory has in the request. */
function throwWithPath(error: unknown, path: string): never {
  throw error instanceof VademecumError ? error.withPaths((field) => `${path}.${field}`) : error;
}
