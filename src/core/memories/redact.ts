import { createHmac, randomBytes } from "node:crypto";
import { memoryNotFound } from "../model/errors.js";
import type { Memory } from "../model/memory.js";
import type { MemoryVersion, StoredVersion } from "../model/memory-version.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import { memoryVersionKey } from "../model/record-keys.js";
import type { Call } from "../ports/call.js";
import type { Transaction } from "../ports/store.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { removeTextsAbout } from "../proposal-records/remove-texts.js";
import { mutate } from "../requests/mutate.js";
import type { MemoryServiceParts, RedactVersionInput } from "./service.js";
import { requireStoredVersion, withDigest } from "./versions.js";

/** The purpose of the key for contents of redacted versions, in the table `digestKeys`. */
const purpose = "redacted versions";

const keyBytes = 32;

/** The stored reply: which version was redacted. */
interface RedactReply {
  readonly id: string;
  readonly version: number;
}

/**
 * Removes the texts of an earlier version, and of all proposals about the memory, because they may
 * quote it. Keeps a digest of the content whose key belongs to the user, so that nobody finds a
 * short text by trying all such texts.
 */
export async function redactVersion(
  parts: MemoryServiceParts,
  input: RedactVersionInput,
  { allowance }: Call,
): Promise<MemoryVersion> {
  const { namespace, id, version } = input;
  const { userId, agentId } = namespace;
  const newKey = randomBytes(keyBytes).toString("hex");
  await changeProposals(parts, userId, (changed) =>
    mutate<RedactReply>(
      parts,
      {
        ...{ rpc: "RedactVersion", target: namespace, input, allowance, removes: true },
        stands: async (tx, reply) => (await tx.get("memories", namespace, reply.id)) !== undefined,
      },
      async (tx, nowMs) => {
        const memory = await tx.get("memories", namespace, id);
        if (memory === undefined) throw memoryNotFound(id);
        const stored = await requireStoredVersion(tx, namespace, memory, version);
        if (stored.contentHmac === undefined) {
          const key = await digestKey(tx, namespace, newKey);
          const redacted = withoutTexts(stored, key);
          tx.put("memoryVersions", namespace, memoryVersionKey(id, version), redacted);
        }
        const deletion = { tx, userId, nowMs, changed };
        await removeTextsAbout(deletion, { kind: "memories", agentId, ids: new Set([id]) });
        return { id, version };
      },
    ),
  );
  await using snapshot = await parts.store.snapshot(scopeOf(namespace));
  const memory = await snapshot.get("memories", namespace, id);
  if (memory === undefined) throw memoryNotFound(id);
  return withDigest(await requireStoredVersion(snapshot, namespace, memory, version));
}

/** Returns the key of the user, which is made at the first redaction. */
async function digestKey(tx: Transaction, namespace: Namespace, newKey: string): Promise<string> {
  const scope = scopeOf(namespace);
  const known = await tx.get("digestKeys", scope, purpose);
  if (known === undefined) tx.put("digestKeys", scope, purpose, newKey);
  return known ?? newKey;
}

/** Returns a version without the texts that callers gave, except its thread. */
function withoutTexts(stored: StoredVersion, key: string): StoredVersion {
  const { kind: _, source: __, author: ___, metadata: ____, ...rest } = stored.memory;
  const memory: Memory = { ...rest, content: "", tags: [], tokenCount: 0 };
  const contentHmac = createHmac("sha256", Buffer.from(key, "hex"))
    .update(stored.memory.content)
    .digest("hex");
  return { ...stored, memory, contentHmac };
}
