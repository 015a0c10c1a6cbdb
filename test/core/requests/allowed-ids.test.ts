import fc from "fast-check";
import { expect, test } from "vitest";
import { allowsId } from "../../../src/core/model/principal.js";
import { allowedIds } from "../../../src/core/requests/allowed-ids.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";

const texts = fc.string({ unit: fc.constantFrom("a", "b", "\0", "é", "\u{10000}"), maxLength: 4 });
const patterns = fc.array(
  fc.tuple(texts, fc.boolean()).map(([text, isPrefix]) => (isPrefix ? `${text}*` : text)),
  { maxLength: 5 },
);

async function storeOf(runs: readonly string[]) {
  const store = createInMemoryStore();
  for (const runId of runs) {
    const scope = { kind: "run", runId } as const;
    await store.update(scope, async (tx) => tx.put("digestKeys", scope, "k", ""));
  }
  return store;
}

test("listed ids are those that begin with the prefix, that a pattern allows, and that come later", async () => {
  const ids = fc.uniqueArray(texts, { maxLength: 20 });
  const check = fc.asyncProperty(ids, patterns, texts, fc.option(texts), async (...given) => {
    const [runs, allowed, prefix, after] = given;
    const store = await storeOf(runs);
    const listed: string[] = [];
    const range = { of: "runs", prefix, after: after ?? undefined } as const;
    for await (const id of allowedIds(store, range, allowed)) listed.push(id);
    const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    const expected = runs
      .filter((id) => id.startsWith(prefix) && allowsId(allowed, id))
      .filter((id) => after === null || byBytes(id, after) > 0);
    expect(listed).toEqual(expected.sort(byBytes));
  });
  await fc.assert(check);
});

test("only the parts of a range that a pattern may allow are read", async () => {
  const asked: string[] = [];
  const store = {
    async *ids({ prefix = "" }: { readonly prefix?: string }) {
      asked.push(prefix);
      yield* [] as string[];
    },
  };
  const range = { of: "users", prefix: "k", after: "kim" } as const;
  for await (const _ of allowedIds(store, range, ["ann*", "kim", "kim/*", "kim/1", "ka*", "*x"]))
    throw new Error("nothing is listed");
  expect(asked).toEqual(["kim", "kim/"]);
});
