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

/**
 * Returns why a JSON message holds too much to be parsed; `undefined` if it does not. Counts the
 * characters `,`, `:`, `[` and `{` outside of strings. Every value except the outermost one
 * directly follows such a character, so the count limits the number of values. Also counts the
 * levels of brackets.
 */
export function jsonExcess(json: Uint8Array): string | undefined {
  let elements = 0;
  let level = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) at = endOfString(json, at);
    else if (byte === closeBracket || byte === closeBrace) level -= 1;
    else if (byte === openBracket || byte === openBrace) {
      level += 1;
      elements += 1;
      if (level > levelsMax) return levelsExcess;
    } else if (byte === comma || byte === colon) elements += 1;
    if (elements > elementsMax) return elementsExcess;
  }
  return undefined;
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
