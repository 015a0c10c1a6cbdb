import { env } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { VademecumError } from "../../src/core/model/errors.js";
import { type Scope, userScope } from "../../src/core/model/namespace.js";
import type { Store } from "../../src/core/ports/store.js";
import { scopeRow } from "../../src/store/postgres/tables/scope-row.js";
import { startPostgres, type TestPostgres } from "../fixtures/postgres.js";
import { hasCitus, moveShardOf } from "../fixtures/postgres-nodes.js";
import { roundsOf } from "./rounds.js";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  process.stderr.write(`increments: ${JSON.stringify(totals)}\n`);
  await postgres.close();
});

/** The sums over all rounds. `applied` counts the calls with unknown outcome that were written. */
const totals = { rounds: 0, moves: 0, acknowledged: 0, refused: 0, unknown: 0, applied: 0 };

const servers = 3;
/** Number of counters. Each counter is a record of a user of its own. */
const counters = 4;
const writersOfCounter = 6;

/** The outcomes that the writers of one counter have seen. */
interface Tally {
  acknowledged: number;
  /** Calls that failed, and may or may not have been written. */
  unknown: number;
  /** Calls that failed and were surely not written. */
  refused: number;
}

const scopeOf = (counter: number): Scope => userScope(`counter ${counter}`);

async function increment(store: Store, scope: Scope): Promise<void> {
  await store.update(scope, async (tx) => {
    const count = Number((await tx.get("replyExpiries", scope, "count")) ?? "0");
    tx.put("replyExpiries", scope, "count", String(count + 1));
  });
}

/** Increments until the signal aborts. Any error except the errors of an outage fails the test. */
async function write(store: Store, scope: Scope, tally: Tally, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    try {
      await increment(store, scope);
      tally.acknowledged++;
    } catch (error) {
      if (!(error instanceof VademecumError && error.code === "UNAVAILABLE")) throw error;
      if (error.reason === "OUTCOME_UNKNOWN") tally.unknown++;
      else tally.refused++;
    }
  }
}

const rounds = Array.from({ length: roundsOf(3) }, (_, i) => i);

/** The writers that increment the counters. */
interface Writers {
  readonly stores: readonly Store[];
  readonly tallies: readonly Tally[];
  /** Settles when all writers have ended. */
  readonly written: Promise<unknown>;
  end(): void;
}

async function startWriters(): Promise<Writers> {
  await postgres.empty();
  const stores = await Promise.all(Array.from({ length: servers }, () => postgres.openStore()));
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const tallies = Array.from(
    { length: counters },
    (): Tally => ({ acknowledged: 0, unknown: 0, refused: 0 }),
  );
  const writers = tallies.flatMap((tally, counter) =>
    Array.from({ length: writersOfCounter }, (_, i) =>
      write(stores[i % servers] as Store, scopeOf(counter), tally, ended.signal),
    ),
  );
  return { stores, tallies, written: Promise.all(writers), end: () => ended.abort() };
}

async function expectEachOnce({ stores, tallies }: Writers): Promise<void> {
  totals.rounds++;
  for (const [counter, { acknowledged, unknown, refused }] of tallies.entries()) {
    const scope = scopeOf(counter);
    await using snapshot = await (stores[counter % servers] as Store).snapshot(scope);
    const count = Number(await snapshot.get("replyExpiries", scope, "count"));
    expect(snapshot.head.seq).toBe(count);
    expect(count).toBeGreaterThanOrEqual(acknowledged);
    expect(count).toBeLessThanOrEqual(acknowledged + unknown);
    expect(acknowledged).toBeGreaterThan(0);
    totals.acknowledged += acknowledged;
    totals.refused += refused;
    totals.unknown += unknown;
    totals.applied += count - acknowledged;
  }
}

it.each(rounds)(
  "each increment counts once while sessions end and PostgreSQL crashes, round %i",
  async () => {
    const writers = await startWriters();
    for (let i = 0; i < 12; i++) {
      await Promise.race([writers.written, delay(20 + Math.random() * 130)]);
      if (i === 6) await postgres.crash();
      else await postgres.endSessions();
    }
    writers.end();
    await writers.written;
    await expectEachOnce(writers);
  },
);

// Only a PostgreSQL that VADEMECUM_TEST_POSTGRES names can have Citus.
it.runIf(env["VADEMECUM_TEST_POSTGRES"])(
  "all increments succeed, and each counts once, while shards of Citus move",
  async ({ skip }) => {
    skip(!(await hasCitus(postgres.owner)), "VADEMECUM_TEST_POSTGRES names no Citus");
    const writers = await startWriters();
    for (let i = 0; i < roundsOf(2 * counters); i++) {
      const { uuid } = scopeRow(scopeOf(i % counters));
      const move = moveShardOf(postgres.owner, uuid);
      const hasMoved = await Promise.race([writers.written, move]);
      skip(hasMoved !== true, "this Citus has one worker");
      totals.moves++;
    }
    writers.end();
    await writers.written;
    await expectEachOnce(writers);
    for (const { unknown, refused } of writers.tallies)
      expect({ unknown, refused }).toEqual({ unknown: 0, refused: 0 });
  },
);
