import { createHmac } from "node:crypto";
import { stringify } from "safe-stable-stringify";
import { invalidField, type VademecumError } from "../model/errors.js";
import type { Scope } from "../model/namespace.js";
import { expiryKey, replyKey } from "../model/record-keys.js";
import type { Transaction } from "../ports/store.js";
import type { StoredReply } from "../ports/stored-reply.js";
import { removeExpiredReplies } from "./reply-expiries.js";

/** Lifetime of a stored reply, in milliseconds. */
export const replyLifetimeMs = 24 * 60 * 60 * 1000;

/** An input with an idempotency key. */
export interface Idempotent {
  /** Makes a retry safe for 24 hours. Absent: every call runs. */
  readonly idempotencyKey?: string;
}

/** Whether a call failed because its idempotency key was used for another request before. */
export function isReusedKey({ reason }: VademecumError): boolean {
  return reason === "IDEMPOTENCY_KEY_REUSED";
}

/** A call that may be a repetition. `T` is the type of its stored reply. */
export interface RepeatableCall<T> {
  /** Name of the RPC. Keys of different RPCs are independent. */
  readonly rpc: string;
  /** The agent that the key belongs to. `undefined`: the key belongs to the whole scope. */
  readonly agentId: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The input without the key. An absent field differs from a field that is `undefined`. */
  readonly request: unknown;
  /** The clock's time, read before the transaction. */
  readonly nowMs: number;
  /**
   * Whether everything that the stored reply names still exists. If not, the key is as good as new.
   * Absent: the reply names nothing that can be removed.
   */
  readonly stands?: ((tx: Transaction, reply: T) => Promise<boolean>) | undefined;
}

/**
 * Runs `run` once for each key. A repetition returns the stored reply, unless the records that the
 * reply names were removed since. The transaction that writes the records of `run` also stores the
 * reply. Requires: the reply consists of JSON values, and has no text of the caller: replies would
 * keep texts that were deleted since.
 *
 * @param run receives the earlier reply to the same request if a part of what it names was removed
 * @param store an object that identifies the store of `tx`
 * @throws INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED) when the key came with another request.
 */
export async function replyOnce<T>(
  store: object,
  tx: Transaction,
  scope: Scope,
  call: RepeatableCall<T>,
  run: (earlier?: T) => Promise<T>,
): Promise<T> {
  const { idempotencyKey, nowMs } = call;
  if (idempotencyKey === undefined) return run();
  const known = await knownReply<T>(tx, scope, call);
  if (known?.stands === true) return known.reply;
  const reply = await run(known?.reply);
  const key = replyKey(call.rpc, call.agentId, idempotencyKey);
  const expireMs = nowMs + replyLifetimeMs;
  await removeExpiredReplies(store, tx, scope, nowMs, expireMs);
  const before = await storedReply(tx, scope, key);
  if (before !== undefined) tx.delete("replyExpiries", scope, expiryKey(before.expireMs, key));
  tx.put("replies", scope, key, { requestDigest: digestOf(call), reply, expireMs });
  tx.put("replyExpiries", scope, expiryKey(expireMs, key), key);
  return reply;
}

/** A stored reply. */
export interface KnownReply<T> {
  readonly reply: T;
  /** False: a part of what the reply names was removed since. */
  readonly stands: boolean;
}

/**
 * Returns the reply that an earlier call with the key and the same request got, or `undefined`.
 *
 * @throws INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED) when the key came with another request, and
 *   everything that the reply to it names still exists.
 */
export async function knownReply<T>(
  tx: Transaction,
  scope: Scope,
  call: RepeatableCall<T>,
): Promise<KnownReply<T> | undefined> {
  const { rpc, agentId, idempotencyKey } = call;
  if (idempotencyKey === undefined) return undefined;
  const stored = await storedReply(tx, scope, replyKey(rpc, agentId, idempotencyKey));
  const isKnown = stored !== undefined && stored.expireMs > call.nowMs;
  if (!isKnown) return undefined;
  const reply = stored.reply as T;
  const stands = call.stands === undefined || (await call.stands(tx, reply));
  if (stored.requestDigest === digestOf(call)) return { reply, stands };
  if (!stands) return undefined;
  throw invalidField(
    "idempotency_key",
    `was used for another ${rpc} within the last 24 hours; use a new key for each distinct request`,
    "IDEMPOTENCY_KEY_REUSED",
  );
}

async function storedReply(
  tx: Transaction,
  scope: Scope,
  key: string,
): Promise<StoredReply | undefined> {
  // Nearly every call is the first with its key, so a look-up is seldom needed.
  return (await tx.isUnused("replies", scope, key)) ? undefined : tx.get("replies", scope, key);
}

/**
 * Returns a digest of the request. Its key is the idempotency key, which is not stored: otherwise
 * the digest of a short text would reveal the text to whoever tries all such texts.
 */
function digestOf({ idempotencyKey = "", request }: RepeatableCall<never>): string {
  /** The names of fields that are `undefined`. JSON leaves these fields out. */
  const cleared: string[] = [];
  const text = stringify(request, (key, value: unknown) => {
    if (value === undefined) cleared.push(key);
    if (value instanceof Float32Array)
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
    return value;
  });
  return createHmac("sha256", idempotencyKey)
    .update(JSON.stringify([text, cleared.sort()]))
    .digest("hex");
}
