import { beforeAll, describe, expect, it } from "vitest";
import type { BackupChunk } from "../../../src/core/backup/backup-chunk.js";
import { readBackup } from "../../../src/core/backup/read-backup.js";
import { sameDigest } from "../../../src/core/backup/record-digest.js";
import { restoreBackup } from "../../../src/core/backup/restore-backup.js";
import { chunkMaxBytes } from "../../../src/core/backup/write-backup.js";
import { slotOf } from "../../../src/core/model/slot-range.js";
import type { RawRecords, RecordPage } from "../../../src/core/ports/backup.js";
import type { Store } from "../../../src/core/ports/store.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { collect, kim, notes } from "../../contract/store/context.js";
import { backupOf, eachOf, endless } from "../../fixtures/backups.js";
import { digestOf, fillScopes } from "../../fixtures/raw-scopes.js";

let source: Store & RawRecords;
let chunks: readonly BackupChunk[];

beforeAll(async () => {
  source = createInMemoryStore("source");
  await fillScopes(source);
  chunks = await backupOf(source);
});

const invalid = { code: "INVALID_ARGUMENT", reason: "INVALID_BACKUP" };
const check = () => ({ add: () => undefined, end: () => undefined });
const noVisit = { scope: async () => undefined };

async function restoreAll(
  target: RawRecords,
  epoch: "kept" | "new",
  given: readonly BackupChunk[] = chunks,
  latestMs?: number,
) {
  const options = { epoch, latestMs, check };
  const progress = await collect(restoreBackup(target, eachOf(given), options, endless));
  return progress.at(-1);
}

/** Returns the position of the chunk that ends a scope, counted from 1. */
function endOf(scope: number): number {
  const ends = [...chunks.keys()].filter((at) => chunks[at]?.kind === "scopeEnd");
  return ends[scope - 1] ?? -1;
}

describe("a backup", () => {
  it("a scope whose last commit has a number after which few could follow is refused", async () => {
    for (const seq of [2 ** 40 + 1, 2 ** 62, Number.NaN]) {
      const given = chunks.map((chunk) =>
        chunk.kind === "scope"
          ? { ...chunk, state: { ...chunk.state, head: { ...chunk.state.head, seq } } }
          : chunk,
      );
      await expect(restoreAll(createInMemoryStore("target"), "new", given)).rejects.toMatchObject(
        invalid,
      );
    }
  });

  it("a scope whose last write is after the latest time is refused", async () => {
    let latestMs = 0;
    for await (const { lastTimeMs } of source.scopeStates())
      latestMs = Math.max(latestMs, lastTimeMs);
    const refused = restoreAll(createInMemoryStore("target"), "new", chunks, latestMs - 1);
    await expect(refused).rejects.toMatchObject(invalid);
    expect(await restoreAll(createInMemoryStore("target"), "new", chunks, latestMs)).toMatchObject({
      scopes: 5,
    });
  });

  it("a backup restores every scope with the same digest", async () => {
    const target = createInMemoryStore("target");
    expect(await restoreAll(target, "new")).toMatchObject({ scopes: 5, unchanged: 0 });
    for await (const { scope, head } of source.scopeStates()) {
      expect(sameDigest(await digestOf(target, scope), await digestOf(source, scope))).toBe(true);
      expect(await target.head(scope)).toEqual({ epoch: "target", seq: head.seq });
    }
  });

  it("a restore can keep the epoch of the backup, as for a move to another server", async () => {
    const target = createInMemoryStore("target");
    await restoreAll(target, "kept");
    expect(await target.head(kim)).toEqual(await source.head(kim));
  });

  it("a backup limits the bytes and records of each chunk, and splits records that are too large", async () => {
    const long = createInMemoryStore("long");
    const body = "x".repeat(3 * chunkMaxBytes + 17);
    await long.update(kim, async (tx) => {
      for (const key of ["a", "b"]) tx.put("keyPositions", kim, key, body);
      for (let index = 0; index < 1500; index++) tx.put("timeline", notes, `${index}`, null);
    });
    const pieces = await backupOf(long);
    for (const piece of pieces) {
      if (piece.kind !== "records") continue;
      expect(piece.records.length).toBeLessThanOrEqual(1000);
      const bytes = piece.records.reduce((sum, { payload }) => sum + payload.length, 0);
      expect(bytes).toBeLessThanOrEqual(chunkMaxBytes);
    }
    const target = createInMemoryStore("target");
    await restoreAll(target, "new", pieces);
    expect(await digestOf(target, kim)).toEqual(await digestOf(long, kim));
  });

  it("a backup can be limited to a range of slots, or to named scopes", async () => {
    const slot = slotOf(kim);
    const ofRange = await backupOf(source, {
      content: "heads",
      range: { first: slot, last: slot },
    });
    expect(ofRange.filter(({ kind }) => kind === "scope")).toHaveLength(1);
    const nobody = { kind: "user", userId: "nobody" } as const;
    const named = await backupOf(source, { content: "digests", scopes: [kim, nobody] });
    expect(named.map((chunk) => (chunk.kind === "scopeEnd" ? chunk.records : chunk.kind))).toEqual([
      "header",
      "scope",
      (await digestOf(source, kim)).records,
      "scope",
      0,
      "trailer",
    ]);
  });
});

