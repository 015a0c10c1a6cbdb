import { randomNumbers, sampleTexts } from "../harness/sample-texts.js";

/** A text that is repeated up to a length. */
export interface HostileText {
  readonly name: string;
  readonly unit: string;
}

const random = randomNumbers(1);

/** Units whose repetition is slow to normalize, divide, count, embed, parse or print. */
export const hostileTexts: readonly HostileText[] = [
  { name: "one letter", unit: "a" },
  { name: "words", unit: "wine from the valley, said Ann. " },
  { name: "many words of the memories", unit: sampleTexts(300, 1).join(" ") },
  { name: "letters and spaces", unit: "a b " },
  { name: "random ASCII", unit: randomText(4096, 0x21, 0x5d) },
  { name: "random letters", unit: randomText(4096, 0x61, 26) },
  { name: "random CJK", unit: randomText(1024, 0x4e00, 0x5000) },
  { name: "digits", unit: "1234567890" },
  { name: "white space", unit: " \t\n\u3000" },
  { name: "line breaks", unit: "\n\u2028" },
  { name: "NUL", unit: "\0" },
  { name: "punctuation", unit: "!?…(" },
  { name: "apostrophes", unit: "I'S " },
  { name: "combining marks", unit: "\u0301\u0327" },
  { name: "decomposed syllables", unit: "\u1112\u1161\u11ab" },
  { name: "ligatures", unit: "\ufdfa" },
  { name: "growing capitals", unit: "\u0130\u00df\ufb03" },
  { name: "joined emoji", unit: "\u{1f469}\u200d\u{1f467}\u200d" },
  { name: "dates", unit: "next friday, 3 may 2026 at 5pm; " },
  { name: "wildcards", unit: "*a?" },
  { name: "open brackets", unit: '[{"a":' },
  { name: "JSON objects", unit: "{}," },
  { name: "escapes", unit: '\\"\u0001' },
];

function randomText(length: number, from: number, count: number): string {
  return String.fromCodePoint(...Array.from({ length }, () => from + Math.floor(random() * count)));
}

/**
 * Returns a text of at most `bytes` bytes of UTF-8, made of whole units and the start of one more.
 */
export function textOf({ unit }: HostileText, bytes: number): string {
  const unitBytes = Buffer.byteLength(unit);
  const text = unit.repeat(Math.floor(bytes / unitBytes));
  const rest = bytes - Buffer.byteLength(text);
  let end = "";
  for (const character of unit) {
    if (Buffer.byteLength(end + character) > rest) break;
    end += character;
  }
  return text + end;
}
