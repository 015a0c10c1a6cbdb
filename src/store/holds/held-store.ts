import { type Scope, scopeOf, userScope } from "../../core/model/namespace.js";
import type { Clock } from "../../core/ports/clock.js";
import type { WriteHolds } from "../../core/ports/holds.js";
import { scopeOfId } from "../../core/ports/id-range.js";
import type { RemovalState } from "../../core/ports/removal.js";
import type { Store } from "../../core/ports/store.js";
import { entryOf, type HeldRange, isMove } from "./held-ranges.js";
import { moved, writesHeld } from "./hold-errors.js";
import { ReadableScopes } from "./readable-scopes.js";
import { type HeldRanges, type RangeChange, TenantHolds } from "./tenant-holds.js";

/** Stores which ranges have moved to other servers, so that a restart does not forget them. */
export interface MoveKeeper {
  load(): Promise<readonly HeldRange[]>;
  /** Replaces all earlier moves. Resolves when the new moves are durable. */
  save(moves: readonly HeldRange[]): Promise<void>;
}

/**
 * A store that supports moves to other servers. It refuses the writes of a scope that is held, and
 * every use of a scope that has moved.
 */
export interface HeldStore {
  /** Refuses each call that a hold or a move forbids. Lists no scope that has moved. */
  readonly store: Store;
  /** Returns the holds of one tenant; for `undefined`, the holds of the data without a tenant. */
  readonly holdsOf: (tenant: string | undefined) => WriteHolds;
}

/**
 * Wraps a store. The wrapped store refuses each call that a hold or a move forbids.
 *
 * @throws DATA_LOSS (STORE_DAMAGED) when the stored moves are damaged
 */
export async function createHeldStore(
  store: Store,
  keeper: MoveKeeper,
  clock: Clock,
): Promise<HeldStore> {
  const updates = new Set<Promise<unknown>>();
  const ranges = new LocalRanges(await keeper.load(), { keeper, clock, updates });
  return {
    store: withHolds(store, updates, ranges),
    holdsOf: (tenant) => new TenantHolds(tenant, ranges),
  };
}

/** All holds and moves of a store that only one server uses. */
class LocalRanges implements HeldRanges {
  readonly readable = new ReadableScopes();
  /** Resolves when the last change is done or undone. Never rejects. */
  #lastChange: Promise<void> = Promise.resolve();

  constructor(
    private ranges: readonly HeldRange[],
    private readonly parts: {
      readonly keeper: MoveKeeper;
      readonly clock: Clock;
      /** All running updates. */
      readonly updates: ReadonlySet<Promise<unknown>>;
    },
  ) {}

  entryOf(scope: Scope): HeldRange | undefined {
    const { ranges, parts } = this;
    return ranges.length === 0 ? undefined : entryOf(ranges, scope, parts.clock.nowMs());
  }

  async read(): Promise<readonly HeldRange[]> {
    return this.ranges;
  }

  known(): readonly HeldRange[] {
    return this.ranges;
  }

  /**
   * Waits for earlier changes: a change that fails restores the earlier ranges, which would undo a
   * concurrent change.
   */
  change(change: RangeChange): Promise<void> {
    const changed = this.#lastChange.then(() => this.#apply(change));
    this.#lastChange = changed.catch(() => undefined);
    return changed;
  }

  /** Applies the change immediately. Undoes it if the moves cannot be made durable. */
  async #apply(change: RangeChange): Promise<void> {
    const before = this.ranges;
    const next = change(before, this.parts.clock.nowMs());
    this.ranges = next;
    const moves = next.filter(isMove);
    if (moves.length === 0 && !before.some(isMove)) return;
    try {
      await this.parts.keeper.save(moves);
    } catch (error) {
      this.ranges = before;
      throw error;
    }
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.parts.updates);
  }
}

/**
 * Returns a view of a store. The view refuses each call that a hold or a move forbids.
 *
 * @param updates contains each update while the update runs
 */
function withHolds(store: Store, updates: Set<Promise<unknown>>, ranges: LocalRanges): Store {
  const heldBy = (scope: Scope): HeldRange | undefined => ranges.entryOf(scope);
  const requirePresent = (scope: Scope): void => {
    const { movedTo, isHandingOver } = heldBy(scope) ?? {};
    if (movedTo === undefined || (isHandingOver === true && ranges.readable.has(scope))) return;
    throw moved(movedTo, scope);
  };
  const write = async <T>(scope: Scope, begin: () => Promise<T>): Promise<T> => {
    requirePresent(scope);
    if (heldBy(scope) !== undefined) throw writesHeld(scope);
    const written = begin();
    updates.add(written);
    try {
      return await written;
    } finally {
      updates.delete(written);
    }
  };
  return {
    get openedAtMs() {
      return store.openedAtMs;
    },
    get pageKey() {
      return store.pageKey;
    },
    update: (scope, transact) => write(scope, () => store.update(scope, transact)),
    erase: (scope, nowMs) => write(scope, () => store.erase(scope, nowMs)),
    reserve: (allowance, tenant) => store.reserve(allowance, tenant),
    totals: (tenant) => store.totals(tenant),
    async head(scope) {
      requirePresent(scope);
      return store.head(scope);
    },
    ...(store.removalState && {
      removalState: (namespace) => store.removalState?.(namespace) as Promise<RemovalState>,
    }),
    recent: (scope, afterSeq, head) => store.recent?.(scope, afterSeq, head),
    async snapshot(scope) {
      requirePresent(scope);
      return store.snapshot(scope);
    },
    changes: (snapshot, afterSeq, untilSeq) => store.changes(snapshot, afterSeq, untilSeq),
    ...withoutMoved(store, heldBy, requirePresent),
    async settleDue(scope, head, dueMs) {
      if (heldBy(scope) === undefined)
        await write(scope, () => store.settleDue(scope, head, dueMs));
    },
    followProposals: (scope, onChange) =>
      store.followProposals?.(scope, onChange) ?? (() => undefined),
    compact: () => store.compact(),
    close: () => store.close(),
  };
}

/** Returns the lists of a store without the scopes that have moved. */
function withoutMoved(
  store: Store,
  heldBy: (scope: Scope) => HeldRange | undefined,
  requirePresent: (scope: Scope) => void,
): Pick<Store, "ids" | "namespaces" | "scopes" | "acrossUsers" | "undelivered" | "dueScopes"> {
  const hasMoved = (scope: Scope) => heldBy(scope)?.movedTo !== undefined;
  return {
    async *ids(range) {
      if (range.of === "agents") requirePresent(scopeOfId(range, ""));
      for await (const id of store.ids(range)) if (!hasMoved(scopeOfId(range, id))) yield id;
    },
    async *namespaces() {
      for await (const namespace of store.namespaces())
        if (!hasMoved(scopeOf(namespace))) yield namespace;
    },
    async *scopes() {
      for await (const scope of store.scopes()) if (!hasMoved(scope)) yield scope;
    },
    async *acrossUsers(table, range) {
      const { tenant } = range;
      for await (const entry of store.acrossUsers(table, range)) {
        if (!hasMoved(userScope(entry[1], tenant))) yield entry;
      }
    },
    async *undelivered() {
      for await (const scope of store.undelivered()) if (!hasMoved(scope)) yield scope;
    },
    async *dueScopes(nowMs) {
      for await (const due of store.dueScopes(nowMs)) if (!hasMoved(due.scope)) yield due;
    },
  };
}
