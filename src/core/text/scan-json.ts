import { isChangedByDouble, mayBeInexact } from "./json-numbers.js";

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const dot = 0x2e;
const plus = 0x2b;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const space = 0x20;
/** `E`, and `e` without the bit of lower case. */
const exponent = 0x45;
const lowerCaseBit = 0x20;

/** Limits of a JSON text. */
export interface JsonLimits {
  readonly elements: number;
  readonly levels: number;
}

/** A key of each object and an index of each list on the way to a value. */
export type JsonPath = readonly (string | number)[];

/** A large number that JSON parsers read as another number. */
export interface InexactNumber {
  readonly path: JsonPath;
  /** The number as written. */
  readonly literal: string;
  /** The position of its first byte. */
  readonly start: number;
}

/** Faults that `JSON.parse` would hide, or that make the text expensive to parse. */
export interface JsonFaults {
  /** The limit that the text exceeds. The scan ends there. */
  readonly excess?: keyof JsonLimits;
  /** A key that an object has twice, of which a parser drops one value. The scan ends there. */
  readonly duplicateKey?: string;
  /** The numbers that a parser would change, in their order. */
  readonly inexact: readonly InexactNumber[];
}

/** Which numbers from 2^53 on to find. */
export interface InexactSearch {
  /** Whether to find a number. */
  readonly isInexact: (literal: string) => boolean;
  /** The most numbers to find. */
  readonly max: number;
}

/** Finds numbers whose double is another number. So many are enough for an error message. */
const changedNumbers: InexactSearch = { isInexact: isChangedByDouble, max: 10 };

/** An open object or list. */
interface OpenLevel {
  /** The keys so far; `undefined` for a list. */
  readonly keys: Set<string> | undefined;
  /** The present key or index. */
  at: string | number;
}

/**
 * Scans a JSON text before it is parsed. Counts the characters `,`, `:`, `[` and `{` outside of
 * strings. Every value except the outermost one directly follows such a character, so the count
 * limits the number of values. Also counts the levels of brackets, compares the keys of each
 * object, and finds numbers from 2^53 on that a double cannot hold.
 *
 * @param search Which numbers to find. Default: the first 10 whose double is another number.
 */
export function scanJson(
  json: Uint8Array,
  limits: JsonLimits = noLimits,
  search: InexactSearch = changedNumbers,
): JsonFaults {
  let elements = 0;
  const levels: OpenLevel[] = [];
  const inexact: InexactNumber[] = [];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === quote) {
      const start = at;
      at = endOfString(json, at);
      const level = levels.at(-1);
      if (level?.keys === undefined || !isKey(json, at)) continue;
      const key = keyIn(json, start, at);
      if (level.keys.has(key)) return { duplicateKey: key, inexact };
      level.keys.add(key);
      level.at = key;
    } else if (byte === closeBracket || byte === closeBrace) levels.pop();
    else if (byte === openBracket || byte === openBrace) {
      levels.push(byte === openBrace ? { keys: new Set(), at: "" } : { keys: undefined, at: 0 });
      elements += 1;
      if (levels.length > limits.levels) return { excess: "levels", inexact };
    } else if (byte === comma || byte === colon) {
      elements += 1;
      const level = levels.at(-1);
      if (byte === comma && typeof level?.at === "number") level.at += 1;
    } else if (isOfNumber(byte)) {
      const end = endOfNumber(json, at);
      const literal = inexact.length < search.max ? largeNumber(json, at, end) : undefined;
      if (literal !== undefined && search.isInexact(literal))
        inexact.push({ path: levels.map((level) => level.at), literal, start: at });
      at = end - 1;
    }
    if (elements > limits.elements) return { excess: "elements", inexact };
  }
  return { inexact };
}

/** For a text that may have any size and depth. */
export const noLimits: JsonLimits = {
  elements: Number.POSITIVE_INFINITY,
  levels: Number.POSITIVE_INFINITY,
};

/** Says what is wrong with an inexact number, after its path. */
export function inexactFault({ literal }: InexactNumber): string {
  const shown = literal.length > 40 ? `${literal.slice(0, 40)}…` : literal;
  return (
    `is ${shown}, which numbers of JSON cannot hold exactly: whole numbers are exact up to ` +
    "9,007,199,254,740,991. Write an id in quotes, as a text"
  );
}

/** Whether a character outside of strings belongs to a number. */
function isOfNumber(byte: number): boolean {
  return (byte >= zero && byte <= nine) || byte === minus;
}

/** Returns the position after the number that begins at a position. */
function endOfNumber(json: Uint8Array, start: number): number {
  let at = start;
  for (let byte = json[at]; byte !== undefined; byte = json[++at]) {
    const isInside =
      isOfNumber(byte) || byte === dot || byte === plus || (byte & ~lowerCaseBit) === exponent;
    if (!isInside) break;
  }
  return at;
}

/** Returns a number as written if it may be inexact as a double. */
function largeNumber(json: Uint8Array, start: number, end: number): string | undefined {
  // No number of three characters is large: `9e9` is the largest.
  if (end - start <= 3) return undefined;
  const literal = Buffer.from(json.buffer, json.byteOffset + start, end - start).toString("latin1");
  return mayBeInexact(literal) ? literal : undefined;
}

/** Returns the position of the quote that ends a string, or the length of the JSON. */
function endOfString(json: Uint8Array, start: number): number {
  // `indexOf` runs in native code, so that long texts cost little.
  for (let end = json.indexOf(quote, start + 1); end >= 0; end = json.indexOf(quote, end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

/** Whether the string that ends at a position is the key of an object. */
function isKey(json: Uint8Array, end: number): boolean {
  let at = end + 1;
  while ((json[at] ?? colon) <= space) at += 1;
  return json[at] === colon;
}

function keyIn(json: Uint8Array, start: number, end: number): string {
  const key = Buffer.from(json.buffer, json.byteOffset + start, end + 1 - start).toString();
  if (!key.includes("\\")) return key.slice(1, -1);
  try {
    return String(JSON.parse(key));
  } catch {
    // The parser refuses the whole message.
    return key;
  }
}
