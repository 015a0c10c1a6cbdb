import pg from "pg";
import { expect, it } from "vitest";
import { ConnectionLost } from "../../../src/store/postgres/errors.js";
import { WriteWatch } from "../../../src/store/postgres/session/write-watch.js";

function refused(code: string): Error {
  return Object.assign(new pg.DatabaseError("refused", 7, "error"), { code });
}

/** Watches with attempts that fail with `failures` and then succeed. Returns the states. */
async function statesAfter(first: string, ...failures: readonly Error[]): Promise<string[]> {
  const states: string[] = [];
  const rest = [...failures];
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const watch = new WriteWatch({
    tryWrite: async () => {
      const failure = rest.shift();
      if (failure !== undefined) throw failure;
      setImmediate(end);
    },
    onChange: (state) => states.push(state),
    pause: async () => undefined,
  });
  watch.note(refused(first));
  await ended;
  await watch.close();
  return states;
}

it("a full disk is reported at once, and its end when a write succeeds", async () => {
  expect(await statesAfter("53100", refused("53100"), refused("53100"))).toEqual([
    "disk_full",
    "ok",
  ]);
});

it("a read-only PostgreSQL is reported if a new session cannot write either", async () => {
  expect(await statesAfter("25006", refused("25006"))).toEqual(["read_only", "ok"]);
});

it("an old session that leads to a standby reports nothing", async () => {
  expect(await statesAfter("25006")).toEqual([]);
});

it("a disk that fills while PostgreSQL is read-only is reported", async () => {
  const failures = [refused("25006"), refused("53100")];
  expect(await statesAfter("25006", ...failures)).toEqual(["read_only", "disk_full", "ok"]);
});

it("a lost connection keeps the last state", async () => {
  const failures = [new ConnectionLost("gone"), refused("53100")];
  expect(await statesAfter("53100", ...failures)).toEqual(["disk_full", "ok"]);
});

it("a PostgreSQL that cannot be reached is not reported as read-only", async () => {
  expect(await statesAfter("25006", new ConnectionLost("gone"))).toEqual([]);
  const failures = [new ConnectionLost("gone"), refused("25006")];
  expect(await statesAfter("25006", ...failures)).toEqual(["read_only", "ok"]);
});

it("other errors begin no watch", async () => {
  let tries = 0;
  const watch = new WriteWatch({
    tryWrite: async () => void tries++,
    onChange: () => undefined,
  });
  watch.note(refused("40001"));
  watch.note(new ConnectionLost("gone"));
  await watch.close();
  expect(tries).toBe(0);
});
