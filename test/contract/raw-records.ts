import { describe, expect, it, onTestFinished } from "vitest";
import { sameDigest } from "../../src/core/backup/record-digest.js";
import type { Scope } from "../../src/core/model/namespace.js";
import type { RawRecords, RecordPage, RestoredScope } from "../../src/core/ports/backup.js";
import type { Store } from "../../src/core/ports/store.js";
import { createSearchIndex } from "../../src/index/search-index.js";
import { memoryRecords } from "../../src/store/codec/memory-records.js";
import { digestOf, fillScopes, pagesIn } from "../fixtures/raw-scopes.js";
import { sampleMemory } from "./sample-records.js";
import { collect, keysOf, kim, notes, tasks } from "./store/context.js";

/** A store whose records can be copied. */
export type CopiedStore = Store & RawRecords;

async function* eachOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

const nothing = { epoch: "", seq: 0 };

/** Tests how a store reads and restores whole scopes. */
export function describeRawRecords(name: string, open: () => Promise<CopiedStore>): void {
  async function opened(): Promise<CopiedStore> {
    const store = await open();
    onTestFinished(() => store.close());
    return store;
  }

  async function copy(
    from: RawRecords,
    to: RawRecords,
    scope: Scope,
    epoch?: string,
  ): Promise<void> {
    await using reader = await from.openScope(scope);
    const { head, lastTimeMs } = reader.state;
    const restored: RestoredScope = { scope, seq: head.seq, lastTimeMs, epoch };
    await to.restoreScope(restored, await to.head(scope), reader.pages());
  }

  describe(name, () => {
    it("a restored scope has the same records, sequence number and digest", async () => {
      const source = await opened();
      const target = await opened();
      const scopes = await fillScopes(source);
      for (const scope of scopes) {
        await copy(source, target, scope);
        expect(sameDigest(await digestOf(target, scope), await digestOf(source, scope))).toBe(true);
        expect((await target.head(scope)).seq).toBe((await source.head(scope)).seq);
      }
      const states = await collect(target.scopeStates());
      expect(states.map(({ scope }) => scope)).toEqual(expect.arrayContaining([...scopes]));
    });

    it("a restored scope takes the epoch of the target store if the restore names no epoch", async () => {
      const source = await opened();
      const target = await opened();
      await fillScopes(source);
      await copy(source, target, kim);
      const own = await target.head(kim);
      const other = await target.head({ kind: "user", userId: "nobody" });
      expect(own.epoch).toBe(other.epoch);
      const again = await opened();
      await copy(source, again, kim, "moved");
      expect((await again.head(kim)).epoch).toBe("moved");
      await using snapshot = await again.snapshot(kim);
      expect(snapshot.head.epoch).toBe("moved");
      const { head } = await again.update(kim, async (tx) => tx.put("timeline", notes, "x", null));
      expect(head).toEqual({ ...snapshot.head, seq: snapshot.head.seq + 1 });
    });

    it("a restore replaces all records of the scope, and later transactions continue the sequence", async () => {
      const source = await opened();
      const target = await opened();
      await fillScopes(source);
      await target.update(kim, async (tx) => {
        for (const namespace of [notes, tasks])
          for (let index = 0; index < 50; index++)
            tx.put("memories", namespace, `old ${index}`, sampleMemory(`old ${index}`, "gone"));
        tx.put("keyValues", kim, "old", { value: "1", version: 1, position: "00000000000001" });
      });
      await copy(source, target, kim);
      expect(sameDigest(await digestOf(target, kim), await digestOf(source, kim))).toBe(true);
      const before = await digestOf(source, kim);
      await target.update(kim, async (tx) => tx.put("timeline", tasks, "later", null));
      expect((await digestOf(target, kim)).records).toBe(before.records + 1);
      const usage = await target.update(kim, (tx) => tx.usage());
      const usageBefore = await source.update(kim, (tx) => tx.usage());
      expect(usage.result).toEqual({
        memories: usageBefore.result.memories,
        bytes: usageBefore.result.bytes + "later".length,
      });
    });

    it("a restored scope has its proposals in the listing of all users, in place of the earlier ones", async () => {
      const [source, target] = [await opened(), await opened()];
      const put = (store: CopiedStore, ...ids: string[]) =>
        store.update(kim, async (tx) => {
          for (const id of ids) tx.put("pendingProposals", kim, id, null);
        });
      await put(source, "both", "new");
      await put(target, "both", "old");
      await copy(source, target, kim);
      const listed = await collect(target.acrossUsers("pendingProposals", {}));
      // A store may remove earlier keys later. Their records are gone.
      expect(listed.map(([id]) => id).filter((id) => id !== "old")).toEqual(["both", "new"]);
    });

    it("a scope does not change when the stream of restored pages fails", async () => {
      const source = await opened();
      const target = await opened();
      await fillScopes(source);
      await target.update(kim, async (tx) => tx.put("timeline", notes, "kept", null));
      const kept = await digestOf(target, kim);
      const head = await target.head(kim);
      const pages = await pagesIn(source, kim);
      async function* broken(): AsyncGenerator<RecordPage> {
        yield* pages.slice(0, -1);
        throw new Error("the stream broke");
      }
      const restored = { scope: kim, seq: 9, lastTimeMs: 0, epoch: undefined };
      await expect(target.restoreScope(restored, head, broken())).rejects.toThrow("broke");
      expect(await digestOf(target, kim)).toEqual(kept);
      expect(await target.head(kim)).toEqual(head);
      // Records of the failed restore must not come back after later clears and restores.
      await target.update(kim, async (tx) => tx.clear(notes));
      await target.update(kim, async (tx) => tx.put("timeline", notes, "new", null));
      await using snapshot = await target.snapshot(kim);
      expect(await keysOf(snapshot, "timeline", notes)).toEqual(["new"]);
      expect(await snapshot.count("memories", notes)).toBe(0);
      await copy(source, target, kim);
      expect(sameDigest(await digestOf(target, kim), await digestOf(source, kim))).toBe(true);
    });

    it("until the restore of a scope is complete, reads find no records and transactions wait", async () => {
      const source = await opened();
      const target = await opened();
      await fillScopes(source);
      const pages = await pagesIn(source, kim);
      const seen: number[] = [];
      let update: Promise<unknown> | undefined;
      async function* watched(): AsyncGenerator<RecordPage> {
        for (const page of pages) {
          yield page;
          seen.push((await digestOf(target, kim)).records);
          update ??= target.update(kim, async (tx) => tx.put("timeline", notes, "after", null));
        }
      }
      const restored = { scope: kim, seq: 40, lastTimeMs: 0, epoch: undefined };
      await target.restoreScope(restored, await target.head(kim), watched());
      await update;
      expect(new Set(seen)).toEqual(new Set([0]));
      expect((await target.head(kim)).seq).toBe(41);
    });

    it("a restore fails with ABORTED when the scope has changed", async () => {
      const target = await opened();
      await target.update(kim, async (tx) => tx.put("timeline", notes, "a", null));
      const restored = { scope: kim, seq: 5, lastTimeMs: 0, epoch: undefined };
      await expect(target.restoreScope(restored, nothing, eachOf([]))).rejects.toMatchObject({
        code: "ABORTED",
        reason: "SCOPE_CHANGED",
      });
    });

    it("a restore refuses unknown tables, tables with the wrong kind of owner, and unreadable records", async () => {
      const target = await opened();
      const restored = { scope: kim, seq: 5, lastTimeMs: 0, epoch: undefined };
      for (const page of [
        { agentId: undefined, table: "nonsense", records: [] },
        { agentId: "notes", table: "blocks", records: [] },
        { agentId: undefined, table: "memories", records: [] },
      ])
        await expect(target.restoreScope(restored, nothing, eachOf([page]))).rejects.toMatchObject({
          code: "INVALID_ARGUMENT",
          reason: "INVALID_BACKUP",
        });
      expect((await target.head(kim)).seq).toBe(0);
    });

    it("the change log of a restored scope has no changes from before the restore", async () => {
      const source = await opened();
      const target = await opened();
      await fillScopes(source);
      await target.update(kim, async (tx) =>
        tx.put("memories", notes, "gone", sampleMemory("gone", "x")),
      );
      const index = createSearchIndex({ codec: memoryRecords, store: target, maxBytes: 2 ** 30 });
      onTestFinished(() => index.close());
      const { signal } = new AbortController();
      const found = (id: string) =>
        index.read(notes, signal, (current) => current.rowOf(id) !== undefined);
      expect(await found("gone")).toBe(true);
      await copy(source, target, kim);
      expect([await found("gone"), await found("m2499")]).toEqual([false, true]);
      await using snapshot = await target.snapshot(kim);
      expect(await target.changes(snapshot, 0)).toBeUndefined();
      expect(await target.changes(snapshot, snapshot.head.seq)).toEqual([]);
    });
  });
}
