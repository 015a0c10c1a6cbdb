import { createPageToken, type PageBinding } from "./page-token.js";

/** A page ends before it grows beyond this: most clients take no message of more than 4 MiB. */
const pageMaxBytes = 3 * 1024 * 1024;

/** A part of a listing. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Empty: there is no more. */
  readonly nextPageToken: string;
}

/** The first items, as many as a message may have: at least one, if there are any. */
export function firstOfMessage<T>(items: readonly T[]): readonly T[] {
  let bytes = 0;
  const end = items.findIndex((item, place) => {
    bytes += sizeOf(item);
    return bytes > pageMaxBytes && place > 0;
  });
  return end < 0 ? items : items.slice(0, end);
}

function sizeOf(item: unknown): number {
  return Buffer.byteLength(JSON.stringify(item));
}

/** The first `limit` entries, or fewer where these would be too large together, but at least one. Entries are items with the keys that the next page can begin behind. */
export async function readPage<T>(
  entries: AsyncIterable<readonly [key: string, item: T]>,
  limit: number,
  binding: PageBinding,
): Promise<Page<T>> {
  const items: T[] = [];
  let last = "";
  let bytes = 0;
  for await (const [key, item] of entries) {
    bytes += sizeOf(item);
    if (items.length === limit || (bytes > pageMaxBytes && items.length > 0)) {
      return { items, nextPageToken: createPageToken(binding, last) };
    }
    items.push(item);
    last = key;
  }
  return { items, nextPageToken: "" };
}
