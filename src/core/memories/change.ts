import { instantOfMillis } from "../model/instant.js";
import {
  defaultImportance,
  type Memory,
  type MemoryFields,
  type VersionOrigin,
} from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import { identityOf } from "../model/principal.js";
import { writerOf } from "../model/writer.js";
import type { Call } from "../ports/call.js";
import type { Transaction } from "../ports/store.js";
import { embedTexts, type TextVectors } from "../vectors/text-vectors.js";
import {
  callerModelId,
  type GivenOrMade,
  profileKey,
  putVector,
  storedVectorFor,
  storingEmbedder,
} from "../vectors/vectors.js";
import { writesAllowed } from "../vectors/write-gate.js";
import { changedMemory } from "./records.js";
import type { MemoryChanges, MemoryServiceParts } from "./service.js";
import { noteTurnChange } from "./thread-records.js";
import { keepVersion } from "./versions.js";

/** Values of cleared fields. A cleared field without a default is removed. */
const defaults: Partial<MemoryFields> = {
  memoryType: "EPISODIC",
  tags: [],
  importance: defaultImportance,
  status: "ACTIVE",
  restricted: false,
};

/** Returns the changes with the defaults of the fields that they clear. */
export function withClearedDefaults(changes: MemoryChanges): MemoryChanges {
  return Object.fromEntries(
    Object.entries(changes).map(([field, value]) => [
      field,
      value ?? defaults[field as keyof MemoryFields],
    ]),
  );
}

/** A change of a memory, with the token count and vectors of its new content. */
export interface MemoryChange {
  readonly changes: MemoryChanges;
  /** Exact number of tokens of the new content. `undefined`: the content does not change. */
  readonly tokenCount: number | undefined;
  /** The vectors of the new content, or the vector that the caller gave. */
  readonly vectors: GivenOrMade;
  /** Name of the principal that makes the change. New content has this writer. */
  readonly writer: string;
  /** Where the change comes from, besides the principal. Default: a call. */
  readonly from?: Pick<VersionOrigin, "proposalId" | "restoredFrom">;
}

/** The token count and vectors of new content, made before the transaction. */
export interface NewContent {
  readonly tokenCount: number;
  readonly vectors: TextVectors;
}

/**
 * Prepares new content for a transaction, then calls `use`. Counts the tokens of the content,
 * embeds it, and waits until writes to the namespace may continue. If the namespace turns out to
 * use another model, embeds again and calls `use` again.
 *
 * Requires: `use` calls `changeMemory` in a transaction and rethrows its errors.
 */
export async function withNewContent<T>(
  parts: Pick<MemoryServiceParts, "index" | "embedders" | "tokens" | "gate">,
  namespace: Namespace,
  content: string,
  call: Call,
  use: (prepared: NewContent) => Promise<T>,
): Promise<T> {
  const { index, embedders, tokens, gate } = parts;
  const tokenCount = await tokens.countInTurns(content);
  const expected = storingEmbedder(await index.profileOf(namespace), embedders);
  return embedTexts([content], expected, call).use(async ([vectors]) => {
    await writesAllowed(gate, namespace, call);
    return use({ tokenCount, vectors });
  });
}

/**
 * Changes the fields, version, token count and vector of a memory in a transaction, and keeps the
 * version before. Returns the changed memory. `timeMs` is the time of the transaction. Writes
 * nothing if it throws.
 */
export async function changeMemory(
  tx: Transaction,
  { embedders, versionsMax }: Pick<MemoryServiceParts, "embedders" | "versionsMax">,
  namespace: Namespace,
  memory: Memory,
  { changes, tokenCount, vectors, writer, from }: MemoryChange,
  timeMs: number,
): Promise<Memory> {
  const { writtenBy, ...rest } = withChanges(memory, changes, tokenCount);
  const isRewritten = rest.content !== memory.content;
  const origin = isRewritten ? writerOf(writer) : writtenBy === undefined ? {} : { writtenBy };
  const profile = await tx.get("profiles", namespace, profileKey);
  const cleared = "embedding" in changes && profile?.modelId === callerModelId;
  if (changes.content !== undefined || vectors.given !== undefined) {
    const stored = storedVectorFor(namespace, profile, embedders, vectors);
    putVector(tx, namespace, memory.id, stored, profile);
  } else if (cleared) {
    putVector(tx, namespace, memory.id, undefined, profile);
  }
  const changeTime = instantOfMillis(timeMs);
  const made = { changedBy: identityOf({ name: writer }), changeTime, ...from };
  const history = keepVersion(tx, namespace, memory, versionsMax, made);
  const changed = changedMemory({ ...rest, ...origin }, { history }, timeMs);
  tx.put("memories", namespace, memory.id, changed);
  await noteTurnChange(tx, namespace, { before: memory, after: changed }, timeMs);
  return changed;
}

function withChanges(
  memory: Memory,
  changes: MemoryChanges,
  tokenCount: number | undefined,
): Memory {
  const { embedding: _, ...fieldChanges } = withClearedDefaults(changes);
  const fields = Object.entries<unknown>({
    ...memory,
    ...fieldChanges,
    ...(tokenCount === undefined ? {} : { tokenCount }),
  });
  const changed = Object.fromEntries(
    fields.filter(([, value]) => value !== undefined),
  ) as unknown as Memory;
  return { ...changed, tags: [...new Set(changed.tags)] };
}
