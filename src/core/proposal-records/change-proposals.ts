import type { WakeUps } from "../requests/wake-ups.js";

/** The part of `WakeUps` that writers need. */
export interface ChangeParts {
  readonly wakeUps: Pick<WakeUps, "wake">;
}

/**
 * Runs a transaction that changes proposals of a user, and wakes the watchers of that user. Every
 * change of a proposal goes through here. The exceptions are a full wipe and a restore of scopes.
 *
 * @param transact Adds the ids of the proposals that it changes to `changed`.
 */
export async function changeProposals<T>(
  { wakeUps }: ChangeParts,
  userId: string,
  transact: (changed: Set<string>) => Promise<T>,
): Promise<T> {
  const changed = new Set<string>();
  try {
    return await transact(changed);
  } finally {
    // Wakes after an error, too: the outcome of the write may be unknown.
    if (changed.size > 0) wakeUps.wake(userId, [...changed]);
  }
}
