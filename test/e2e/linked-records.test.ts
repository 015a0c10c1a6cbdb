import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { toBackupChunk } from "../../src/backup-format/chunk-messages.js";
import { readBackup } from "../../src/core/backup/read-backup.js";
import type { Scope } from "../../src/core/model/namespace.js";
import type { RawRecord, RecordPage } from "../../src/core/ports/backup.js";
import type { Table } from "../../src/core/ports/store.js";
import { isDerived } from "../../src/store/codec/derived-records.js";
import { PageCheck } from "../../src/store/codec/owned-tables.js";
import { codecOf } from "../../src/store/codec/table-codecs.js";
import { openDatabase } from "../../src/store/level/folder/database.js";
import { recordRange } from "../../src/store/level/format/keys.js";
import { verifyFolder } from "../../src/store/level/recovery/verify-folder.js";
import { runCommand } from "../cli/run-command.js";
import { createTestFolder, openTestStore } from "../store/level/level-folder.js";
import { ann, kim, writeEveryKind } from "./harness/every-kind.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

interface ScopePages {
  readonly scope: Scope;
  readonly pages: readonly RecordPage[];
}

let server: TestServer;
let scopes: readonly ScopePages[];

beforeAll(async () => {
  server = await startTestServer({ provider: "memory" });
  const { transport, close } = nativeGrpc.connect(server);
  await writeEveryKind(transport);
  const memories = createClient(MemoryProvider, transport);
  for (const namespace of [kim, ann])
    await memories.add({ namespace, content: "once", idempotencyKey: "key" });
  const { records } = await backupOf(transport);
  scopes = records;
  close();
});
afterAll(() => server.stop());

async function backupOf(transport: ReturnType<typeof nativeGrpc.connect>["transport"]) {
  const admin = createClient(AdminService, transport);
  async function* chunks() {
    for await (const { chunk } of admin.backup({})) if (chunk) yield toBackupChunk(chunk);
  }
  const records: ScopePages[] = [];
  const visitor = {
    async scope({ scope }: { scope: Scope }, pages: AsyncIterable<RecordPage>) {
      const found: RecordPage[] = [];
      for await (const page of pages) found.push(page);
      records.push({ scope, pages: found });
    },
  };
  for await (const _ of readBackup(chunks(), visitor));
  return { records };
}

function check(pages: readonly RecordPage[]): void {
  const pageCheck = new PageCheck();
  for (const page of pages) pageCheck.add(page);
  pageCheck.end();
}

/** A scope with one changed record. */
interface Change extends ScopePages {
  readonly name: string;
}

/** Changes each record of each scope in turn. `undefined`: the record is removed. */
function* changed(
  change: (table: Table, record: RawRecord) => RawRecord | undefined,
): Generator<Change> {
  for (const { scope, pages } of scopes)
    for (const [at, page] of pages.entries())
      for (const [index, record] of page.records.entries()) {
        const table = page.table as Table;
        const instead = change(table, record);
        if (instead === record) continue;
        const records = [...page.records];
        records.splice(index, 1, ...(instead === undefined ? [] : [instead]));
        const name = `${table} ${JSON.stringify(record[0])}`;
        yield { name, scope, pages: pages.with(at, { ...page, records }) };
      }
}

/** Tables whose keys no other record names. */
const freeTables: ReadonlySet<Table> = new Set<Table>(["digestKeys"]);

/** Changes the last character of a key. */
function renamed([key, payload]: RawRecord): RawRecord {
  const last = key.at(-1) === "0" ? "1" : "0";
  return [key.slice(0, -1) + last, payload];
}

const renamedRecords = () =>
  changed((table, record) => (freeTables.has(table) ? record : renamed(record)));

/** Tables in which each record belongs to one of another table. */
const secondaryTables: ReadonlySet<Table> = new Set<Table>([
  "memoryVersions",
  "threads",
  "skillUses",
]);

const removedRecords = () =>
  changed((table, record) => (isDerived(table) || secondaryTables.has(table) ? undefined : record));

