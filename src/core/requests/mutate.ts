import { type Allowance, noAllowance } from "../model/allowance.js";
import { type Namespace, type Scope, scopeHolding } from "../model/namespace.js";
import type { Clock } from "../ports/clock.js";
import type { Committed, Store, Transaction } from "../ports/store.js";
import { type Idempotent, knownReply, type RepeatableCall, replyOnce } from "./idempotency.js";
import { bookkeepingBytes, withinQuota } from "./within-quota.js";

/** The dependencies of a mutation. */
export interface MutationParts {
  readonly store: Pick<Store, "update" | "reserve">;
  readonly clock: Clock;
}

/**
 * A call that changes records of one scope, and that a client may repeat. `T` is the type of its
 * stored reply.
 */
export interface Mutation<T = unknown> {
  /**
   * Name of the RPC. Keys of different RPCs are independent: the same idempotency key may serve one
   * call of each RPC.
   */
  readonly rpc: string;
  /** The owner of the records that change, and of the idempotency key. */
  readonly target: Namespace | Scope;
  /**
   * The whole input of the use case. A repetition must have the same input: every field counts,
   * except the idempotency key itself. An absent field differs from a field that is `undefined`.
   */
  readonly input: Idempotent;
  /** The clock's time, if the caller has already read it. Absent: `mutate` reads the clock. */
  readonly nowMs?: number;
  /** How much the caller may store. Absent: any amount, which counts for no account. */
  readonly allowance?: Allowance | undefined;
  /**
   * Whether the mutation only removes data. The quota of the user or run then does not apply.
   * Default false.
   */
  readonly removes?: boolean;
  /**
   * Called before each attempt of the transaction; a failed attempt can be repeated. Must forget
   * what `write` has noted outside of the transaction in an earlier attempt. The last attempt may
   * find a stored reply, and then does not call `write`.
   */
  readonly onRun?: () => void;
  /**
   * Whether the records that a stored reply names still exist, and are the same records. If not, a
   * repetition is a new call. Absent: a repetition always gets the stored reply, as for a deletion.
   */
  readonly stands?: (tx: Transaction, reply: T) => Promise<boolean>;
}

/**
 * Writes the records of a mutation and returns its reply, which is stored: JSON values without
 * texts of callers. `earlier` is the reply to an earlier call with the same idempotency key and
 * input, if a part of what that call wrote was removed since.
 */
export type Write<T> = (tx: Transaction, nowMs: number, earlier?: T) => Promise<T>;

/**
 * Runs a mutation once and returns its reply. A repetition with the same idempotency key and input
 * returns the stored reply and writes nothing, while what the reply names exists.
 *
 * @throws INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED) when the key came with another input.
 * @throws RESOURCE_EXHAUSTED (QUOTA_EXCEEDED) when the user or run would hold more than its quota,
 *   or the account or the tenant more than its limit.
 */
export async function mutate<T>(
  parts: MutationParts,
  mutation: Mutation<T>,
  write: Write<T>,
): Promise<T> {
  return (await mutateWithHead(parts, mutation, write)).result;
}

/** Does the same as `mutate` and also returns the scope's head after the commit. */
export function mutateWithHead<T>(
  { store, clock }: MutationParts,
  mutation: Mutation<T>,
  write: Write<T>,
): Promise<Committed<T>> {
  const { target, allowance = noAllowance, removes = false } = mutation;
  const { nowMs = clock.nowMs(), onRun } = mutation;
  const scope = scopeHolding(target);
  const call = repeatableCall(mutation, nowMs);
  const quota = removes || scope.kind === "server" ? undefined : allowance.quota;
  return updateWithin(store, scope, allowance, removes, (tx) => {
    onRun?.();
    return replyOnce(store, tx, scope, call, (earlier) =>
      quota === undefined
        ? write(tx, nowMs, earlier)
        : withinQuota(tx, scope, quota, () => write(tx, nowMs, earlier)),
    );
  });
}

/**
 * Runs a transaction whose bytes count for an account, and keeps the totals of the account and the
 * tenant within their limits.
 *
 * @param removes whether the transaction only removes data
 * @throws RESOURCE_EXHAUSTED (QUOTA_EXCEEDED) when the account or the tenant would hold more than
 *   its limit
 */
export async function updateWithin<T>(
  store: Pick<Store, "update" | "reserve">,
  scope: Scope,
  allowance: Allowance,
  removes: boolean,
  transact: (tx: Transaction) => Promise<T>,
): Promise<Committed<T>> {
  const reservation = store.reserve(allowance);
  if (reservation === undefined)
    return store.update(scope, (tx) => {
      tx.storeAs(allowance.account);
      return transact(tx);
    });
  try {
    return await store.update(scope, async (tx) => {
      tx.storeAs(allowance.account);
      const result = await transact(tx);
      const growth = tx.growthAtMost() > 0 ? await tx.growth() : 0;
      await reservation.take(growth, removes || growth <= bookkeepingBytes);
      return result;
    });
  } finally {
    reservation.release();
  }
}

/**
 * Runs a mutation within the transaction of an outer mutation, once for each idempotency key. The
 * outer mutation has the allowance, and no idempotency key.
 */
export function mutateWithin<T>(
  { store }: Pick<MutationParts, "store">,
  tx: Transaction,
  mutation: Mutation<T> & { readonly nowMs: number },
  write: () => Promise<T>,
): Promise<T> {
  const { target, nowMs } = mutation;
  const scope = scopeHolding(target);
  return replyOnce(store, tx, scope, repeatableCall(mutation, nowMs), () => write());
}

/**
 * Returns the reply to an earlier call of the same mutation, or `undefined`. For work that takes
 * several transactions, and so cannot run inside `mutate`.
 *
 * @throws INVALID_ARGUMENT (IDEMPOTENCY_KEY_REUSED) when the key came with another input.
 */
export async function replyBefore<T>(
  { store, clock }: MutationParts,
  mutation: Mutation<T>,
): Promise<{ readonly reply: T } | undefined> {
  const { target, nowMs = clock.nowMs() } = mutation;
  const scope = scopeHolding(target);
  const call = repeatableCall(mutation, nowMs);
  const { result } = await store.update(scope, (tx) => knownReply<T>(tx, scope, call));
  return result?.stands === true ? { reply: result.reply } : undefined;
}

/** Stands for the request of a call without a key, which is never compared. */
const noRequest: Idempotent = {};

function repeatableCall<T>(
  { rpc, target, input, stands }: Mutation<T>,
  nowMs: number,
): RepeatableCall<T> {
  const agentId = "agentId" in target ? target.agentId : undefined;
  // Copying the input costs much, and only a call with a key needs it.
  if (input.idempotencyKey === undefined)
    return { rpc, agentId, idempotencyKey: undefined, request: noRequest, nowMs };
  const { idempotencyKey, ...request } = input;
  return { rpc, agentId, idempotencyKey, request, nowMs, stands };
}
