// What the cases may expect of an answer, and what they may take from it.
import { isDeepStrictEqual } from "node:util";

/** Replaces `${name}` in every text of a value by what was saved under the name; a text that is nothing else gets the value itself. `$repeat` makes long texts. */
export function filledIn(value, saved) {
  if (typeof value === "string") {
    const whole = /^\$\{(\w+)\}$/.exec(value);
    if (whole) return saved[whole[1]];
    return value.replaceAll(/\$\{(\w+)\}/g, (_, name) => String(saved[name]));
  }
  if (Array.isArray(value)) return value.map((item) => filledIn(item, saved));
  if (typeof value !== "object" || value === null) return value;
  if ("$repeat" in value) return value.$repeat.repeat(value.times);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, filledIn(item, saved)]),
  );
}

/**
 * What differs, in words, or `undefined`. Objects may have more than is expected, arrays not.
 * `{"$any": true}` is whatever is there; `{"$absent": true}` is nothing; `{"$length": n}`, `{"$contains": text}` and `{"$atMost": n}` concern arrays, texts and numbers.
 */
export function difference(expected, actual, path = "answer") {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${path} is ${shown(actual)}, not a list`;
    if (actual.length !== expected.length)
      return `${path} has ${actual.length} items, not ${expected.length}: ${shown(actual)}`;
    return firstOf(
      expected.map((item, index) => difference(item, actual[index], `${path}[${index}]`)),
    );
  }
  if (typeof expected !== "object" || expected === null) {
    return isDeepStrictEqual(expected, actual)
      ? undefined
      : `${path} is ${shown(actual)}, not ${shown(expected)}`;
  }
  if (expected.$absent)
    return actual === undefined ? undefined : `${path} is there: ${shown(actual)}`;
  if (actual === undefined) return `${path} is missing`;
  if (expected.$any) return undefined;
  if ("$length" in expected)
    return difference(expected.$length, actual.length, `the length of ${path}`);
  if ("$contains" in expected)
    return actual.includes(expected.$contains) ? undefined : `${path} is ${shown(actual)}`;
  if ("$atMost" in expected)
    return actual <= expected.$atMost
      ? undefined
      : `${path} is ${shown(actual)}, more than ${expected.$atMost}`;
  return firstOf(
    Object.entries(expected).map(([key, value]) =>
      difference(value, actual?.[key], `${path}.${key}`),
    ),
  );
}

/** The value at a path such as `response.hits.0.memory.id`. */
export function valueAt(path, answer) {
  return path.split(".").reduce((value, key) => value?.[key], answer);
}

function firstOf(differences) {
  return differences.find((it) => it !== undefined);
}

function shown(value) {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
