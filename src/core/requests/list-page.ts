import { replyMaxBytes } from "../model/limits.js";
import type { Scope } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { ScanRange } from "../ports/scan-range.js";
import type { OwnerOf, Snapshot, Store, Table, ValueOf } from "../ports/store.js";
import { jsonBytesMax } from "./json-bytes.js";
import { greatestCharacter, justBefore, sortsBefore } from "./key-prefix.js";
import { createPageToken, type PageBinding, readPageToken } from "./page-token.js";
import { createPause } from "./pause.js";

/**
 * Largest page, as JSON, with the names of the scope and the owner for each item. The rest of the
 * largest reply is for the names of fields, and for values that the records do not have.
 */
const pageMaxBytes = (replyMaxBytes * 3) / 4;

/** One page of a listing. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/** Which page of a listing to read. */
export interface PageQuery {
  /** Maximum number of items, 1 to 1,000. */
  readonly limit: number;
  /** `nextPageToken` of the previous page. Empty: the first page. */
  readonly pageToken: string;
}

/** One page of a listing that reads a table from one end to the other. */
export interface Listing<K extends Table, T> extends PageQuery {
  readonly scope: Scope;
  /** Name of the RPC and everything else that the next call must repeat to use the page token. */
  readonly binding: readonly unknown[];
  readonly table: K;
  readonly owner: OwnerOf<K>;
  /** Lists only records whose keys begin with this prefix. Default: the whole table. */
  readonly prefix?: string;
  /** Whether to list the greatest key first. Default false. */
  readonly reverse?: boolean;
  /**
   * The call that the listing serves. Absent: the listing runs to its end, even if the client has
   * left.
   */
  readonly call?: Call;
  /** Throws when the record whose parts are listed does not exist. */
  readonly require?: (snapshot: Snapshot) => Promise<void>;
  /**
   * Returns the key after which the first page begins. `undefined`: at the first record. Default:
   * at the first record.
   */
  readonly startAfter?: (snapshot: Snapshot) => Promise<string | undefined>;
  /** Turns a record into an item. `undefined` leaves the record out. */
  readonly toItem: (
    key: string,
    value: ValueOf<K>,
    snapshot: Snapshot,
  ) => T | undefined | Promise<T | undefined>;
}

/**
 * Reads one page of a listing. A page begins after the last key of the previous page. So a record
 * that exists during the whole listing is on exactly one page.
 *
 * @throws INVALID_ARGUMENT (INVALID_PAGE_TOKEN) when the token was changed, or belongs to another
 *   listing, tenant or epoch.
 */
export async function listPage<K extends Table, T>(
  store: Pick<Store, "snapshot" | "tenant" | "pageKey">,
  listing: Listing<K, T>,
): Promise<Page<T>> {
  await using snapshot = await store.snapshot(listing.scope);
  await listing.require?.(snapshot);
  const start = await listing.startAfter?.(snapshot);
  const binding: PageBinding = {
    pageKey: store.pageKey,
    epoch: snapshot.head.epoch,
    tenant: store.tenant,
    listing: listing.binding,
  };
  const namesBytes = sizeOf([listing.scope, listing.owner]);
  const entries = itemsOf(snapshot, listing, rangeOf(listing, binding, start));
  const page = new GrowingPage<T>(listing.limit, namesBytes);
  return await cutPage(entries, page, binding);
}

async function* itemsOf<K extends Table, T>(
  snapshot: Snapshot,
  listing: Listing<K, T>,
  range: ScanRange,
): AsyncGenerator<readonly [key: string, item: T]> {
  const { table, owner, prefix = "", reverse = false, call, toItem } = listing;
  const pause = createPause();
  for await (const [key, value] of snapshot.scan(table, owner, range)) {
    call?.throwIfEnded();
    call?.noteRows?.(1);
    if (!key.startsWith(prefix)) {
      if (!reverse && sortsBefore(key, prefix)) continue;
      return;
    }
    const item = await toItem(key, value, snapshot);
    if (item !== undefined) yield [key, item];
    await pause();
  }
}

function rangeOf<K extends Table, T>(
  { pageToken, prefix = "", reverse = false }: Listing<K, T>,
  binding: PageBinding,
  start: string | undefined,
): ScanRange {
  if (pageToken !== "") return { reverse, after: readPageToken(binding, pageToken) };
  if (start !== undefined) return { reverse, after: start };
  if (prefix === "") return { reverse };
  return { reverse, after: reverse ? prefix + greatestCharacter : justBefore(prefix) };
}

