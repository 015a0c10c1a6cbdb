import { type DescMessage, type MessageShape, toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { type CommandIo, printLine } from "./command-io.js";
import { wholeNumber } from "./option-values.js";

/** The options of `addPageOptions`, named after the fields of a request for a page. */
export interface PageFlags {
  readonly limit?: number;
  readonly pageToken?: string;
  readonly all?: boolean;
}

/**
 * Adds the options of a listing.
 *
 * @param records what a page has, such as `memories`
 * @param repeated what a call with a page token must repeat, such as `filter`. Default: nothing
 */
export function addPageOptions(command: Command, records: string, repeated?: string): Command {
  const hint = repeated === undefined ? "" : ` Repeat the same ${repeated}.`;
  return command
    .option("--limit <count>", `Maximum ${records} per page, 1 to 1000. Default 10.`, wholeNumber)
    .option("--page-token <token>", `The token at the end of the previous page.${hint}`)
    .option("--all", "List all pages.");
}

/** One page of a listing. */
interface Page<Item> {
  readonly items: readonly Item[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/** Which pages to print, and how. */
interface PageOptions {
  /** Whether to print one record a line, as protobuf JSON. */
  readonly json: boolean;
  /** Whether to print all pages from the first one on. */
  readonly all?: boolean | undefined;
  /** The token of the first page to print. Default: the first page. */
  readonly pageToken?: string | undefined;
}

/** What a listing has. */
interface Listing<Schema extends DescMessage> {
  readonly schema: Schema;
  /** Formats a record for a person. */
  readonly toText: (record: MessageShape<Schema>) => string;
  /** What to print if there are no records, such as `No memories.` */
  readonly none: string;
  readonly read: (pageToken: string) => Promise<Page<MessageShape<Schema>>>;
}

/**
 * Prints a listing page by page. With `json`, the token of a next page is an object in a line of
 * its own, after the records.
 */
export async function printPages<Schema extends DescMessage>(
  io: CommandIo,
  { json, all = false, pageToken = "" }: PageOptions,
  { schema, toText, none, read }: Listing<Schema>,
): Promise<void> {
  let token = pageToken;
  let count = 0;
  do {
    const { items, nextPageToken } = await read(token);
    for (const item of items)
      await printLine(io.stdout, json ? toJsonString(schema, item) : toText(item));
    count += items.length;
    token = nextPageToken;
  } while (all && token !== "");
  if (count === 0 && !json) await printLine(io.stdout, none);
  if (token === "") return;
  await printLine(
    io.stdout,
    json ? JSON.stringify({ nextPageToken: token }) : `Next page: --page-token ${token}`,
  );
}
