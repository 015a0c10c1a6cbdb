import { expect, it } from "vitest";
import { Sweeper } from "../../../src/store/postgres/commit/sweeper.js";
import type { Connection } from "../../../src/store/postgres/session/connection.js";
import { Pool } from "../../../src/store/postgres/session/pool.js";

/**
 * Creates a pool with one connection. Its database has no cleared places. A place is the storage
 * number of a namespace. Clearing a namespace gives the namespace a new place. The sweeper later
 * deletes the records at the old place, the cleared one.
 */
function createEmptyPool(onQuery: () => void): Pool {
  const connection: Pick<Connection, "isUsable" | "query" | "end"> = {
    isUsable: true,
    query: async () => {
      onQuery();
      return { rows: [], command: "SELECT", count: 0 };
    },
    end: async () => undefined,
  };
  return new Pool({ size: 1, waitMs: 1_000, open: async () => connection as Connection });
}

it.each(Array.from({ length: 24 }, (_, turns) => [turns]))(
  "a place that is cleared %i microtasks after the start of a sweep is swept too",
  async (turns) => {
    let looks = 0;
    const sweeper = new Sweeper(
      createEmptyPool(() => looks++),
      () => undefined,
    );
    sweeper.wake();
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    const before = looks;
    sweeper.wake();
    await new Promise(setImmediate);
    expect(looks).toBeGreaterThan(before);
    await sweeper.stop();
  },
);
