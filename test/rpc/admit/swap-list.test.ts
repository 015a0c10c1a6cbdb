import fc from "fast-check";
import { expect, test } from "vitest";
import { type SwapItem, SwapList } from "../../../src/rpc/admit/swap-list.js";

class Item implements SwapItem {
  listIndex = -1;
}

test("a list has the items that were added and not removed", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 60 }), (picks) => {
      const items = Array.from({ length: 10 }, () => new Item());
      const list = new SwapList<Item>();
      const expected = new Set<Item>();
      for (const pick of picks) {
        const item = items[pick] as Item;
        if (expected.delete(item)) {
          list.delete(item);
          list.delete(item);
        } else {
          list.add(item);
          expected.add(item);
        }
        expect(list.size).toBe(expected.size);
        expect(new Set(list)).toEqual(expected);
      }
    }),
  );
});

test("a loop over a list reaches each item, even if the loop removes items", () => {
  const list = new SwapList<Item>();
  for (let count = 0; count < 5; count++) list.add(new Item());
  let reached = 0;
  for (const item of list) {
    list.delete(item);
    reached++;
  }
  expect([reached, list.size]).toEqual([5, 0]);
});