describe("the tables of a backup", () => {
  it("fit each other as a server writes them", () => {
    for (const { pages } of scopes) expect(() => check(pages)).not.toThrow();
    const tables = new Set(scopes.flatMap(({ pages }) => pages.map(({ table }) => table)));
    expect(tables.size).toBeGreaterThan(24);
  });

  it("a record under a changed key refuses the restore, in every table", () => {
    const passed = [...renamedRecords()].filter(({ pages }) => isSound(pages));
    expect(passed.map(({ name }) => name)).toEqual([]);
  });

  it.each(["itself", "its predecessor"])(
    "a memory that %s supersedes refuses the restore, because reads would follow it for ever",
    (successor) => {
      let circles = 0;
      const codec = codecOf("memories");
      for (const { scope, pages } of scopes) {
        const linked = pages.flatMap(({ table, records }) =>
          table === "memories"
            ? records.map(([, payload]) => codec.decode(Buffer.from(payload)))
            : [],
        );
        const newer = linked.find(({ supersedes }) => supersedes !== undefined);
        if (newer === undefined) continue;
        circles++;
        const supersededBy = successor === "itself" ? newer.id : newer.supersedes;
        const changedPages = pages.map((page) => ({
          ...page,
          records: page.records.map(
            ([key, payload]): RawRecord =>
              page.table === "memories" && key === newer.id
                ? [key, codec.encode({ ...newer, ...(supersededBy && { supersededBy }) })]
                : [key, payload],
          ),
        }));
        expect(scope.kind).toBe("user");
        expect(() => {
          check(changedPages);
        }).toThrow("is superseded by itself");
      }
      expect(circles).toBe(1);
    },
  );

  it("a missing record of a list refuses the restore, in every table", () => {
    const passed = [...removedRecords()].filter(({ pages }) => isSound(pages));
    expect(passed.map(({ name }) => name)).toEqual([]);
  });

  it("a number outside the range of its field refuses the restore, in every field", () => {
    const passed: string[] = [];
    for (const { pages } of scopes)
      for (const page of pages)
        for (const [key, payload] of page.records)
          for (const [path, value] of withNumber(page.table as Table, payload)) {
            const encoded = codecOf(page.table as Table).encode(value as never);
            if (isSound([{ ...page, records: [[key, encoded]] }], false))
              passed.push(`${page.table} ${path}`);
          }
    expect([...new Set(passed)]).toEqual([]);
  });

  it("verify finds a record under a changed key, and a missing one, in every table", async () => {
    const folder = await createTestFolder(onTestFinished);
    const store = await openTestStore(folder);
    const names = new Map<string, string>();
    const ofTables = new Map<string, Change>();
    for (const change of renamedRecords())
      ofTables.set(`renamed ${change.name.split(" ")[0]}`, change);
    for (const change of removedRecords())
      ofTables.set(`removed ${change.name.split(" ")[0]}`, change);
    const sound = scopes.map((scope) => ({ ...scope, name: "sound" }));
    for (const { scope, pages, name } of [...sound, ...ofTables.values()]) {
      const id = `case ${names.size}`;
      const copy: Scope =
        scope.kind === "user" ? { kind: "user", userId: id } : { kind: "run", runId: id };
      if (scope.kind === "server") continue;
      names.set(id, name);
      const restored = { scope: copy, seq: 7, lastTimeMs: 0, epoch: undefined };
      await store.restoreScope(restored, await store.head(copy), eachOf(pages));
    }
    await store.close();
    const { findings } = await verifyFolder(folder, { links: true });
    const reported = findings.map(({ where, what }) => `${where} ${what}`).join("\n");
    const unnoticed = [...names].filter(
      ([id, name]) => name !== "sound" && !reported.includes(`"${id}"`),
    );
    expect(unnoticed).toEqual([]);
    const wrong = [...names].filter(
      ([id, name]) => name === "sound" && reported.includes(`"${id}"`),
    );
    expect(wrong).toEqual([]);
  });
});

it("what is readable of a damaged folder can be restored, and its tables fit each other", async () => {
  for (const nth of [2, 3, 5, 7]) {
    const folder = await createTestFolder(onTestFinished);
    const store = await openTestStore(folder);
    for (const { scope, pages } of scopes)
      await store.restoreScope(
        { scope, seq: 7, lastTimeMs: 0, epoch: undefined },
        await store.head(scope),
        eachOf(pages),
      );
    await store.close();
    const database = await openDatabase(join(folder, "records"), { createIfMissing: false });
    let at = 0;
    for await (const [key] of database.iterator({
      gte: recordRange.prefix,
      lt: recordRange.end,
    }))
      if (++at % nth === 0) await database.del(key);
    await database.close();
    expect((await runCommand(["verify", "--data", folder])).exitCode).toBe(1);
    const file = `${folder}.backup`;
    const saved = await runCommand(["backup", "--readable-only", "--data", folder, file]);
    expect(saved.stderr).not.toContain("cannot");
    const target = `${folder}-restored`;
    const restored = await runCommand(["restore", file, "--data", target]);
    expect(restored).toMatchObject({ exitCode: 0, stderr: "" });
    expect(await runCommand(["verify", "--data", target])).toMatchObject({ exitCode: 0 });
  }
});

function isSound(pages: readonly RecordPage[], together = true): boolean {
  const pageCheck = new PageCheck();
  try {
    for (const page of pages) pageCheck.add(page);
    if (together) pageCheck.end();
    return true;
  } catch {
    return false;
  }
}

async function* eachOf<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/** Returns copies of a record, each with another one of its numbers far out of its range. */
function withNumber(
  table: Table,
  payload: Uint8Array,
): readonly (readonly [path: string, value: unknown])[] {
  const value: unknown = codecOf(table).decode(Buffer.from(payload));
  const copies: [string, unknown][] = [];
  const walk = (at: unknown, path: string, build: (inner: unknown) => unknown): void => {
    if (typeof at === "number") copies.push([path, build(1e18)], [path, build(-1e18)]);
    if (typeof at !== "object" || at === null || ArrayBuffer.isView(at)) return;
    for (const [key, inner] of Object.entries(at)) {
      // Values of callers may have any number.
      if (key === "metadata" || key === "reply") continue;
      walk(inner, `${path}/${key}`, (changedInner) =>
        build(
          Array.isArray(at) ? at.with(Number(key), changedInner) : { ...at, [key]: changedInner },
        ),
      );
    }
  };
  walk(value, "", (inner) => inner);
  return copies;
}
