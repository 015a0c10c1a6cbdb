import { defaultImportance, type Memory, type MemoryFields } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
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
import type { MemoryChanges } from "./memory-service.js";
import type { MemoryServiceParts } from "./parts.js";
import { changedMemory } from "./records.js";

/** What a field goes back to when it is cleared; the others go away. */
const defaults: Partial<MemoryFields> = {
  memoryType: "EPISODIC",
  tags: [],
  importance: defaultImportance,
  status: "ACTIVE",
  restricted: false,
};

/** How a memory is to change, with what was made of its new content beforehand. */
export interface MemoryChange {
  readonly changes: MemoryChanges;
  /** Exact tokens of the new content; `undefined`: the content stays. */
  readonly tokenCount: number | undefined;
  /** The vectors of the new content, or a vector that the caller gives. */
  readonly vectors: GivenOrMade;
}

/** What has to be made of a new content before a transaction can begin. */
export interface NewContent {
  readonly tokenCount: number;
  readonly vectors: TextVectors;
}

/**
 * Calls `use` with what a memory's new content needs, when writes to its namespace may go on; again if the namespace turns out to have another model than was expected.
 * REQUIRES: `use` changes memories by `changeMemory` in a transaction, and passes on what that throws.
 */
export async function withNewContent<T>(
  parts: Pick<MemoryServiceParts, "index" | "embedders" | "tokens" | "gate">,
  namespace: Namespace,
  content: string,
  call: Call,
  use: (made: NewContent) => Promise<T>,
): Promise<T> {
  const { index, embedders, tokens, gate } = parts;
  const tokenCount = tokens.count(content);
  const expected = storingEmbedder(await index.profileOf(namespace), embedders);
  return embedTexts([content], expected, call).use(async ([vectors]) => {
    await writesAllowed(gate, namespace, call);
    return use({ tokenCount, vectors });
  });
}

/** Changes a memory in a transaction that may change more than that: its fields, version, token count and vector. Returns it as it is now. `timeMs`: the transaction's time. */
export async function changeMemory(
  tx: Transaction,
  { embedders }: Pick<MemoryServiceParts, "embedders">,
  namespace: Namespace,
  memory: Memory,
  { changes, tokenCount, vectors }: MemoryChange,
  timeMs: number,
): Promise<Memory> {
  const changed = changedMemory(withChanges(memory, changes, tokenCount), {}, timeMs);
  tx.put("memories", namespace, memory.id, changed);
  const profile = await tx.get("profiles", namespace, profileKey);
  const cleared = "embedding" in changes && profile?.modelId === callerModelId;
  if (changes.content !== undefined || vectors.given !== undefined) {
    putVector(
      tx,
      namespace,
      memory.id,
      storedVectorFor(namespace, profile, embedders, vectors),
      profile,
    );
  } else if (cleared) {
    putVector(tx, namespace, memory.id, undefined, profile);
  }
  return changed;
}

function withChanges(
  memory: Memory,
  changes: MemoryChanges,
  tokenCount: number | undefined,
): Memory {
  const { embedding: _, ...fieldChanges } = changes;
  const fields = Object.entries({
    ...memory,
    ...fieldChanges,
    ...(tokenCount === undefined ? {} : { tokenCount }),
  }).map(([field, value]) => [field, value ?? defaults[field as keyof MemoryFields]]);
  const changed = Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Memory;
  return { ...changed, tags: [...new Set(changed.tags)] };
}
