import {
  cardForms,
  dottedPatterns,
  ibanLengths,
  keyPatterns,
  privateKeyBegin,
  privateKeyEnd,
  type SecretKind,
  urlPassword,
} from "./secret-rules.js";

/** A place of a text that looks like a secret. */
export interface FoundSecret {
  readonly kind: SecretKind;
  /** Position of the first UTF-16 unit, and after the last one. */
  readonly start: number;
  readonly end: number;
}

/** Counts the UTF-16 units that rules have looked at, for tests of the bound. */
export type OnStep = (units: number) => void;

/**
 * Finds what looks like a secret, in the order of the text. No two places overlap.
 *
 * The work grows with the length of the text, and no faster: each part of the text is read once,
 * and each rule looks at it a bounded number of times.
 */
export function findSecrets(
  text: string,
  onStep: OnStep = () => undefined,
): readonly FoundSecret[] {
  const plain = withoutEscapes(text);
  const texts = plain === text ? [text] : [text, plain];
  const found = texts
    .flatMap((one) => [
      ...privateKeys(one, onStep),
      ...urlPasswords(one, onStep),
      ...keysAndTokens(one, onStep),
      ...cardNumbers(one, onStep),
      ...accountNumbers(one, onStep),
    ])
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return found.filter((one) => {
    if (one.start < end) return false;
    end = one.end;
    return true;
  });
}

/**
 * Replaces written escapes of line breaks and other characters, such as `\n`, by as many spaces. In
 * logs and JSON, such an escape stands directly before a secret, and its letter looks like a part
 * of it.
 */
function withoutEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(?:[bfnrtv]|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2})/g, ({ length }) =>
    " ".repeat(length),
  );
}

function* privateKeys(text: string, onStep: OnStep): Generator<FoundSecret> {
  onStep(text.length);
  let end = 0;
  for (const { index } of text.matchAll(privateKeyBegin)) {
    if (index < end) continue;
    const last = text.indexOf(privateKeyEnd, index);
    const close = last < 0 ? -1 : text.indexOf("-----", last + privateKeyEnd.length);
    // A key without its end may be cut off, so the rest of the text belongs to it.
    end = close < 0 ? text.length : close + "-----".length;
    onStep(end - index);
    yield { kind: "private key", start: index, end };
  }
}

function* urlPasswords(text: string, onStep: OnStep): Generator<FoundSecret> {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    urlPassword.lastIndex = at + 3;
    const match = urlPassword.exec(text);
    onStep(Math.min(text.length - at, 400));
    const [whole, password] = match ?? [];
    if (whole === undefined || password === undefined) continue;
    const end = at + 3 + whole.length - 1;
    yield { kind: "password", start: end - password.length, end };
  }
}

/** Minimum length of a key that `keyPatterns` finds. */
const keyLengthMin = 15;

/** Runs of the characters of keys, with single dots between them. */
const keyRuns = /[\w-]+(?:\.[\w-]+)*/g;

function* keysAndTokens(text: string, onStep: OnStep): Generator<FoundSecret> {
  for (const { 0: run, index } of text.matchAll(keyRuns)) {
    onStep(run.length);
    if (run.length < keyLengthMin) continue;
    onStep(run.length * (dottedPatterns.length + keyPatterns.length));
    const dotted = dottedPatterns.find(({ form }) => form.test(run));
    if (dotted !== undefined) {
      yield { kind: dotted.kind, start: index, end: index + run.length };
      continue;
    }
    let start = index;
    for (const part of run.split(".")) {
      const key = keyIn(part);
      if (key !== undefined) {
        const at = start + part.indexOf(key);
        yield { kind: "api key", start: at, end: at + key.length };
      }
      start += part.length + 1;
    }
  }
}

/** Returns the key that a run of characters is, with or without `_` and `-` around it. */
function keyIn(run: string): string | undefined {
  const candidates = [run, run.replace(/^[_-]+/, "")];
  const last = candidates.map((one) => one.slice(0, lengthWithoutEnd(one)));
  return [...candidates, ...last].find((one) => keyPatterns.some((pattern) => pattern.test(one)));
}

/** Returns the length of a text without `_` and `-` at its end. */
function lengthWithoutEnd(text: string): number {
  let end = text.length;
  while (text[end - 1] === "_" || text[end - 1] === "-") end--;
  return end;
}

/**
 * Groups of three digits or more, as cards have them, with single spaces, no-break spaces or
 * hyphens between them. Not a part of a decimal number or of an id such as a UUID or `order_123`.
 */
const digitRuns = /(?<![A-Za-z\d]_*|[.,-])\d{3,}(?:[ \u00a0\u202f-]\d{3,})*(?!_*[A-Za-z\d])/g;

/** Minimum number of digits of a card number. */
const cardDigitsMin = 13;

/** Maximum number of digits of a card number. */
const cardDigitsMax = 19;

function* cardNumbers(text: string, onStep: OnStep): Generator<FoundSecret> {
  for (const { 0: run, index } of text.matchAll(digitRuns)) {
    onStep(run.length);
    const groups = [...run.matchAll(/\d+/g)].map(({ 0: digits, index: at }) => ({ digits, at }));
    for (let first = 0; first < groups.length; first++) {
      let digits = "";
      for (let last = first; last < groups.length; last++) {
        const group = groups[last] as (typeof groups)[number];
        if (digits.length + group.digits.length > cardDigitsMax) break;
        digits += group.digits;
        onStep(digits.length);
        if (digits.length < cardDigitsMin || !isCard(digits)) continue;
        const start = index + (groups[first] as (typeof groups)[number]).at;
        yield { kind: "card number", start, end: index + group.at + group.digits.length };
        first = last;
        break;
      }
    }
  }
}

function isCard(digits: string): boolean {
  const form = cardForms.find(({ first }) => first.test(digits));
  return form?.digits.includes(digits.length) === true && hasLuhnSum(digits);
}

function hasLuhnSum(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 1 ? 2 * digit : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The country and the check digits of an IBAN, at the beginning of a word. */
const ibanBegin = /(?<![A-Za-z\d])[A-Z]{2}\d{2}(?=[ \u00a0\u202fA-Z\d])/g;

/** The spaces that numbers are written with: texts of web pages have no-break spaces. */
const isSpace = (character = ""): boolean => /^[ \u00a0\u202f]$/.test(character);

function* accountNumbers(text: string, onStep: OnStep): Generator<FoundSecret> {
  onStep(text.length);
  for (const { 0: begin, index } of text.matchAll(ibanBegin)) {
    const length = ibanLengths[begin.slice(0, 2)];
    if (length === undefined) continue;
    let characters = "";
    let at = index;
    while (characters.length < length && at < text.length) {
      const character = text[at] as string;
      if (/[A-Z\d]/.test(character)) characters += character;
      else if (!isSpace(character) || isSpace(text[at - 1])) break;
      at += 1;
    }
    onStep(at - index);
    const isWhole = characters.length === length && !/[A-Za-z\d]/.test(text[at] ?? "");
    if (isWhole && hasIbanSum(characters)) yield { kind: "account number", start: index, end: at };
  }
}

/** Whether the remainder of the rearranged number by 97 is 1. */
function hasIbanSum(iban: string): boolean {
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
