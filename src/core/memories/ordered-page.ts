import { millisOfInstant } from "../model/instant.js";
import { happenedAt, type Memory } from "../model/memory.js";
import { scopeOf } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { NamespaceIndex, Row } from "../ports/search-index.js";
import { pageOf } from "../requests/list-page.js";
import { type PageBinding, readPageToken } from "../requests/page-token.js";
import type { GetAllQuery, MemoryPage, MemoryServiceParts } from "./service.js";
import { type Visitor, visitMemories } from "./visit.js";

/** Orders of memories by a number, the greatest first. */
const numbers = {
  LATEST_EVENT_FIRST: {
    ofRow: (index: NamespaceIndex, row: Row) => index.traits.happenedMs(row),
    ofMemory: (memory: Memory) => millisOfInstant(happenedAt(memory)),
  },
  MOST_IMPORTANT_FIRST: {
    ofRow: (index: NamespaceIndex, row: Row) => index.traits.importance(row),
    ofMemory: (memory: Memory) => memory.importance,
  },
} as const;

/** An order that no table of the store has. */
export type NumberOrder = keyof typeof numbers;

/** Whether the index decides an order, because no table of the store has it. */
export function isNumberOrder(order: string): order is NumberOrder {
  return Object.hasOwn(numbers, order);
}

/** Where a memory is in an order: by its number, then by its id, both descending. */
interface Position {
  readonly number: number;
  readonly id: string;
}

/**
 * Lists a page of memories in the order of a number. Goes through all rows of the index, which
 * takes milliseconds in a large namespace.
 *
 * @param listing see `PageBinding`
 */
export async function pageByNumber(
  parts: MemoryServiceParts,
  query: GetAllQuery & { readonly order: NumberOrder },
  listing: readonly unknown[],
  call: Call,
): Promise<MemoryPage> {
  const { store } = parts;
  const { namespace, order, limit, pageToken } = query;
  const { epoch } = await store.head(scopeOf(namespace));
  const binding: PageBinding = {
    pageKey: store.pageKey,
    epoch,
    tenant: store.tenant,
    listing,
  };
  const after = pageToken === "" ? undefined : positionOf(readPageToken(binding, pageToken));
  const first = new FirstMemories(order, limit + 1, after);
  await visitMemories(parts, { ...query, loadsIndex: true }, first, call);
  const { items, nextPageToken } = await pageOf(
    first.memories,
    { keyOf: (memory) => keyOf(order, memory), limit, owner: namespace },
    binding,
  );
  return { memories: items, nextPageToken };
}

function keyOf(order: NumberOrder, memory: Memory): string {
  return JSON.stringify([numbers[order].ofMemory(memory), memory.id]);
}

function positionOf(key: string): Position {
  const [number, id] = JSON.parse(key) as [number, string];
  return { number, id };
}

/** A memory among the first, or its row while the index is read. */
interface Listed {
  readonly number: number;
  readonly row: Row | undefined;
  memory: Memory | undefined;
}

/** Keeps the first memories after a position. */
class FirstMemories implements Visitor {
  #listed: Listed[] = [];
  /** The row of the position's memory, if there still is one. */
  #afterRow: { readonly index: NamespaceIndex; readonly row: Row | undefined } | undefined;

  constructor(
    private readonly order: NumberOrder,
    private readonly count: number,
    private readonly after: Position | undefined,
  ) {}

  get memories(): readonly Memory[] {
    return this.#listed.flatMap(({ memory }) => memory ?? []);
  }

  begin(): void {
    this.#listed = [];
    this.#afterRow = undefined;
  }

  row(index: NamespaceIndex, row: Row): void {
    const number = numbers[this.order].ofRow(index, row);
    const { after } = this;
    if (after !== undefined) {
      if (number > after.number) return;
      if (number === after.number && !this.#isLater(index, row, after.id)) return;
    }
    const last = this.#listed.length === this.count ? this.#listed.at(-1) : undefined;
    if (last !== undefined && number < last.number) return;
    this.#insert({ number, row, memory: undefined }, (other) =>
      other.row === undefined
        ? index.at(row).memory.id > (other.memory as Memory).id
        : index.compareIds(row, other.row) > 0,
    );
  }

  memory(memory: Memory): void {
    const number = numbers[this.order].ofMemory(memory);
    const { after } = this;
    const isListed =
      after === undefined ||
      number < after.number ||
      (number === after.number && memory.id < after.id);
    if (isListed)
      this.#insert({ number, row: undefined, memory }, (other) => {
        return memory.id > (other.memory as Memory).id;
      });
  }

  /** Reads the records of the rows, which later may be others. */
  leave(index: NamespaceIndex): void {
    for (const listed of this.#listed)
      if (listed.row !== undefined) listed.memory ??= index.at(listed.row).memory;
  }

  /** Whether the memory of a row comes after that of an id, by their ids. */
  #isLater(index: NamespaceIndex, row: Row, id: string): boolean {
    if (this.#afterRow?.index !== index) this.#afterRow = { index, row: index.rowOf(id) };
    const afterRow = this.#afterRow.row;
    return afterRow === undefined
      ? index.at(row).memory.id < id
      : index.compareIds(row, afterRow) < 0;
  }

  #insert(listed: Listed, hasGreaterId: (other: Listed) => boolean): void {
    const isBefore = (other: Listed) =>
      listed.number > other.number || (listed.number === other.number && hasGreaterId(other));
    let place = this.#listed.length;
    while (place > 0 && isBefore(this.#listed[place - 1] as Listed)) place--;
    if (place === this.count) return;
    this.#listed.splice(place, 0, listed);
    if (this.#listed.length > this.count) this.#listed.pop();
  }
}
