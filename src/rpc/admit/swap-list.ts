/** An item of a `SwapList`. */
export interface SwapItem {
  /** The index of the item in its list. Only the list changes it. */
  listIndex: number;
}

/**
 * A collection in no order. Adding and removing an item takes constant time.
 *
 * Use it in place of a `Set` of objects that live for one call. After a few additions and removals,
 * a `Set` moves to a new table. The old table keeps its items, and refers to the new table. So once
 * one old table is among the old objects of V8, all later calls stay in memory until V8 collects
 * old objects.
 */
export class SwapList<Item extends SwapItem> {
  readonly #items: Item[] = [];

  get size(): number {
    return this.#items.length;
  }

  /** Adds an item. Requires: the item is in no list. */
  add(item: Item): void {
    item.listIndex = this.#items.push(item) - 1;
  }

  /** Removes an item, and moves the last item to its index. Does nothing without the item. */
  delete(item: Item): void {
    if (this.#items[item.listIndex] !== item) return;
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#items[item.listIndex] = last;
    last.listIndex = item.listIndex;
  }

  /** Iterates over the items that the list has when the iteration begins. */
  [Symbol.iterator](): Iterator<Item> {
    return this.#items.slice().values();
  }
}
