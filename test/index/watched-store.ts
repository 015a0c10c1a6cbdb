import type { Snapshot, Store } from "../../src/core/ports/store.js";

/** A store that records its scans, and lets a test run code before a read. */
export interface WatchedStore extends Store {
  /** The store that does the work. */
  inner: Store;
  /** Tables scanned so far. */
  scans: string[];
  openSnapshots: number;
  /** Number of snapshots taken so far. */
  snapshots: number;
  /** Called before each read of a record, also in a scan. If it throws, the read fails too. */
  beforeRead: (() => void) | undefined;
}

export function createWatchedStore(inner: Store): WatchedStore {
  const originals = new WeakMap<Snapshot, Snapshot>();

  const watched: WatchedStore = {
    inner,
    scans: [],
    openSnapshots: 0,
    snapshots: 0,
    beforeRead: undefined,
    openedAtMs: inner.openedAtMs,
    pageKey: inner.pageKey,

    reserve: (allowance) => watched.inner.reserve(allowance),
    totals: () => watched.inner.totals(),
    head: (scope) => watched.inner.head(scope),
    recent: (scope, afterSeq, head) => watched.inner.recent?.(scope, afterSeq, head),

    async snapshot(scope) {
      const original = await watched.inner.snapshot(scope);
      watched.openSnapshots += 1;
      watched.snapshots += 1;
      const snapshot: Snapshot = {
        head: original.head,
        async get(...request) {
          watched.beforeRead?.();
          return original.get(...request);
        },
        async *scan(...request) {
          watched.scans.push(request[0]);
          for await (const entry of original.scan(...request)) {
            watched.beforeRead?.();
            yield entry;
          }
        },
        count: (...request) => original.count(...request),
        async [Symbol.asyncDispose]() {
          watched.openSnapshots -= 1;
          await original[Symbol.asyncDispose]();
        },
      };
      originals.set(snapshot, original);
      return snapshot;
    },

    async changes(snapshot, afterSeq) {
      return watched.inner.changes(originals.get(snapshot) ?? snapshot, afterSeq);
    },

    update: (scope, transact) => watched.inner.update(scope, transact),
    erase: (scope, nowMs) => watched.inner.erase(scope, nowMs),
    ids: (range) => watched.inner.ids(range),
    namespaces: () => watched.inner.namespaces(),
    acrossUsers: (table, range) => watched.inner.acrossUsers(table, range),
    undelivered: () => watched.inner.undelivered(),
    scopes: () => watched.inner.scopes(),
    dueScopes: (nowMs) => watched.inner.dueScopes(nowMs),
    settleDue: (...of) => watched.inner.settleDue(...of),
    compact: () => watched.inner.compact(),
    close: () => watched.inner.close(),
  };
  return watched;
}
