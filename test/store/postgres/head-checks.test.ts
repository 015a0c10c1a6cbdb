import { expect, it } from "vitest";
import { userScope } from "../../../src/core/model/namespace.js";
import { HeldScopes } from "../../../src/store/postgres/holds/held-scopes.js";
import { HeadChecks } from "../../../src/store/postgres/reads/head-checks.js";
import type { Connection } from "../../../src/store/postgres/session/connection.js";
import { Pool } from "../../../src/store/postgres/session/pool.js";
import { scopeRow } from "../../../src/store/postgres/tables/scope-row.js";
import { listingStatements } from "../../../src/store/postgres/tables/statements.js";

const idOf = (userId: string) => scopeRow(userScope(userId)).uuid;

/** Creates head checks. Each query about heads ends when the test calls `answer`. */
function createChecks() {
  const asked: string[][] = [];
  const answers: (() => void)[] = [];
  const connection: Pick<Connection, "isUsable" | "query" | "end" | "abandon"> = {
    isUsable: true,
    async query<Row>({ name }: { readonly name: string }, values: readonly unknown[] = []) {
      if (name !== listingStatements.readHeads.name)
        return { rows: [{ moves: null, now_ms: 0 }] as Row[], command: "", count: 1 };
      const scopes = values[0] as string[];
      asked.push(scopes);
      await new Promise<void>((resolve) => answers.push(resolve));
      const rows = scopes.map((scope) => ({
        scope,
        epoch: "epoch",
        seq: asked.length,
        moves: null,
      }));
      return { rows: rows as Row[], command: "", count: rows.length };
    },
    end: async () => undefined,
    abandon: () => undefined,
  };
  const pool = new Pool({ size: 4, waitMs: 1_000, open: async () => connection as Connection });
  const checks = new HeadChecks(pool, "epoch", new HeldScopes(), () => undefined);
  const untilAsked = async (queries: number) => {
    while (asked.length < queries) await new Promise((resolve) => setImmediate(resolve));
  };
  const seqOf = async (userId: string) => (await checks.head(idOf(userId))).head.seq;
  return { seqOf, asked, untilAsked, answer: () => answers.shift()?.() };
}

it("requests for heads during a query share the next query, which starts after the running query ends", async () => {
  const { seqOf, asked, untilAsked, answer } = createChecks();
  const first = seqOf("kim");
  await untilAsked(1);
  const later = [seqOf("kim"), seqOf("lee"), seqOf("lee")];
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual([[idOf("kim")]]);
  answer();
  expect(await first).toBe(1);
  await untilAsked(2);
  answer();
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
  expect(asked).toEqual([[idOf("kim")], [idOf("kim"), idOf("lee")]]);
});

it("requests for heads in consecutive turns of the event loop share a query", async () => {
  const { seqOf, asked, untilAsked, answer } = createChecks();
  const heads: Promise<number>[] = [];
  for (const userId of ["kim", "lee", "kim"]) {
    const turn = new Promise((resolve) => setImmediate(resolve));
    heads.push(seqOf(userId));
    await turn;
  }
  await untilAsked(1);
  answer();
  expect(await Promise.all(heads)).toEqual([1, 1, 1]);
  expect(asked).toEqual([[idOf("kim"), idOf("lee")]]);
});
