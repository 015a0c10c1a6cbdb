import type { Scope } from "../model/namespace.js";
import type { Transaction } from "../ports/store.js";
import { replyOnce } from "../requests/idempotency.js";
import type { DeleteKeyInput, KeyValueServiceParts, WriteKeyInput } from "./key-value-service.js";

/** Stores a value; a key that is there already keeps its place in listings. */
export async function writeKey(
  { store, clock }: KeyValueServiceParts,
  input: WriteKeyInput,
): Promise<{ created: boolean }> {
  const { runId, key, value, idempotencyKey } = input;
  const scope: Scope = { kind: "run", runId };
  const repeatable = {
    rpc: "WriteKey",
    idempotencyKey,
    request: { runId, key, value },
    nowMs: clock.nowMs(),
  };
  const { result } = await store.update(scope, (tx) =>
    replyOnce(tx, scope, repeatable, async () => {
      const known = await tx.get("keyValues", scope, key);
      const position = known?.position ?? (await nextPosition(tx, scope));
      tx.put("keyValues", scope, key, { value, position });
      if (known === undefined) tx.put("keyPositions", scope, position, key);
      return { created: known === undefined };
    }),
  );
  return result;
}

/** Deletes a key with its value and its place in listings, if it is there. */
export async function deleteKey(
  { store, clock }: KeyValueServiceParts,
  input: DeleteKeyInput,
): Promise<{ deleted: boolean }> {
  const { runId, key, idempotencyKey } = input;
  const scope: Scope = { kind: "run", runId };
  const repeatable = {
    rpc: "DeleteKey",
    idempotencyKey,
    request: { runId, key },
    nowMs: clock.nowMs(),
  };
  const { result } = await store.update(scope, (tx) =>
    replyOnce(tx, scope, repeatable, async () => {
      const known = await tx.get("keyValues", scope, key);
      if (known === undefined) return { deleted: false };
      tx.delete("keyValues", scope, key);
      tx.delete("keyPositions", scope, known.position);
      return { deleted: true };
    }),
  );
  return result;
}

/** Hexadecimal digits of a position, so that byte order is the order of numbers: they hold any safe integer. */
const positionDigits = 14;

/** A position behind all that the run has, and never one that it had in this life of the data: a page token may still stand for that. */
async function nextPosition(tx: Transaction, scope: Scope): Promise<string> {
  let last = 0;
  for await (const [position] of tx.scan("keyPositions", scope, { reverse: true })) {
    last = Number.parseInt(position, 16);
    break;
  }
  // Each commit gives at most one position, so it is never ahead of the number of the commit that gave it, except after an accepted loss.
  return (Math.max(last, tx.head.seq) + 1).toString(16).padStart(positionDigits, "0");
}
