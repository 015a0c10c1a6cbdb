import { EventEmitter, once } from "node:events";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { userScope } from "../../../src/core/model/namespace.js";
import type { WritesState } from "../../../src/core/ports/writes-state.js";
import { startPostgres, type TestPostgres } from "../../fixtures/postgres.js";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

async function openWatched() {
  const events = new EventEmitter();
  const log: string[] = [];
  const store = await postgres.openStore({
    onWrites: (state) => events.emit(state),
    log: (_, message) => log.push(message),
  });
  onTestFinished(() => store.close());
  const write = () =>
    store.update(userScope("ann"), async (tx) =>
      tx.put("timeline", { userId: "ann", agentId: "a" }, "1234567", null),
    );
  await write();
  return { log, write, until: (state: WritesState) => once(events, state) };
}

it("a full disk is logged and reported until writes work again", async () => {
  const { log, write, until } = await openWatched();
  await postgres.query(`create function public.refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no space' using errcode = 'disk_full'; end $$`);
  await postgres.query(`create trigger refuse before insert on vademecum.vm_record
    for each row execute function public.refuse()`);
  onTestFinished(async () => {
    await postgres.query("drop function if exists public.refuse() cascade");
  });
  const full = until("disk_full");
  await expect(write()).rejects.toMatchObject({ reason: "DISK_FULL" });
  await full;
  expect(log).toContain("PostgreSQL takes no writes");
  const again = until("ok");
  await postgres.query("drop function public.refuse() cascade");
  await again;
  expect(log.at(-1)).toBe("PostgreSQL takes writes again");
  await write();
});

it("a read-only PostgreSQL is reported before anybody writes", async () => {
  const { write, until } = await openWatched();
  const readOnly = until("read_only");
  onTestFinished(async () => {
    await postgres.query("set default_transaction_read_only = off");
    await postgres.query("alter system reset default_transaction_read_only");
    await postgres.query("select pg_reload_conf()");
  });
  await postgres.query("alter system set default_transaction_read_only = on");
  await postgres.query("select pg_reload_conf()");
  await readOnly;
  await expect(write()).rejects.toMatchObject({
    reason: "STORE_UNAVAILABLE",
    message: expect.stringContaining("PostgreSQL is read-only") as string,
  });
  const again = until("ok");
  await postgres.query("alter system reset default_transaction_read_only");
  await postgres.query("select pg_reload_conf()");
  await again;
  await write();
});
