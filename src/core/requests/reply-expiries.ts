import { type Scope, scopeMapKey } from "../model/namespace.js";
import { expiryKey, timeOfExpiryKey } from "../model/record-keys.js";
import type { Transaction } from "../ports/store.js";

/**
 * Maximum number of expired replies that one call removes. Each call adds one reply, so removing
 * four keeps the table small.
 */
const expiredPerCall = 4;

/** Maximum number of scopes of a store whose next expiry is kept in RAM. */
const scopesMax = 10_000;

/** By store and scope: a time before which no stored reply expires. */
const nextExpiries = new WeakMap<object, Map<string, number>>();

/**
 * Transactions that remove replies. If one fails, its replies stay, so such a transaction does not
 * keep a next expiry.
 */
const removing = new WeakSet<Transaction>();

/**
 * Removes a few stored replies that have expired. Searches for them only if one may have expired
 * since the last search that found none.
 *
 * @param store an object that identifies the store
 * @param nextMs no reply that is stored from now on expires earlier
 */
export async function removeExpiredReplies(
  store: object,
  tx: Transaction,
  scope: Scope,
  nowMs: number,
  nextMs: number,
): Promise<void> {
  const ofScopes = nextExpiries.get(store) ?? new Map<string, number>();
  nextExpiries.set(store, ofScopes);
  const mapKey = scopeMapKey(scope);
  if (nowMs < (ofScopes.get(mapKey) ?? 0)) return;
  const otherMs = await removeSome(tx, scope, nowMs);
  if (removing.has(tx)) return;
  if (ofScopes.size >= scopesMax) ofScopes.clear();
  ofScopes.set(mapKey, Math.min(nextMs, otherMs));
}

/**
 * Removes a few expired replies. Returns a time before which no other reply expires; infinite if
 * there are no other replies.
 */
async function removeSome(tx: Transaction, scope: Scope, nowMs: number): Promise<number> {
  const expired: (readonly [string, string])[] = [];
  let nextMs = Number.POSITIVE_INFINITY;
  for await (const entry of tx.scan("replyExpiries", scope)) {
    if (expired.length === expiredPerCall || entry[0] >= expiryKey(nowMs, "")) {
      nextMs = timeOfExpiryKey(entry[0]);
      break;
    }
    expired.push(entry);
  }
  if (expired.length > 0) removing.add(tx);
  for (const [key, expiredReplyKey] of expired) {
    tx.delete("replyExpiries", scope, key);
    const reply = await tx.get("replies", scope, expiredReplyKey);
    // If a later call has used the key again, the reply of that call has not expired and stays.
    if (reply !== undefined && reply.expireMs <= nowMs)
      tx.delete("replies", scope, expiredReplyKey);
  }
  return nextMs;
}
