import { isObject, type JsonObject } from "./json-values.js";

/**
 * Returns the text that searches examine for an item: the values at the paths as text, one a line.
 * The path `$` stands for all texts, numbers and booleans of the value, as lines of `name: text`.
 */
export function indexedText(value: JsonObject, paths: readonly string[]): string {
  const texts = paths.flatMap((path) =>
    path === "$" ? lines(value, "") : textsAt(value, stepsOf(path)),
  );
  return texts.filter((text) => text.trim() !== "").join("\n");
}

function lines(value: unknown, name: string): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => lines(item, name));
  if (isObject(value)) return Object.entries(value).flatMap(([key, item]) => lines(item, key));
  return [`${name}: ${String(value)}`];
}

/** Splits `chapters[*].text` into `chapters`, `[*]`, `text`. */
function stepsOf(path: string): string[] {
  return path.match(/\[[^\]]*\]|[^.[\]]+/g) ?? [];
}

function textsAt(value: unknown, [step, ...rest]: readonly string[]): string[] {
  if (value === null || value === undefined) return [];
  if (step === undefined)
    return [typeof value === "object" ? JSON.stringify(value) : String(value)];
  if (step === "[*]" || step === "*")
    return typeof value === "object"
      ? Object.values(value).flatMap((item) => textsAt(item, rest))
      : [];
  if (step.startsWith("["))
    return Array.isArray(value) ? textsAt(value.at(Number(step.slice(1, -1))), rest) : [];
  return isObject(value) && Object.hasOwn(value, step) ? textsAt(value[step], rest) : [];
}
