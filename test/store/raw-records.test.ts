import { expect, it, onTestFinished } from "vitest";
import { sameDigest } from "../../src/core/backup/record-digest.js";
import type { RecordPage } from "../../src/core/ports/backup.js";
import { createInMemoryStore } from "../../src/store/in-memory/in-memory-store.js";
import { verifyFolder } from "../../src/store/level/recovery/verify-folder.js";
import { recordsOfTenant } from "../../src/store/tenant-records.js";
import { describeRawRecords } from "../contract/raw-records.js";
import { collect, kim } from "../contract/store/context.js";
import { createFailingPlatform, type Failures } from "../faults/failing-platform.js";
import { digestOf, fillScopes, pagesIn } from "../fixtures/raw-scopes.js";
import { createTestFolder, openTestStore } from "./level/level-folder.js";

describeRawRecords("raw records of the LevelDB store", async () =>
  openTestStore(await createTestFolder(onTestFinished)),
);

describeRawRecords("raw records of the in-memory store", async () => createInMemoryStore());

it("records have the same digest in LevelDB and in memory", async () => {
  const level = await openTestStore(await createTestFolder(onTestFinished));
  const memory = createInMemoryStore();
  const scopes = await fillScopes(level);
  await fillScopes(memory);
  for (const scope of scopes)
    expect(sameDigest(await digestOf(level, scope), await digestOf(memory, scope))).toBe(true);
  await level.close();
});

it("a tenant's view reads and writes only the records of that tenant", async () => {
  const store = createInMemoryStore();
  await fillScopes(store);
  const acme = recordsOfTenant(store, "acme");
  const elsa = { kind: "user", userId: "elsa" } as const;
  expect((await collect(acme.scopeStates())).map(({ scope }) => scope)).toEqual([elsa]);
  expect((await digestOf(acme, elsa)).records).toBe(2);
  expect((await digestOf(acme, kim)).records).toBe(0);
  const none = recordsOfTenant(store, undefined);
  expect((await collect(none.scopeStates())).map(({ scope }) => scope)).not.toContainEqual(elsa);
  const pages = await pagesIn(none, kim);
  async function* all(): AsyncGenerator<RecordPage> {
    yield* pages;
  }
  const restored = { scope: kim, seq: 7, lastTimeMs: 0, epoch: undefined };
  await acme.restoreScope(restored, await acme.head(kim), all());
  expect((await store.head({ ...kim, tenant: "acme" })).seq).toBe(7);
  expect((await store.head(kim)).seq).toBe(2);
});

it("verify finds no damage in a folder after restores, even after a restore that a crash interrupted", async () => {
  const folder = await createTestFolder(onTestFinished);
  const source = createInMemoryStore();
  const scopes = await fillScopes(source);
  const failures: Failures = {};
  const first = await openTestStore(folder, {}, createFailingPlatform(failures));
  for (const scope of scopes) {
    await using reader = await source.openScope(scope);
    const { seq } = reader.state.head;
    const restored = { scope, seq, lastTimeMs: 0, epoch: "moved" };
    await first.restoreScope(restored, await first.head(scope), reader.pages());
  }
  const whole = await digestOf(first, kim);
  let pages = 0;
  async function* crashing(): AsyncGenerator<RecordPage> {
    for (const page of await pagesIn(source, kim)) {
      // From here on nothing reaches the disk, as after a crash.
      if (++pages === 4) failures.write = () => Promise.reject(new Error("crashed"));
      yield page;
    }
  }
  const restored = { scope: kim, seq: 99, lastTimeMs: 0, epoch: "moved" };
  const replaced = await first.head(kim);
  await expect(first.restoreScope(restored, replaced, crashing())).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
  await first.close();
  expect((await verifyFolder(folder, { links: true })).findings).toEqual([]);
  const second = await openTestStore(folder);
  expect(await digestOf(second, kim)).toEqual(whole);
  expect(await second.head(kim)).toEqual(replaced);
  await second.close();
  expect((await verifyFolder(folder, { links: true })).findings).toEqual([]);
});
