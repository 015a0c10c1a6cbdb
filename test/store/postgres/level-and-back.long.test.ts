import { expect, it, onTestFinished } from "vitest";
import { sameDigest } from "../../../src/core/backup/record-digest.js";
import type { Scope } from "../../../src/core/model/namespace.js";
import type { RawRecords } from "../../../src/core/ports/backup.js";
import { startPostgres, type TestPostgres } from "../../fixtures/postgres.js";
import { digestOf, fillScopes } from "../../fixtures/raw-scopes.js";
import { createTestFolder, openTestStore } from "../level/level-folder.js";

async function start(): Promise<TestPostgres> {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.close());
  await postgres.empty();
  return postgres;
}

async function copy(from: RawRecords, to: RawRecords, scope: Scope): Promise<void> {
  await using reader = await from.openScope(scope);
  const { head, lastTimeMs } = reader.state;
  const restored = { scope, seq: head.seq, lastTimeMs, epoch: head.epoch };
  await to.restoreScope(restored, await to.head(scope), reader.pages());
}

it("records keep their digests and heads from LevelDB to PostgreSQL and back", async () => {
  const postgres = await start();
  const [before, between, after] = [
    await openTestStore(await createTestFolder(onTestFinished)),
    await postgres.openStore(),
    await openTestStore(await createTestFolder(onTestFinished)),
  ];
  onTestFinished(async () => {
    for (const store of [before, between, after]) await store.close();
  });
  for (const scope of await fillScopes(before)) {
    await copy(before, between, scope);
    await copy(between, after, scope);
    const digest = await digestOf(before, scope);
    for (const store of [between, after]) {
      expect(sameDigest(await digestOf(store, scope), digest)).toBe(true);
      expect(await store.head(scope)).toMatchObject(await before.head(scope));
    }
  }
});
