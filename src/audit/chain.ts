import { createHash } from "node:crypto";

/** The number and the hash of a line of the audit trail. */
export interface ChainEnd {
  readonly number: number;
  /** Empty before the first line. */
  readonly hash: string;
}

/** What precedes the first line. */
export const chainStart: ChainEnd = { number: 0, hash: "" };

/** A line, as it was written. */
export interface ChainLine extends ChainEnd {
  /** The hash of the line before. */
  readonly previous: string;
  /** Whether the hash is that of the line. */
  readonly isIntact: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Writes a line without its line break: JSON with the number first, then the fields, the hash of
 * the line before and the hash of the line up to here.
 */
export function writeLine(
  { number, hash: previous }: ChainEnd,
  fields: Readonly<Record<string, unknown>>,
): { readonly text: string; readonly end: ChainEnd } {
  const next = number + 1;
  const content = JSON.stringify({ number: next, ...fields, previous });
  const hash = hashOf(content);
  return { text: `${content.slice(0, -1)}${hashField}${hash}"}`, end: { number: next, hash } };
}

/** Reads a line without its line break. Returns `undefined` if it is no line of an audit trail. */
export function readLine(text: string): ChainLine | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  const { number, previous, hash, ...fields } = parsed as Readonly<Record<string, unknown>>;
  if (!Number.isSafeInteger(number) || typeof previous !== "string" || typeof hash !== "string")
    return undefined;
  const ending = `${hashField}${hash}"}`;
  const isIntact = text.endsWith(ending) && hashOf(`${text.slice(0, -ending.length)}}`) === hash;
  return { number: number as number, previous, hash, isIntact, fields };
}

const hashField = ',"hash":"';

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