/** Fills a page with entries with keys, in the order of the listing. */
async function cutPage<T>(
  entries: AsyncIterable<readonly [key: string, item: T]>,
  page: GrowingPage<T>,
  binding: PageBinding,
): Promise<Page<T>> {
  let last = "";
  for await (const [key, item] of entries) {
    if (!(await page.add(item)))
      return { items: page.items, nextPageToken: createPageToken(binding, last) };
    last = key;
  }
  return { items: page.items, nextPageToken: "" };
}

/**
 * Returns one page of a listing that is not of one scope. Stops reading `entries` when the page is
 * complete.
 *
 * @param entriesAfter returns the items with their keys, in the order of the listing, after a key;
 *   without a key, from the first one. An item has the names of its owner
 * @throws INVALID_ARGUMENT (INVALID_PAGE_TOKEN) as `listPage`
 */
export async function pageOfEntries<T>(
  entriesAfter: (key: string | undefined) => AsyncIterable<readonly [key: string, item: T]>,
  { limit, pageToken }: PageQuery,
  binding: PageBinding,
): Promise<Page<T>> {
  const after = pageToken === "" ? undefined : readPageToken(binding, pageToken);
  return cutPage(entriesAfter(after), new GrowingPage<T>(limit, 0), binding);
}

/** What a page of items in memory needs, apart from the items. */
interface ListedItems<T> {
  /** Returns the key of an item in the listing. */
  readonly keyOf: (item: T) => string;
  /** Maximum number of items, at least 1. */
  readonly limit: number;
  /** Owner of the items, whose names each item repeats in the reply. */
  readonly owner: unknown;
}

/**
 * Returns one page of items in memory. If they do not fit on one page, there is a next page.
 *
 * @param items In the order of the listing.
 */
export async function pageOf<T>(
  items: readonly T[],
  { keyOf, limit, owner }: ListedItems<T>,
  binding: PageBinding,
): Promise<Page<T>> {
  const page = new GrowingPage<T>(limit, sizeOf(owner));
  for (const item of items) {
    const added = page.add(item);
    // Waits only if items were measured: a page of small items is made in one step.
    if (added === true || (await added)) continue;
    const last = keyOf(page.items.at(-1) as T);
    return { items: page.items, nextPageToken: createPageToken(binding, last) };
  }
  return { items: page.items, nextPageToken: "" };
}

/** The items of a page so far. */
class GrowingPage<T> {
  readonly items: T[] = [];
  readonly #size: PageSize;

  /**
   * @param limit maximum number of items
   * @param namesBytes bytes that the names of the owner take in each item of the reply
   */
  constructor(
    private readonly limit: number,
    namesBytes: number,
  ) {
    this.#size = new PageSize(namesBytes);
  }

  /**
   * Adds an item, and returns true. If the page would be larger than a message, or have too many
   * items, returns false, and the page is complete. The first item always fits. Returns a promise
   * only if items must be measured.
   */
  add(item: T): boolean | Promise<boolean> {
    if (this.items.length === this.limit) return false;
    if (this.#size.mayExceedWith(item)) return this.#addMeasured(item);
    this.items.push(item);
    return true;
  }

  async #addMeasured(item: T): Promise<boolean> {
    if ((await this.#size.exceeds()) && this.items.length > 0) return false;
    this.items.push(item);
    return true;
  }
}

/** Adds up the sizes of items. Measures them only if they may exceed the largest page. */
class PageSize {
  readonly #namesBytes: number;
  #bytesMax = 0;
  #bytes = 0;
  #unmeasured: unknown[] = [];

  constructor(namesBytes: number) {
    this.#namesBytes = namesBytes;
  }

  /** Adds an item. Returns whether the items so far together may be larger than a page. */
  mayExceedWith(item: unknown): boolean {
    this.#bytesMax += this.#namesBytes + jsonBytesMax(item);
    this.#unmeasured.push(item);
    return this.#bytesMax > pageMaxBytes;
  }

  /** Measures the items not measured yet. Returns whether all items are too large for a page. */
  async exceeds(): Promise<boolean> {
    const pause = createPause();
    for (const one of this.#unmeasured) {
      this.#bytes += this.#namesBytes + sizeOf(one);
      await pause();
    }
    this.#unmeasured = [];
    return this.#bytes > pageMaxBytes;
  }
}

/** Returns as many of the first items as fit one message, but at least one. */
export async function firstOfMessage<T>(items: readonly T[]): Promise<readonly T[]> {
  const pause = createPause();
  let bytes = 0;
  for (const [at, item] of items.entries()) {
    bytes += sizeOf(item);
    if (bytes > pageMaxBytes && at > 0) return items.slice(0, at);
    await pause();
  }
  return items;
}

function sizeOf(item: unknown): number {
  return Buffer.byteLength(JSON.stringify(item));
}
