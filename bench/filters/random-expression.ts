/** Numbers from 0 to 1, without 1. */
export type Random = () => number;

/** Longest expression that a filter may have, in bytes. */
export const expressionMaxBytes = 2048;

type Build = (random: Random, depth: number) => string;

/** Returns a random expression of at most 2 KiB. Most of these expressions are valid CEL. */
export function randomExpression(random: Random): string {
  const expression = bool(random, 1 + Math.floor(random() * 4));
  return expression.length <= expressionMaxBytes ? expression : "true";
}

/** Changes an expression: repeats it, joins it with `other`, or replaces a piece of it. */
export function mutateExpression(random: Random, expression: string, other: string): string {
  const mutated = pick<Build>(random, [
    () => `content.contains(${literal(random)}) || (${expression})`,
    () => repeated(expression, pick(random, [" || ", " && "])),
    () => repeated(expression, pick(random, [" || ", " && "])),
    () => `${expression} ${pick(random, ["||", "&&", "=="])} ${other}`,
    () => replacePiece(random, expression),
    () => replacePiece(random, replacePiece(random, expression)),
    () => `${text(random, 1)}.size() == 1 || (${expression})`,
  ])(random, 0);
  return mutated.length <= expressionMaxBytes ? mutated : expression;
}

/** Repeats an expression as often as it fits. */
function repeated(expression: string, operator: string): string {
  const piece = `(${expression})`;
  const count = Math.floor(
    (expressionMaxBytes + operator.length) / (piece.length + operator.length),
  );
  return count < 2 ? expression : Array.from({ length: count }, () => piece).join(operator);
}

/** Replaces one of the names and values in an expression with another value. */
function replacePiece(random: Random, expression: string): string {
  const pieces = [
    ...expression.matchAll(/\bcontent\b|\bmetadata\.\w+|"[^"]*"|\btags\b|\bx\b|\b\d+\b/g),
  ];
  if (pieces.length === 0) return expression;
  const piece = pick(random, pieces);
  const value = pick<Build>(random, [text, list, number, anything])(random, 2);
  return expression.slice(0, piece.index) + value + expression.slice(piece.index + piece[0].length);
}

const bool: Build = (random, depth) => {
  if (depth <= 0) return pick(random, ["true", "false", "restricted", "metadata.truth"]);
  const next = depth - 1;
  return pick<Build>(random, [
    () => `(${bool(random, next)} ${pick(random, ["||", "&&"])} ${bool(random, next)})`,
    () => `!${bool(random, next)}`,
    () =>
      `${text(random, next)}.${pick(random, ["contains", "startsWith", "endsWith"])}(${text(random, next)})`,
    () => `(${text(random, next)} ${comparison(random)} ${text(random, next)})`,
    () => `(${number(random, next)} ${comparison(random)} ${number(random, next)})`,
    () => `(${list(random, next)} == ${list(random, next)})`,
    () => `(${map(random, next)} == ${map(random, next)})`,
    () => `(${anything(random, next)} in ${list(random, next)})`,
    () => `(${anything(random, next)} == ${anything(random, next)})`,
    () => `has(metadata.${metadataKey(random)})`,
    () =>
      `${list(random, next)}.${pick(random, ["all", "exists", "exists_one"])}(x, ${body(random, next)})`,
    () => `(${time(random)} < ${time(random)})`,
    () => `(duration(${text(random, next)}) < duration("1h"))`,
    () => `(${bool(random, next)} ? ${bool(random, next)} : ${bool(random, next)})`,
    () => `bool(${text(random, next)})`,
  ])(random, depth);
};

/** A body of a comprehension: `x` is its variable. */
const body: Build = (random, depth) =>
  pick<Build>(random, [
    () => "x",
    () => "true",
    () => "x.missing == 1",
    () => `x == ${anything(random, 0)}`,
    () => `x in ${list(random, 0)}`,
    () => `${anything(random, 0)} in [x, x]`,
    () => `string(x).contains(${text(random, 0)})`,
    () => `size(x) > 1 && x.a == 1`,
    () => `[x, x] == [x, x, x]`,
    () => `create_time.getHours(string(x)) == 1`,
    () => bool(random, depth - 1),
  ])(random, depth);

