import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { stringify } from "safe-stable-stringify";
import { invalidField, type VademecumError } from "../model/errors.js";

/** The listing that a page token belongs to. The token is valid for no other listing. */
export interface PageBinding {
  /** `Store.pageKey`, the secret key of the token's seal. */
  readonly pageKey: string;
  /** `Head.epoch`. */
  readonly epoch: string;
  /** `Store.tenant`. Another tenant may have a namespace with the same name. */
  readonly tenant: string | undefined;
  /** The kind of listing, its namespace, filter and options. The next call must repeat them. */
  readonly listing: unknown;
}

const separator = ".";

/** Returns an opaque token for the page that begins after `key`. */
export function createPageToken(binding: PageBinding, key: string): string {
  return [epochTag(binding.epoch), Buffer.from(key).toString("base64url"), seal(binding, key)].join(
    separator,
  );
}

/**
 * Returns the key in a token.
 *
 * @throws INVALID_ARGUMENT (INVALID_PAGE_TOKEN) when the token was changed, or was made for another
 *   listing, tenant or epoch.
 */
export function readPageToken(binding: PageBinding, token: string): string {
  const [tag, encodedKey, ...rest] = token.split(separator);
  if (tag === undefined || encodedKey === undefined || rest.length !== 1)
    throw invalidToken("is not a token of this service");
  if (tag !== epochTag(binding.epoch))
    throw invalidToken("was issued before the data was restored, or before a loss was accepted");
  const key = Buffer.from(encodedKey, "base64url").toString();
  const given = Buffer.from(token);
  const expected = Buffer.from(createPageToken(binding, key));
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw invalidToken("was changed, or was made for another listing");
  return key;
}

function invalidToken(problem: string): VademecumError {
  return invalidField(
    "page_token",
    `${problem}; pass next_page_token of the previous page with the same request, ` +
      "or leave page_token empty to start from the first page",
    "INVALID_PAGE_TOKEN",
  );
}

function seal({ pageKey, epoch, tenant, listing }: PageBinding, key: string): string {
  return createHmac("sha256", pageKey)
    .update(stringify([epoch, listing, key, tenant ?? null]) ?? "")
    .digest("base64url")
    .slice(0, 22);
}

/** The last tag, kept because nearly all tokens of a server have the same epoch. */
let known: { readonly epoch: string; readonly tag: string } | undefined;

function epochTag(epoch: string): string {
  if (known?.epoch === epoch) return known.tag;
  const tag = createHash("sha256").update(epoch).digest("base64url").slice(0, 8);
  known = { epoch, tag };
  return tag;
}
