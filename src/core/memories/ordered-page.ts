import { millisOfInstant } from "../model/instant.js";
import { happenedAt, type Memory } from "../model/memory.js";
import { scopeOf } from "../model/namespace.js";
import { idOfTimelineKey, millisOfTimelineKey, timelineKey } from "../model/record-keys.js";
import type { Call } from "../ports/call.js";
import type { NamespaceIndex, Row } from "../ports/search-index.js";
import { pageOf } from "../requests/list-page.js";
import { type PageBinding, readPageToken } from "../requests/page-token.js";
import type { GetAllQuery, MemoryPage, MemoryServiceParts } from "./service.js";
import { type Visitor, visitLoadedMemories, visitMemories } from "./visit.js";

/**
 * Orders of memories by a number. With the sign 1, the greatest number is first, and of equal
 * numbers the greatest id. With the sign -1, the least.
 */
const numbers = {
  NEWEST_FIRST: { ...createTimes(), sign: 1 },
  OLDEST_FIRST: { ...createTimes(), sign: -1 },
  LATEST_EVENT_FIRST: {
    sign: 1,
    ofRow: (index: NamespaceIndex, row: Row) => index.traits.happenedMs(row),
    ofMemory: (memory: Memory) => millisOfInstant(happenedAt(memory)),
  },
  MOST_IMPORTANT_FIRST: {
    sign: 1,
    ofRow: (index: NamespaceIndex, row: Row) => index.traits.importance(row),
    ofMemory: (memory: Memory) => memory.importance,
  },
} as const;

function createTimes() {
  return {
    ofRow: (index: NamespaceIndex, row: Row) => index.traits.createdMs(row),
    ofMemory: (memory: Memory) => millisOfInstant(memory.createTime),
  };
}

type Order = keyof typeof numbers;

/** An order that the table `timeline` of the store has. */
export type TimeOrder = "NEWEST_FIRST" | "OLDEST_FIRST";

/** An order that no table of the store has. */
export type NumberOrder = Exclude<Order, TimeOrder>;

/** Whether the index decides an order, because no table of the store has it. */
export function isNumberOrder(order: Order): order is NumberOrder {
  return !isTimeOrder(order);
}

function isTimeOrder(order: Order): order is TimeOrder {
  return order === "NEWEST_FIRST" || order === "OLDEST_FIRST";
}

/** Where a memory is in an order: by its number, then by its id. */
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
  return pageOfVisit(parts, query, listing, async (first) => {
    await visitMemories(parts, { ...query, loadsIndex: true }, first, call);
    return true;
  }) as Promise<MemoryPage>;
}

/**
 * Lists a page in the order of the timeline from the columns of the index, which takes milliseconds
 * in a large namespace, however few memories pass the filter. Returns `undefined` if the index is
 * not in RAM.
 *
 * @param listing see `PageBinding`
 */
export async function pageOfColumns(
  parts: MemoryServiceParts,
  query: GetAllQuery & { readonly order: TimeOrder },
  listing: readonly unknown[],
  call: Call,
): Promise<MemoryPage | undefined> {
  return pageOfVisit(
    parts,
    query,
    listing,
    async (first) => (await visitLoadedMemories(parts, query, first, call)) !== undefined,
  );
}

/** @param visit shows memories to a visitor. Returns whether it has */
async function pageOfVisit(
  { store }: MemoryServiceParts,
  { namespace, order, limit, pageToken }: GetAllQuery & { readonly order: Order },
  listing: readonly unknown[],
  visit: (first: FirstMemories) => Promise<boolean>,
): Promise<MemoryPage | undefined> {
  const { epoch } = await store.head(scopeOf(namespace));
  const binding: PageBinding = {
    pageKey: store.pageKey,
    epoch,
    tenant: store.tenant,
    listing,
  };
  const after = pageToken === "" ? undefined : positionOf(order, readPageToken(binding, pageToken));
  const first = new FirstMemories(order, limit + 1, after);
  if (!(await visit(first))) return undefined;
  const { items, nextPageToken } = await pageOf(
    first.memories,
    { keyOf: (memory) => keyOf(order, memory), limit, owner: namespace },
    binding,
  );
  return { memories: items, nextPageToken };
}

/** Returns the key of a memory in a listing. In an order of the timeline, its key there. */
function keyOf(order: Order, memory: Memory): string {
  if (isTimeOrder(order)) return timelineKey(memory);
  return JSON.stringify([numbers[order].ofMemory(memory), memory.id]);
}

function positionOf(order: Order, key: string): Position {
  if (isTimeOrder(order)) return { number: millisOfTimelineKey(key), id: idOfTimelineKey(key) };
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
    private readonly order: Order,
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
    const { ofRow, sign } = numbers[this.order];
    const number = ofRow(index, row);
    const { after } = this;
    if (after !== undefined) {
      const further = sign * (number - after.number);
      if (further > 0 || (further === 0 && !this.#isLater(index, row, after.id))) return;
    }
    const last = this.#listed.length === this.count ? this.#listed.at(-1) : undefined;
    if (last !== undefined && sign * (number - last.number) < 0) return;
    this.#insert({ number, row, memory: undefined }, (other) =>
      other.row === undefined
        ? this.#isIdFirst(index.at(row).memory.id, (other.memory as Memory).id)
        : sign * index.compareIds(row, other.row) > 0,
    );
  }

  memory(memory: Memory): void {
    const { ofMemory, sign } = numbers[this.order];
    const number = ofMemory(memory);
    const { after } = this;
    const further = after === undefined ? -1 : sign * (number - after.number);
    if (further > 0 || (further === 0 && !this.#isIdFirst(after?.id ?? "", memory.id))) return;
    this.#insert({ number, row: undefined, memory }, (other) =>
      this.#isIdFirst(memory.id, (other.memory as Memory).id),
    );
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
      ? this.#isIdFirst(id, index.at(row).memory.id)
      : numbers[this.order].sign * index.compareIds(row, afterRow) < 0;
  }

  /** Whether an id comes before another one in the order. */
  #isIdFirst(id: string, other: string): boolean {
    return numbers[this.order].sign > 0 ? id > other : id < other;
  }

  #insert(listed: Listed, isIdFirst: (other: Listed) => boolean): void {
    const isBefore = (other: Listed) => {
      const further = numbers[this.order].sign * (listed.number - other.number);
      return further > 0 || (further === 0 && isIdFirst(other));
    };
    let place = this.#listed.length;
    while (place > 0 && isBefore(this.#listed[place - 1] as Listed)) place--;
    if (place === this.count) return;
    this.#listed.splice(place, 0, listed);
    if (this.#listed.length > this.count) this.#listed.pop();
  }
}