describe("reading a backup", () => {
  it("reading a backup refuses a stream with a missing, repeated or misplaced chunk", async () => {
    for (const [index, chunk] of chunks.entries()) {
      const others = chunks.toSpliced(index, 1);
      const twice = chunks.toSpliced(index, 0, chunk);
      const first = [chunk, ...others];
      for (const given of index === 0 ? [others, twice] : [others, twice, first])
        await expect(collect(readBackup(eachOf(given), noVisit))).rejects.toMatchObject(invalid);
    }
  });

  it("reading a backup detects a changed record, even if its caller skips all records", async () => {
    for (const visit of [noVisit.scope, readPages]) {
      const changed = chunks.map((chunk) =>
        chunk.kind === "records"
          ? {
              ...chunk,
              records: chunk.records.map((record) => ({ ...record, payload: Buffer.from("x") })),
            }
          : chunk,
      );
      await expect(collect(readBackup(eachOf(changed), { scope: visit }))).rejects.toMatchObject(
        invalid,
      );
    }
  });

  it("reading a backup refuses a repeated record, and a truncated record", async () => {
    const records = (given: BackupChunk & { readonly kind: "records" }) =>
      collect(readBackup(eachOf([...chunks.slice(0, 2), given]), noVisit));
    const record = { key: "a", payload: Buffer.from("1"), continues: false };
    const chunk = { kind: "records", agentId: undefined, table: "blocks" } as const;
    await expect(records({ ...chunk, records: [record, record] })).rejects.toThrow("out of order");
    const begun = { ...record, continues: true };
    const other = { ...record, key: "b" };
    await expect(records({ ...chunk, records: [begun, other] })).rejects.toThrow("cut off");
  });

  it("a backup in another format cannot be read, and a backup of only heads or digests cannot be restored", async () => {
    const [header, ...rest] = chunks;
    if (header?.kind !== "header") throw new Error("no header");
    const later = { ...header, header: { ...header.header, format: 2 } };
    await expect(collect(readBackup(eachOf([later, ...rest]), noVisit))).rejects.toThrow(
      "format 2, made by version 1.2.3",
    );
    for (const content of ["heads", "digests"] as const) {
      const target = createInMemoryStore();
      await expect(
        restoreAll(target, "new", await backupOf(source, { content })),
      ).rejects.toMatchObject(invalid);
      expect((await target.head(kim)).seq).toBe(0);
    }
  });
});

describe("restoring a backup", () => {
  it("if the stream of a restore breaks, a second restore continues after the last complete scope", async () => {
    const target = createInMemoryStore("target");
    const secondEnd = endOf(2);
    await expect(restoreAll(target, "new", chunks.slice(0, secondEnd + 2))).rejects.toMatchObject(
      invalid,
    );
    expect(await collect(target.scopeStates())).toHaveLength(2);
    expect(await restoreAll(target, "new")).toMatchObject({ scopes: 5, unchanged: 2 });
    expect(await restoreAll(target, "new")).toMatchObject({ scopes: 5, unchanged: 5 });
    expect(await digestOf(target, kim)).toEqual(await digestOf(source, kim));
  });

  it("a target that can restores several scopes at the same time, and the progress counts whole ones", async () => {
    const plain = createInMemoryStore("target");
    const fillings: (() => void)[] = [];
    const target: RawRecords = {
      ...plain,
      restoresAtOnce: 2,
      async restoreScope(restored, replaced, pages) {
        // Each restore waits for a second one.
        await new Promise<void>((resolve) => fillings.push(resolve));
        await plain.restoreScope(restored, replaced, pages);
      },
    };
    const two = chunks.slice(0, endOf(2) + 1);
    const restoring = collect(
      restoreBackup(target, eachOf(two), { epoch: "new", latestMs: undefined, check }, endless),
    );
    const refused = expect(restoring).rejects.toMatchObject(invalid);
    while (fillings.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(await collect(plain.scopeStates())).toEqual([]);
    for (const resolve of fillings) resolve();
    await refused;
    // The scopes before the fault stay restored.
    expect(await collect(plain.scopeStates())).toHaveLength(2);
    const all: RawRecords = { ...plain, restoresAtOnce: 2 };
    expect(await restoreAll(all, "new")).toMatchObject({ scopes: 5, unchanged: 2 });
    expect(await digestOf(plain, kim)).toEqual(await digestOf(source, kim));
  });

  it("a restore replaces an earlier state of a scope, but not a later state or a state with another history", async () => {
    const moving = createInMemoryStore("source");
    await fillScopes(moving);
    const target = createInMemoryStore("target");
    await restoreAll(target, "kept", await backupOf(moving));
    await moving.update(kim, async (tx) => tx.put("timeline", notes, "more", null));
    const later = await backupOf(moving);
    expect(await restoreAll(target, "kept", later)).toMatchObject({ unchanged: 4 });
    expect(await digestOf(target, kim)).toEqual(await digestOf(moving, kim));
    const refused = { code: "FAILED_PRECONDITION", reason: "SCOPE_EXISTS" };
    await target.update(kim, async (tx) => tx.put("timeline", notes, "own", null));
    await expect(restoreAll(target, "kept", later)).rejects.toMatchObject(refused);
    const foreign = createInMemoryStore("foreign");
    await foreign.update(kim, async (tx) => tx.put("timeline", notes, "own", null));
    await expect(restoreAll(foreign, "kept", later)).rejects.toMatchObject(refused);
    await expect(restoreAll(foreign, "new", later)).rejects.toMatchObject(refused);
  });
});

async function readPages(_: unknown, pages: AsyncIterable<RecordPage>): Promise<void> {
  for await (const _page of pages);
}
