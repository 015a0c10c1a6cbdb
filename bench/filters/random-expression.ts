/** Numbers from 0 to 1, without 1. */
export type Random = () => number;

/** Longest expression that a filter may have, in bytes. */
export const expressionMaxBytes = 2048;

type Build = (random: Random, depth: number) => string;

/** Expressions that took long before the server counted steps, each a kind of its own. */
export const slowExpressions: readonly string[] = [
  repeated("size(metadata)==1", " || "),
  repeated("size(metadata.keys)==1", " || "),
  repeated("metadata!=metadata", " || "),
  repeated("metadata.maps!=metadata.maps+[1]", " || "),
  repeated('metadata.text.lowerAscii()==""', " || "),
  repeated("metadata.text.size()==1", " || "),
  repeated('create_time.getHours("Europe/Paris")==25', " || "),
  `size(${Array.from({ length: 180 }, () => "metadata.list").join("+")})==1`,
  `size(${Array.from({ length: 180 }, () => "metadata.text").join("+")})==1`,
  'bytes(bytes(bytes(bytes(metadata.text).hex()).hex()).hex()).hex()==""',
  "metadata.list.all(x, x.missing==1)",
  "metadata.list.all(x, x==x)",
  `metadata.list.all(x, ${Array.from({ length: 600 }, () => "x.a").join("||")})`,
  `metadata.list.all(x, ${Array.from({ length: 900 }, () => "x").join("+")}>0.0)`,
  `metadata.list.all(x, ${Array.from({ length: 240 }, () => "x==2.0").join("||")}||true)`,
  `metadata.list${".map(a,a)".repeat(28)}.size()==1`,
  `[1]${".map(a,[a,a])".repeat(28)}.all(x, x==[x])`,
  "metadata.keys in metadata.maps",
  `metadata.text.lastIndexOf("b${"a".repeat(249)}")==1`,
  `metadata.text.contains("${"a".repeat(249)}b")`,
];

/** Returns a random expression of at most 2 KiB. Most of these expressions are valid CEL. */
export function randomExpression(random: Random): string {
  const expression = bool(random, 1 + Math.floor(random() * 4));
  return expression.length <= expressionMaxBytes ? expression : "true";
}

/** Changes an expression: repeats it, joins it with `other`, or replaces a piece of it. */
export function mutateExpression(random: Random, expression: string, other: string): string {
  const mutated = pick<Build>(random, [
    () => `metadata.text.contains(${literal(random)}) || (${expression})`,
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
  const pieces = [...expression.matchAll(/\bmetadata\.\w+|"[^"]*"|\btags\b|\bx\b|\b\d+\b/g)];
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
    () => `${text(random, next)}.contains(${literal(random)})`,
    () =>
      `${text(random, next)}.${pick(random, ["startsWith", "endsWith"])}(${text(random, next)})`,
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
    () => `(create_time - event_time < duration("1h${"30m".repeat(12)}"))`,
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
    () => 'create_time.getHours("Europe/Paris") == 1',
    () => bool(random, depth - 1),
  ])(random, depth);

const text: Build = (random, depth) => {
  if (depth <= 0)
    return pick(random, ["metadata.text", `metadata.${metadataKey(random)}`, literal(random)]);
  const next = depth - 1;
  return pick<Build>(random, [
    () => text(random, 0),
    () => `(${text(random, next)} + ${text(random, next)})`,
    () => Array.from({ length: 2 + Math.floor(random() * 20) }, () => "metadata.text").join(" + "),
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
    () => `${text(random, next)}.${pick(random, ["indexOf", "lastIndexOf"])}(${literal(random)})`,
    () =>
      `(${number(random, next)} ${pick(random, ["+", "-", "*", "/", "%"])} ${number(random, next)})`,
    () => `${pick(random, ["int", "double", "uint"])}(${anything(random, next)})`,
    () =>
      `${time(random)}.${pick(random, ["getHours", "getDayOfYear"])}(${pick(random, ["", '"Europe/Paris"', '"No/Such_Zone"'])})`,
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

const index = (random: Random) => pick(random, ["0", "1", "500", "8000", "16000"]);

function literal(random: Random): string {
  const length = Math.floor(pick(random, [1, 3, 5, 100, 240, 250]) * (0.5 + random() / 2));
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
