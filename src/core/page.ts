import type { Call } from "./call.js";
import { createPageToken, type PageBinding, readPageToken } from "./page-token.js";
import type { ScanRange } from "./store.js";

/** A page ends before it grows beyond this: most clients take no message of more than 4 MiB. */
const pageMaxBytes = 3 * 1024 * 1024;

/** Which page of a listing. */
export interface PageRequest {
  readonly binding: PageBinding;
  /** Most records, 1 or more. */
  readonly limit: number;
  /** Token of the page before; empty: from the newest. */
  readonly pageToken: string;
}

/** A record of a page, with its size as it is sent, about. */
export interface PageEntry<T> {
  readonly record: T;
  readonly bytes: number;
}

/** One page of a listing. */
export interface Page<T> {
  readonly records: readonly T[];
  /** Empty: there is no more. */
  readonly nextPageToken: string;
}

/**
 * Reads a page of records, newest first, along a table whose keys are in the order of writing. What is added meanwhile comes before the first page, so pages neither skip nor repeat.
 * `read` gets a record by its key there; `undefined`: it is not listed.
 * @throws INVALID_ARGUMENT (INVALID_PAGE_TOKEN)
 */
export async function readPage<T>(
  { binding, limit, pageToken }: PageRequest,
  scan: (range: ScanRange) => AsyncIterable<readonly [key: string, value: unknown]>,
  read: (key: string) => Promise<PageEntry<T> | undefined>,
  call: Call,
): Promise<Page<T>> {
  const after = pageToken === "" ? {} : { after: readPageToken(binding, pageToken) };
  const records: T[] = [];
  let last = "";
  let pageBytes = 0;
  for await (const [key] of scan({ reverse: true, ...after })) {
    call.throwIfEnded();
    const entry = await read(key);
    if (entry === undefined) continue;
    pageBytes += entry.bytes;
    if (records.length === limit || (pageBytes > pageMaxBytes && records.length > 0)) {
      return { records, nextPageToken: createPageToken(binding, last) };
    }
    records.push(entry.record);
    last = key;
  }
  return { records, nextPageToken: "" };
}
