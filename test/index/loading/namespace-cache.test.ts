import fc from "fast-check";
import { expect, test } from "vitest";
import { NamespaceCache } from "../../../src/index/loading/namespace-cache.js";

interface Entry {
  readonly key: string;
}

const maxBytes = 100;
const key = fc.constantFrom("a", "b", "c", "d");
const use = fc.record({
  key,
  bytes: fc.oneof(
    fc.integer({ min: 1, max: maxBytes }),
    fc.integer({ min: maxBytes + 1, max: 1_000 }),
  ),
  isNew: fc.boolean(),
});
const action = fc.oneof(
  { weight: 8, arbitrary: use },
  { weight: 1, arbitrary: key },
  { weight: 1, arbitrary: fc.constant(undefined) },
);

test("the cache keeps at most one value that alone exceeds its limit, and disposes of each evicted value once", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      const made: Entry[] = [];
      const dropped: Entry[] = [];
      const sizes = new Map<Entry, number>();
      const cache = new NamespaceCache<Entry>(maxBytes, (entry) => dropped.push(entry));
      for (const done of actions) {
        if (done === undefined) cache.clear();
        else if (typeof done === "string") cache.delete(done);
        else {
          const known = done.isNew ? undefined : cache.get(done.key);
          const entry = known ?? { key: done.key };
          if (known === undefined) made.push(entry);
          sizes.set(entry, done.bytes);
          cache.set(done.key, entry, done.bytes);
          expect(cache.get(done.key)).toBe(entry);
        }
        const kept = cache.values();
        const fitting = kept.filter((entry) => (sizes.get(entry) ?? 0) <= maxBytes);
        expect(
          fitting.reduce((sum, entry) => sum + (sizes.get(entry) ?? 0), 0),
        ).toBeLessThanOrEqual(maxBytes);
        expect(kept.length - fitting.length).toBeLessThanOrEqual(1);
        expect(
          [...kept, ...dropped].map((entry) => made.indexOf(entry)).sort((a, b) => a - b),
        ).toEqual([...made.keys()]);
      }
    }),
  );
});