const text: Build = (random, depth) => {
  if (depth <= 0)
    return pick(random, ["content", "content", `metadata.${metadataKey(random)}`, literal(random)]);
  const next = depth - 1;
  return pick<Build>(random, [
    () => text(random, 0),
    () => `(${text(random, next)} + ${text(random, next)})`,
    () => Array.from({ length: 2 + Math.floor(random() * 20) }, () => "content").join(" + "),
    () => `${text(random, next)}.${pick(random, ["lowerAscii", "upperAscii", "trim"])}()`,
    () => `bytes(${text(random, next)}).${pick(random, ["hex", "base64", "string"])}()`,
    () => `string(${anything(random, next)})`,
    () => `${text(random, next)}.substring(${index(random)}, ${index(random)})`,
    () => `(${bool(random, next)} ? ${text(random, next)} : ${text(random, next)})`,
  ])(random, depth);
};

const number: Build = (random, depth) => {
  if (depth <= 0)
    return pick(random, ["importance", "version", "1", "1.5", "metadata.number", "token_count"]);
  const next = depth - 1;
  return pick<Build>(random, [
    () => number(random, 0),
    () => `size(${pick<Build>(random, [text, list, map])(random, next)})`,
    () =>
      `${text(random, next)}.${pick(random, ["indexOf", "lastIndexOf"])}(${text(random, next)})`,
    () =>
      `(${number(random, next)} ${pick(random, ["+", "-", "*", "/", "%"])} ${number(random, next)})`,
    () => `${pick(random, ["int", "double", "uint"])}(${anything(random, next)})`,
    () =>
      `${time(random)}.${pick(random, ["getHours", "getDayOfYear"])}(${pick(random, ["", '"Europe/Paris"', text(random, next)])})`,
  ])(random, depth);
};

const list: Build = (random, depth) => {
  if (depth <= 0)
    return pick(random, ["tags", `metadata.${metadataKey(random)}`, '["a", "b"]', "[1, 2, 3]"]);
  const next = depth - 1;
  return pick<Build>(random, [
    () => list(random, 0),
    () => `(${list(random, next)} + ${list(random, next)})`,
    () =>
      `[${Array.from({ length: 1 + Math.floor(random() * 30) }, () => anything(random, 0)).join(", ")}]`,
    () =>
      `${list(random, next)}.map(x, ${pick(random, ["x", "[x, x]", '{"k": x}', body(random, next)])})`,
    () => `${list(random, next)}.filter(x, ${body(random, next)})`,
  ])(random, depth);
};

const map: Build = (random, depth) =>
  pick<Build>(random, [
    () => "metadata",
    () => `metadata.${metadataKey(random)}`,
    () => `{"a": ${anything(random, depth - 1)}, "b": ${anything(random, depth - 1)}}`,
  ])(random, depth);

const anything: Build = (random, depth) =>
  pick<Build>(random, [
    text,
    number,
    list,
    map,
    () => `metadata.${metadataKey(random)}`,
    () => `dyn(${pick<Build>(random, [text, list, map])(random, depth - 1)})`,
    () => `type(${pick<Build>(random, [text, list, map])(random, depth - 1)})`,
    () => "null",
  ])(random, depth);

const time = (random: Random) =>
  pick(random, ["create_time", "event_time", 'timestamp("2026-01-01T00:00:00Z")']);

/** Keys of the metadata of `hostileMemories`. */
const metadataKey = (random: Random) =>
  pick(random, ["list", "texts", "maps", "keys", "deep", "text", "number", "truth", "missing"]);

const comparison = (random: Random) => pick(random, ["==", "!=", "<", ">="]);

const index = (random: Random) => pick(random, ["0", "1", "500", "30000", "65536"]);

function literal(random: Random): string {
  const length = Math.floor(pick(random, [1, 3, 5, 100, 240, 600]) * (0.5 + random() / 2));
  const letter = pick(random, ["a", "1", " "]);
  return `"${pick(random, [
    letter.repeat(length),
    `${letter.repeat(length)}b`,
    `b${letter.repeat(length)}`,
    `${letter.repeat(length / 2)}b${letter.repeat(length / 2)}`,
  ])}"`;
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}
