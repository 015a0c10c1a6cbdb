import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Scope } from "../../../src/core/model/namespace.js";
import type { Change, Reader, Transaction } from "../../../src/core/ports/store.js";
import { propertyRuns } from "../../suite.js";
import { collect, type StoreContext } from "./context.js";

const agents = ["", "a", "b/\0"];
const keys = ["", "\0", "a", "a/b", "b", "\u{FFFF}", "\u{10000}"];

type Step =
  | { readonly do: "put"; readonly agent: string; readonly key: string; readonly value: string }
  | { readonly do: "delete"; readonly agent: string; readonly key: string }
  | { readonly do: "clear"; readonly agent: string }
  | {
      readonly do: "read";
      readonly agent: string;
      readonly after: string | undefined;
      readonly reverse: boolean;
    };

interface Plan {
  readonly steps: readonly Step[];
  readonly throws: boolean;
}

/** The expected records and changes of a scope. Only profiles are written, as an example table. */
interface Model {
  readonly records: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly changes: readonly Change[];
}

const agent = fc.constantFrom(...agents);
const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...keys) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 3 }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("put" as const),
      agent,
      key,
      value: fc.string({ maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("delete" as const), agent, key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("clear" as const), agent }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("read" as const),
      agent,
      after: fc.option(key, { nil: undefined }),
      reverse: fc.boolean(),
    }),
  },
);
const plan: fc.Arbitrary<Plan> = fc.record({
  steps: fc.array(step, { maxLength: 6 }),
  throws: fc.boolean(),
});

function expectedScan(
  records: ReadonlyMap<string, string> | undefined,
  after: string | undefined,
  reverse: boolean,
): [string, string][] {
  const bytes = (text: string): Buffer => Buffer.from(text);
  const ascending = [...(records ?? [])].toSorted(([a], [b]) => bytes(a).compare(bytes(b)));
  const ordered = reverse ? ascending.toReversed() : ascending;
  if (after === undefined) return ordered;
  return ordered.filter(
    ([candidate]) => bytes(candidate).compare(bytes(after)) * (reverse ? -1 : 1) > 0,
  );
}

async function expectReads(
  reader: Reader,
  userId: string,
  model: Model["records"],
  read: Step & { do: "read" },
): Promise<void> {
  const namespace = { userId, agentId: read.agent };
  const range = {
    reverse: read.reverse,
    ...(read.after === undefined ? {} : { after: read.after }),
  };
  const scanned = (await collect(reader.scan("profiles", namespace, range))).map(
    ([found, value]) => [found, value.modelId],
  );
  const records = model.get(read.agent);
  expect(scanned).toEqual(expectedScan(records, read.after, read.reverse));
  expect(await reader.count("profiles", namespace)).toBe(records?.size ?? 0);
  const probe = read.after ?? "a";
  expect((await reader.get("profiles", namespace, probe))?.modelId).toBe(records?.get(probe));
}

/** Runs a plan on a transaction. Returns the new model. Throws at the end if the plan says so. */
async function runPlan(
  tx: Transaction,
  userId: string,
  before: Model,
  { steps, throws }: Plan,
): Promise<Model> {
  const records = new Map(
    [...before.records].map(([name, agentRecords]) => [name, new Map(agentRecords)]),
  );
  const cleared = new Set<string>();
  const touched = new Map<string, Set<string>>(agents.map((name) => [name, new Set()]));
  let wrote = false;
  expect((await tx.changes(0))?.map(comparable)).toEqual(before.changes.map(comparable));
  expect(await tx.changes(before.changes.length)).toEqual([]);
  for (const current of steps) {
    const namespace = { userId, agentId: current.agent };
    const agentRecords = records.get(current.agent) ?? new Map<string, string>();
    records.set(current.agent, agentRecords);
    switch (current.do) {
      case "put":
        tx.put("profiles", namespace, current.key, { modelId: current.value, dimension: 1 });
        agentRecords.set(current.key, current.value);
        touched.get(current.agent)?.add(current.key);
        wrote = true;
        break;
      case "delete":
        tx.delete("profiles", namespace, current.key);
        if (!agentRecords.delete(current.key)) break;
        touched.get(current.agent)?.add(current.key);
        wrote = true;
        break;
      case "clear":
        tx.clear(namespace);
        if (agentRecords.size === 0) break;
        agentRecords.clear();
        touched.get(current.agent)?.clear();
        cleared.add(current.agent);
        wrote = true;
        break;
      case "read":
        await expectReads(tx, userId, records, current);
    }
  }
  if (throws) throw new Error("planned");
  if (!wrote) return before;
  const change: Change = {
    seq: before.changes.length + 1,
    touched: [...touched].flatMap(([agentId, agentKeys]) =>
      [...agentKeys].map((touchedKey) => ({
        table: "profiles" as const,
        agentId,
        key: touchedKey,
      })),
    ),
    cleared: [...cleared],
  };
  return { records, changes: [...before.changes, change] };
}

/** Returns a change in which the order of touched records and of cleared agents does not matter. */
function comparable({ seq, touched, cleared }: Change): unknown {
  const entries = touched.map(({ table, agentId, key }) => JSON.stringify([table, agentId, key]));
  return { seq, touched: entries.sort(), cleared: cleared.toSorted() };
}

export function describeModel(context: StoreContext): void {
  describe("any sequence of transactions", () => {
    it("after any sequence of transactions, reads, counts and changes equal those of plain maps", async () => {
      let users = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(plan, { maxLength: 12 }),
          fc.boolean(),
          async (plans, concurrently) => {
            const userId = `user ${users++}`;
            const scope: Scope = { kind: "user", userId };
            let model: Model = { records: new Map(), changes: [] };
            const runs: Promise<unknown>[] = [];
            for (const current of plans) {
              const run = context.store.update(scope, async (tx) => {
                model = await runPlan(tx, userId, model, current);
              });
              const settled = current.throws ? expect(run).rejects.toThrow("planned") : run;
              runs.push(settled);
              if (!concurrently) await settled;
            }
            await Promise.all(runs);
            await context.read(scope, async (snapshot) => {
              expect(snapshot.head.seq).toBe(model.changes.length);
              expect((await context.store.changes(snapshot, 0))?.map(comparable)).toEqual(
                model.changes.map(comparable),
              );
              for (const name of agents) {
                for (const reverse of [false, true]) {
                  await expectReads(snapshot, userId, model.records, {
                    do: "read",
                    agent: name,
                    after: undefined,
                    reverse,
                  });
                }
              }
            });
          },
        ),
        { numRuns: propertyRuns(100) },
      );
    });
  });
}
