import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { MemoryService } from "../../../src/core/memories/service.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { propertyRuns } from "../../suite.js";
import { call, queryOf } from "../search/search-service.js";
import { allEmbeddedBy, createDomain, storedVectors, testModel } from "./reindex-domain.js";

const namespace = { userId: "u1", agentId: "a1" };
const other = { userId: "u1", agentId: "a2" };

/** A concurrent write. `at` chooses the memory to change. */
type Write =
  | { readonly do: "add" | "addElsewhere"; readonly text: string }
  | { readonly do: "update"; readonly at: number; readonly text: string }
  | { readonly do: "rename" | "delete" | "supersede"; readonly at: number }
  | { readonly do: "deleteTagged" | "reset" };

const text = fc.oneof(
  { weight: 8, arbitrary: fc.stringMatching(/^[a-z ]{1,12}$/) },
  { weight: 1, arbitrary: fc.constant("...") },
);
const at = fc.nat(200);
const write: fc.Arbitrary<Write> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("add" as const), text }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("addElsewhere" as const), text }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("update" as const), at, text }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom("rename" as const, "supersede" as const), at }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("delete" as const), at }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("deleteTagged" as const, "reset" as const) }),
  },
);

async function perform(memories: MemoryService, current: Write): Promise<void> {
  const { memories: listed } = await memories.getAll(
    { namespace, limit: 1000, filter: {}, pageToken: "", includeSuperseded: true },
    call,
  );
  const chosen = "at" in current ? listed[current.at % Math.max(1, listed.length)] : undefined;
  const id = chosen?.id ?? "none";
  switch (current.do) {
    case "add":
      await memories.add(
        { namespace, content: current.text, tags: current.text.startsWith("a") ? ["tagged"] : [] },
        call,
      );
      break;
    case "addElsewhere":
      await memories.add({ namespace: other, content: current.text }, call);
      break;
    case "update":
      await memories.update({ namespace, id, changes: { content: current.text } }, call);
      break;
    case "rename":
      await memories.update({ namespace, id, changes: { kind: "renamed" } }, call);
      break;
    case "delete":
      await memories.delete({ namespace, id }, call);
      break;
    case "supersede":
      await memories.add({ namespace, content: `instead of ${id}`, supersedes: id }, call);
      break;
    case "deleteTagged":
      await memories.deleteWhere(
        { namespace, filter: { tagsAny: ["tagged"] }, dryRun: false },
        call,
      );
      break;
    case "reset":
      await memories.reset({ target: namespace }, call);
  }
}

it("after Reindex with concurrent writes, each text with words has a vector of the new model", async () => {
  const plan = fc.record({
    first: fc.array(text, { maxLength: 150 }),
    /** For each batch of texts, the writes that begin while it is embedded. */
    beside: fc.array(fc.array(write, { maxLength: 4 }), { maxLength: 8 }),
    /** For each event of Reindex, the writes that run before the next event. */
    between: fc.array(fc.array(write, { maxLength: 4 }), { maxLength: 8 }),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ first, beside, between }) => {
      const store = createInMemoryStore("epoch");
      const old = testModel("old@1");
      const target = testModel("new@1", 12);
      const before = createDomain(store, old);
      for (const content of ["first", ...first])
        await before.memories.add({ namespace, content }, call);
      const { memories, reindexer } = createDomain(store, target, [old]);
      const writes: Promise<unknown>[] = [];
      const batches = beside.values();
      target.beforeEmbedding(async (texts) => {
        if (texts.includes("a query")) return;
        // A write embeds texts too, but must not start further writes.
        const nextWrites = inWriter > 0 ? undefined : batches.next().value;
        for (const current of nextWrites ?? []) {
          inWriter += 1;
          writes.push(performWrite(current));
        }
        for (let turn = 0; turn < 3; turn++) await setImmediate();
      });
      let inWriter = 0;
      const performWrite = async (current: Write): Promise<void> => {
        // A memory may be deleted, changed or superseded before the writer gets its turn.
        await perform(memories, current).catch((error: { code?: string }) =>
          expect(error.code).toMatch(/^(NOT_FOUND|FAILED_PRECONDITION)$/),
        );
        inWriter -= 1;
      };
      const steps = between.values();
      for await (const _ of reindexer.reindex(namespace, call)) {
        for (const current of steps.next().value ?? []) {
          inWriter += 1;
          await performWrite(current);
        }
        await memories.search(queryOf("a query"), call);
      }
      await Promise.all(writes);
      const { profile, byText, texts, unused } = await storedVectors(store, namespace);
      if (texts.length > 0) expect(byText).toEqual(allEmbeddedBy(target, texts));
      else expect(byText.size).toBe(0);
      expect(unused).toBe(0);
      if (byText.size > 0) expect(profile?.modelId).toBe("new@1");
    }),
    { numRuns: propertyRuns(60) },
  );
});
