import { createHash } from "node:crypto";
import { stringify } from "safe-stable-stringify";
import { invalidField, type VademecumError } from "../model/errors.js";
import type { Scope } from "../model/namespace.js";
import type { Reader, Transaction } from "../ports/store.js";

/** How long a repeated call gets the first one's reply. */
export const replyLifetimeMs = 24 * 60 * 60 * 1000;

/** Expired replies that one call removes at most: enough to keep up, since each call adds one. */
const expiredPerCall = 4;

/** What every mutation may carry. */
export interface Idempotent {
  /** Makes a retry safe for 24 hours; absent: every call counts. */
  readonly idempotencyKey?: string;
}

/** Whether a call failed because its idempotency key came with another request before. */
export function isReusedKey({ reason }: VademecumError): boolean {
  return reason === "IDEMPOTENCY_KEY_REUSED";
}

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
export async function replyOnce<T>(
  tx: Transaction,
  scope: Scope,
  call: RepeatableCall,
  run: () => Promise<T>,
): Promise<T> {
  const { idempotencyKey, nowMs, request } = call;
  if (idempotencyKey === undefined) return run();
  const known = await knownReply<T>(tx, scope, call);
  if (known !== undefined) return known.reply;
  const reply = await run();
  const key = replyKey(call.rpc, idempotencyKey);
  const expireMs = nowMs + replyLifetimeMs;
  await removeExpired(tx, scope, nowMs);
  tx.put("replies", scope, key, { requestDigest: digestOf(request), reply, expireMs });
  tx.put("replyExpiries", scope, expiryKey(expireMs, key), key);
  return reply;
}

/** The reply that the call was given before, if it was. @throws as `replyOnce`. */
export async function knownReply<T>(
  reader: Reader,
  scope: Scope,
  call: RepeatableCall,
): Promise<{ readonly reply: T } | undefined> {
  const { rpc, idempotencyKey, nowMs, request } = call;
  if (idempotencyKey === undefined) return undefined;
  const stored = await reader.get("replies", scope, replyKey(rpc, idempotencyKey));
  if (stored === undefined || stored.expireMs <= nowMs) return undefined;
  if (stored.requestDigest !== digestOf(request)) {
    throw invalidField(
      "idempotency_key",
      `was used for another ${rpc} within the last 24 hours; use a new key for each distinct request`,
      "IDEMPOTENCY_KEY_REUSED",
    );
  }
  return { reply: stored.reply as T };
}

function replyKey(rpc: string, idempotencyKey: string): string {
  return `${rpc}\0${idempotencyKey}`;
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
  /** Names of fields that are to be cleared, which JSON would leave out. */
  const cleared: string[] = [];
  const text = stringify(request, (key, value: unknown) => {
    if (value === undefined) cleared.push(key);
    if (value instanceof Float32Array)
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
    return value;
  });
  return createHash("sha256")
    .update(JSON.stringify([text, cleared.sort()]))
    .digest("hex");
}
