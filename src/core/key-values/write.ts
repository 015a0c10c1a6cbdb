import type { Allowance } from "../model/allowance.js";
import type { Scope } from "../model/namespace.js";
import { positionKey, positionOfKey } from "../model/record-keys.js";
import type { Transaction } from "../ports/store.js";
import { mutate } from "../requests/mutate.js";
import type { DeleteKeyInput, KeyValueServiceParts, WriteKeyInput } from "./service.js";

/**
 * Stores a value. An existing key keeps its position in listings.
 *
 * @param allowance how much the caller may store. Absent: any amount
 */
export async function writeKey(
  parts: KeyValueServiceParts,
  input: WriteKeyInput,
  allowance?: Allowance,
): Promise<{ created: boolean }> {
  const { runId, key, value } = input;
  const scope: Scope = { kind: "run", runId };
  const mutation = {
    ...{ rpc: "WriteKey", target: scope, input, allowance },
    // A key that was deleted and written again has another position.
    stands: async (tx: Transaction, reply: KeyReply) =>
      (await tx.get("keyValues", scope, reply.key))?.position === reply.position,
  };
  const { created } = await mutate<KeyReply>(parts, mutation, async (tx) => {
    const known = await tx.get("keyValues", scope, key);
    const position = known?.position ?? (await nextPosition(tx, scope));
    tx.put("keyValues", scope, key, { value, position });
    if (known === undefined) tx.put("keyPositions", scope, position, key);
    return { key, position, created: known === undefined };
  });
  return { created };
}

/** The stored reply to a write of a key. */
interface KeyReply {
  readonly key: string;
  readonly position: string;
  readonly created: boolean;
}

/** Deletes a key with its value and its position in listings. */
export function deleteKey(
  parts: KeyValueServiceParts,
  input: DeleteKeyInput,
  allowance?: Allowance,
): Promise<{ deleted: boolean }> {
  const { runId, key } = input;
  const scope: Scope = { kind: "run", runId };
  const mutation = { rpc: "DeleteKey", target: scope, input, allowance, removes: true };
  return mutate(parts, mutation, async (tx) => {
    const known = await tx.get("keyValues", scope, key);
    if (known === undefined) return { deleted: false };
    tx.delete("keyValues", scope, key);
    tx.delete("keyPositions", scope, known.position);
    return { deleted: true };
  });
}

/**
 * Returns a position after all positions of the run. Positions are never reused within an epoch, so
 * a page token for a deleted key stays valid.
 */
async function nextPosition(tx: Transaction, scope: Scope): Promise<string> {
  let last = 0;
  for await (const [position] of tx.scan("keyPositions", scope, { reverse: true })) {
    last = positionOfKey(position);
    break;
  }
  // A commit assigns at most one position, so the sequence number is at least the last position.
  // Only after the restore of damaged data, the last position may be greater.
  return positionKey(Math.max(last, tx.head.seq) + 1);
}
