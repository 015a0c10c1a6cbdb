import { elementsMax, levelsMax } from "../limits.js";
import { elementsExcess, levelsExcess } from "./wire-elements.js";

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const space = 0x20;

/** Why a JSON message should not be parsed. */
export interface JsonFault {
  /** What the message has too much of. */
  readonly excess?: string;
  /** A key that an object has twice. `JSON.parse` would silently drop one of the values. */
  readonly duplicateKey?: string;
}

/**
 * Scans a JSON message before it is parsed, and returns the first fault. Counts the characters `,`,
 * `:`, `[` and `{` outside of strings. Every value except the outermost one directly follows such a
 * character, so the count limits the number of values. Also counts the levels of brackets, and
 * compares the keys of each object.
 */
export function scanJson(json: Uint8Array): JsonFault {
  let elements = 0;
  /** The keys of each open object, and `undefined` for each open list. */
  const levels: (Set<string> | undefined)[] = [];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) {
      const start = at;
      at = endOfString(json, at);
      const keys = levels.at(-1);
      if (keys === undefined || !isKey(json, at)) continue;
      const key = keyIn(json, start, at);
      if (keys.has(key)) return { duplicateKey: key };
      keys.add(key);
    } else if (byte === closeBracket || byte === closeBrace) levels.pop();
    else if (byte === openBracket || byte === openBrace) {
      levels.push(byte === openBrace ? new Set() : undefined);
      elements += 1;
      if (levels.length > levelsMax) return { excess: levelsExcess };
    } else if (byte === comma || byte === colon) elements += 1;
    if (elements > elementsMax) return { excess: elementsExcess };
  }
  return {};
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
