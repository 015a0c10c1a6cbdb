// Compares the answers of drivers with the expectations in cases.json, and reads values from
// answers.
import { isDeepStrictEqual } from "node:util";

/**
 * Fills in the placeholders in all strings of a value:
 *
 * - `"Hello ${name}"`: the saved value `name` as text
 * - `"${name}"` without other text: the saved value itself, such as an object
 * - `{"$repeat": "ab", "times": 3}` becomes `"ababab"`
 */
export function fillIn(value, saved) {
  if (typeof value === "string") {
    const whole = /^\$\{(\w+)\}$/.exec(value);
    if (whole) return saved[whole[1]];
    return value.replaceAll(/\$\{(\w+)\}/g, (_, name) => String(saved[name]));
  }
  if (Array.isArray(value)) return value.map((item) => fillIn(item, saved));
  if (typeof value !== "object" || value === null) return value;
  if ("$repeat" in value) return value.$repeat.repeat(value.times);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, saved)]));
}

/**
 * Describes the first difference between an answer and an expectation. Returns `undefined` if the
 * answer meets the expectation. Objects of the answer may have more entries than expected. Arrays
 * must have the expected length. Special expectations:
 *
 * - `{"$any": true}`: any value
 * - `{"$absent": true}`: no value
 * - `{"$length": n}`: an array of n items
 * - `{"$contains": text}`: a string that contains the text, or each text of an array
 * - `{"$atMost": n}`: a number up to n
 * - `{"$between": [n, m]}`: a number from n to m
 */
export function difference(expected, actual, path = "answer") {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${path} is ${abbreviate(actual)}, not an array`;
    if (actual.length !== expected.length)
      return `${path} has ${actual.length} items, not ${expected.length}: ${abbreviate(actual)}`;
    return firstDifference(
      expected.map((item, index) => difference(item, actual[index], `${path}[${index}]`)),
    );
  }
  if (typeof expected !== "object" || expected === null) {
    return isDeepStrictEqual(expected, actual)
      ? undefined
      : `${path} is ${abbreviate(actual)}, not ${abbreviate(expected)}`;
  }
  if (expected.$absent)
    return actual === undefined ? undefined : `${path} is present: ${abbreviate(actual)}`;
  if (actual === undefined) return `${path} is missing`;
  if (expected.$any) return undefined;
  if ("$length" in expected)
    return difference(expected.$length, actual.length, `the length of ${path}`);
  if ("$contains" in expected)
    return [expected.$contains].flat().every((part) => actual.includes(part))
      ? undefined
      : `${path} is ${abbreviate(actual)}`;
  if ("$atMost" in expected)
    return actual <= expected.$atMost
      ? undefined
      : `${path} is ${abbreviate(actual)}, more than ${expected.$atMost}`;
  if ("$between" in expected) {
    const [least, most] = expected.$between;
    return actual >= least && actual <= most
      ? undefined
      : `${path} is ${abbreviate(actual)}, not from ${least} to ${most}`;
  }
  return firstDifference(
    Object.entries(expected).map(([key, value]) =>
      difference(value, actual?.[key], `${path}.${key}`),
    ),
  );
}

/** Returns the value at a path such as `response.hits.0.memory.id`. */
export function valueAt(path, answer) {
  return path.split(".").reduce((value, key) => value?.[key], answer);
}

function firstDifference(differences) {
  return differences.find((item) => item !== undefined);
}

function abbreviate(value) {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
