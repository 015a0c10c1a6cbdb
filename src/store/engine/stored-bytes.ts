import type { Base } from "./base.js";
import { growthOf, type PendingRecord } from "./pending-records.js";

/**
 * Bytes of all records of a scope, stored replies included, by the account that stored them (see
 * `Allowance.account`). Accounts without bytes are absent.
 */
export type StoredBytes = ReadonlyMap<string, number>;

export const noStoredBytes: StoredBytes = new Map();

/**
 * Returns the bytes that pending writes add to a scope. Requires: `base` knows each of them.
 *
 * @param cleared the places that will not be in use any more
 */
export function grownBytes<P>(
  base: Base<P>,
  pending: Iterable<PendingRecord<P>>,
  cleared: Iterable<P>,
): number {
  let sum = 0;
  for (const place of cleared) sum -= base.bytes(place);
  for (const { slot, payload } of pending)
    sum += growthOf(slot, payload, base.payloadBytes(slot)).storedBytes;
  return sum;
}

/** Returns the bytes that writes add, by account. Requires: as for `grownBytes`. */
export function growthByAccount<P>(
  base: Base<P>,
  pending: Iterable<PendingRecord<P>>,
  cleared: Iterable<readonly [place: P, account: string]>,
): Map<string, number> {
  const growth = new Map<string, number>();
  for (const [place, account] of cleared) addTo(growth, account, -base.bytes(place));
  for (const { slot, payload, account } of pending)
    addTo(growth, account, growthOf(slot, payload, base.payloadBytes(slot)).storedBytes);
  return growth;
}

function addTo(growth: Map<string, number>, account: string, bytes: number): void {
  growth.set(account, (growth.get(account) ?? 0) + bytes);
}

/**
 * Returns the bytes of the accounts after each of them has grown. What an account removes beyond
 * its own bytes was stored by others: it counts for the account with the most bytes. So the sum is
 * always the size of the scope.
 */
export function changeStoredBytes(
  stored: StoredBytes,
  growth: Iterable<readonly [account: string, bytes: number]>,
): StoredBytes {
  const after = new Map(stored);
  let excess = 0;
  for (const [account, more] of growth) {
    const bytes = (after.get(account) ?? 0) + more;
    if (bytes > 0) after.set(account, bytes);
    else after.delete(account);
    excess += Math.max(0, -bytes);
  }
  while (excess > 0 && after.size > 0) {
    const [account, bytes] = [...after].reduce((most, entry) =>
      entry[1] > most[1] ? entry : most,
    );
    if (bytes > excess) after.set(account, bytes - excess);
    else after.delete(account);
    excess -= Math.min(bytes, excess);
  }
  return after;
}
