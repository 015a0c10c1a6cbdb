import { createHash } from "node:crypto";
import { stringify } from "safe-stable-stringify";
import { invalidField } from "./errors.js";
import type { Scope } from "./namespace.js";
import type { Transaction } from "./store.js";

/** How long a repeated call gets the first one's reply. */
export const replyLifetimeMs = 24 * 60 * 60 * 1000;

/** Expired replies that one call removes at most: enough to keep up, since each call adds one. */
const expiredPerCall = 4;

/** A call that may be a repetition. */
export interface RepeatableCall {
  /** Name of the RPC: the same key may be used with another one. */
  readonly rpc: string;
  readonly idempotencyKey: string | undefined;
  /** What was asked, without the key. Absent fields and fields that are `undefined` differ. */
  readonly request: unknown;
  /** The clock, read before the transaction. */
  readonly nowMs: number;
}

/**
 * Runs `run` once for each key: a repetition gets the stored reply, which is kept in the same transaction as what `run` writes.
 * REQUIRES: the reply is made of JSON values.
 * @throws INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED) if the key came with another request.
 */
export async function replyOnce<T>(tx: Transaction, scope: Scope, call: RepeatableCall, run: () => Promise<T>): Promise<T> {
  const { rpc, idempotencyKey, nowMs } = call;
  if (idempotencyKey === undefined) return await run();
  const key = `${rpc}\0${idempotencyKey}`;
  const requestDigest = digestOf(call.request);
  const stored = await tx.get("replies", scope, key);
  if (stored !== undefined && stored.expireMs > nowMs) {
    if (stored.requestDigest !== requestDigest) {
      throw invalidField(
        "idempotency_key",
        `was used for another ${rpc} within the last 24 hours; use a new key for each distinct request`,
        "IDEMPOTENCY_KEY_REUSED",
      );
    }
    return stored.reply as T;
  }
  const reply = await run();
  const expireMs = nowMs + replyLifetimeMs;
  await removeExpired(tx, scope, nowMs);
  tx.put("replies", scope, key, { requestDigest, reply, expireMs });
  tx.put("replyExpiries", scope, expiryKey(expireMs, key), key);
  return reply;
}

async function removeExpired(tx: Transaction, scope: Scope, nowMs: number): Promise<void> {
  const expired: (readonly [string, string])[] = [];
  for await (const entry of tx.scan("replyExpiries", scope)) {
    if (expired.length === expiredPerCall || entry[0] >= expiryKey(nowMs, "")) break;
    expired.push(entry);
  }
  for (const [key, replyKey] of expired) {
    tx.delete("replyExpiries", scope, key);
    const reply = await tx.get("replies", scope, replyKey);
    // The key may have been used anew since.
    if (reply !== undefined && reply.expireMs <= nowMs) tx.delete("replies", scope, replyKey);
  }
}

function expiryKey(expireMs: number, replyKey: string): string {
  return `${expireMs.toString(16).padStart(12, "0")}\0${replyKey}`;
}

function digestOf(request: unknown): string {
  const text = stringify(request, (_key, value: unknown) => {
    if (value === undefined) return { absent: true };
    if (value instanceof Float32Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
    return value;
  });
  return createHash("sha256")
    .update(text ?? "")
    .digest("hex");
}
