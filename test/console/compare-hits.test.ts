import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import {
  type ExplainedMemory,
  ExplainedMemorySchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { compareHits, placesOf } from "../../console/src/playground/compare.js";
import { settingsOf } from "../../console/src/playground/request.js";

/** Returns hits with these ids; an id in brackets was not returned. */
function memories(...ids: readonly string[]): readonly ExplainedMemory[] {
  return ids.map((id) =>
    create(ExplainedMemorySchema, {
      memory: { id: id.replace(/[()]/g, "") },
      returned: !id.startsWith("("),
    }),
  );
}

it("hits are compared by their ids, without what was not returned", () => {
  expect(compareHits(memories("a", "b", "(c)"), memories("c", "b"))).toEqual({
    both: 1,
    onlyFirst: 1,
    onlySecond: 1,
    isSameOrder: true,
  });
});

it("the same hits in another order are told apart from an equal result", () => {
  expect(compareHits(memories("a", "b"), memories("a", "b")).isSameOrder).toBe(true);
  expect(compareHits(memories("a", "b"), memories("b", "a")).isSameOrder).toBe(false);
});

it("places count returned memories only", () => {
  expect([...placesOf(memories("a", "(b)", "c"))]).toEqual([
    ["a", 1],
    ["c", 2],
  ]);
});

it("the second settings of an address have the query of the first ones, and nothing else", () => {
  const query = { q: "wine", budget: "60", "b.budget": "200", "b.order": "newest" };
  expect(settingsOf(query, "b.")).toMatchObject({ q: "wine", budget: "200", order: "newest" });
  expect(settingsOf(query, "")).toMatchObject({ q: "wine", budget: "60", order: "" });
});
