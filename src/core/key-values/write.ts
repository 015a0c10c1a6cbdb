import type { Allowance } from "../model/allowance.js";
import { VademecumError } from "../model/errors.js";
import type { Scope } from "../model/namespace.js";
import { positionKey, positionOfKey } from "../model/record-keys.js";
import type { Transaction } from "../ports/store.js";
import { mutate } from "../requests/mutate.js";
import type { DeleteKeyInput, KeyValueServiceParts, WriteKeyInput, WrittenKey } from "./service.js";

/**
 * Stores a value. An existing key keeps its position in listings.
 *
 * @param allowance how much the caller may store. Absent: any amount
 */
export async function writeKey(
  parts: KeyValueServiceParts,
  input: WriteKeyInput,
  allowance?: Allowance,
): Promise<WrittenKey> {
  const { runId, key, value, expectedVersion } = input;
  const scope: Scope = { kind: "run", runId };
  const mutation = {
    ...{ rpc: "WriteKey", target: scope, input, allowance },
    // A key that was deleted and written again has another position.
    stands: async (tx: Transaction, { position }: KeyReply) =>
      (await tx.get("keyPositions", scope, position)) !== undefined,
  };
  const { created, version } = await mutate<KeyReply>(parts, mutation, async (tx) => {
    const known = await tx.get("keyValues", scope, key);
    const { version: before } = known ?? { version: 0 };
    if (expectedVersion !== undefined && expectedVersion !== before)
      throw versionMismatch(before, expectedVersion);
    const position = known?.position ?? (await nextPosition(tx, scope));
    tx.put("keyValues", scope, key, { value, position, version: before + 1 });
    if (known === undefined) tx.put("keyPositions", scope, position, key);
    return { position, created: known === undefined, version: before + 1 };
  });
  return { created, version };
}

function versionMismatch(version: number, expected: number): VademecumError {
  const now = version === 0 ? "is not set" : `is at version ${version}`;
  return new VademecumError(
    "ABORTED",
    "VERSION_MISMATCH",
    `the key ${now}, and the call expects ${expected === 0 ? "a new key" : `version ${expected}`}; ` +
      "read it again and repeat the change",
    {
      field: "expected_version",
      fields: [
        { field: "expected_version", description: `must be ${version}, the key's version now` },
      ],
    },
  );
}

/** The stored reply to a write of a key. */
interface KeyReply {
  /** Tells the key, whose name the reply must not keep after DeleteKey. */
  readonly position: string;
  readonly created: boolean;
  readonly version: number;
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
export async function nextPosition(tx: Transaction, scope: Scope): Promise<string> {
  let last = 0;
  for await (const [position] of tx.scan("keyPositions", scope, { reverse: true })) {
    last = positionOfKey(position);
    break;
  }
  // A commit assigns at most one position, so the sequence number is at least the last position.
  // Only after the restore of damaged data, the last position may be greater.
  return positionKey(Math.max(last, tx.head.seq) + 1);
}
