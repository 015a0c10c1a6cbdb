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
 * Returns why a JSON message holds too much to be parsed, or `undefined` if it does not. Counts the
 * characters `,`, `:`, `[` and `{` outside of strings: each stands before a value at most. Also
 * counts the levels of brackets.
 */
export function jsonExcess(json: Uint8Array): string | undefined {
  let elements = 0;
  let level = 0;
  let isString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (isString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isString = false;
      continue;
    }
    if (byte === quote) isString = true;
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
