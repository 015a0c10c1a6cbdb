import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { stringify } from "safe-stable-stringify";
import { invalidField } from "../model/errors.js";

/** What a token belongs to: it is good for nothing else. */
export interface PageBinding {
  /** `Head.epoch`; never leaves the server, so it also seals the token. */
  readonly epoch: string;
  /** Everything that must be the same in the next call: the kind of listing, namespace, filter and options. */
  readonly listing: unknown;
}

const separator = ".";

/** An opaque token for the page that begins behind `key`. */
export function createPageToken(binding: PageBinding, key: string): string {
  return [epochTag(binding.epoch), Buffer.from(key).toString("base64url"), seal(binding, key)].join(
    separator,
  );
}

/** The key that a token stands for. @throws INVALID_ARGUMENT (INVALID_PAGE_TOKEN) if it was changed, or made for another listing or another life of the data. */
export function readPageToken(binding: PageBinding, token: string): string {
  const [tag, encodedKey, ...rest] = token.split(separator);
  if (tag === undefined || encodedKey === undefined || rest.length !== 1)
    throw refused("is not a token of this service");
  if (tag !== epochTag(binding.epoch))
    throw refused("is from another life of this data (before a restore or an accepted loss)");
  const key = Buffer.from(encodedKey, "base64url").toString();
  const given = Buffer.from(token);
  const wanted = Buffer.from(createPageToken(binding, key));
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw refused("was changed, or made for another listing");
  return key;
}

function refused(problem: string) {
  return invalidField(
    "page_token",
    `${problem}; pass next_page_token of the page before with the same request, or leave it empty to start over`,
    "INVALID_PAGE_TOKEN",
  );
}

function seal({ epoch, listing }: PageBinding, key: string): string {
  return createHmac("sha256", epoch)
    .update(stringify([listing, key]) ?? "")
    .digest("base64url")
    .slice(0, 22);
}

function epochTag(epoch: string): string {
  return createHash("sha256").update(epoch).digest("base64url").slice(0, 8);
}
