import fc from "fast-check";
import { expect, it } from "vitest";
import { changeStoredBytes } from "../../../src/store/engine/stored-bytes.js";

it("accounts without bytes are left out", () => {
  const stored = changeStoredBytes(new Map([["a", 5]]), [["a", -5]]);
  expect([...stored]).toEqual([]);
});

it("what an account removes beyond its own bytes is taken from the largest accounts", () => {
  const stored = new Map([
    ["a", 10],
    ["b", 100],
    ["c", 50],
  ]);
  expect([...changeStoredBytes(stored, [["a", -130]])]).toEqual([["c", 30]]);
});

it("the sum of all accounts is the size of the scope, whoever writes and removes", () => {
  const change = fc.tuple(fc.constantFrom("", "a", "b", "c"), fc.integer({ min: -500, max: 500 }));
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      let stored: ReadonlyMap<string, number> = new Map();
      let size = 0;
      for (const [account, bytes] of changes) {
        const more = Math.max(bytes, -size);
        size += more;
        stored = changeStoredBytes(stored, [[account, more]]);
        expect([...stored.values()].reduce((sum, it) => sum + it, 0)).toBe(size);
        expect([...stored.values()].every((it) => it > 0)).toBe(true);
      }
    }),
  );
});
