import type { IdPatterns } from "../model/principal.js";
import type { IdRange } from "../ports/id-range.js";
import type { Store } from "../ports/store.js";
import { sortsBefore } from "./key-prefix.js";

/** Ids that begin with a text, or the one id that is the text. */
interface IdSpan {
  readonly text: string;
  readonly isPrefix: boolean;
}

/**
 * Iterates over the ids of a range that patterns allow, in the order of the range. Reads only the
 * parts of the range that a pattern may allow.
 */
export async function* allowedIds(
  store: Pick<Store, "ids">,
  range: IdRange,
  patterns: IdPatterns,
): AsyncGenerator<string> {
  const { prefix = "", after } = range;
  for (const { text, isPrefix } of spansOf(patterns, prefix)) {
    const isBefore = after !== undefined && sortsBefore(text, after) && !after.startsWith(text);
    if (isBefore) continue;
    for await (const id of store.ids({ ...range, prefix: text })) {
      if (!isPrefix && id !== text) break;
      yield id;
      if (!isPrefix) break;
    }
  }
}

/** Returns the parts of all ids with a prefix that patterns allow, in order, none in another. */
function spansOf(patterns: IdPatterns, prefix: string): readonly IdSpan[] {
  const spans = patterns
    .flatMap((pattern) => spanOf(pattern, prefix) ?? [])
    .sort((a, b) => compareSpans(a, b));
  const disjoint: IdSpan[] = [];
  let last: IdSpan | undefined;
  for (const span of spans) {
    const isCovered = last?.isPrefix ? span.text.startsWith(last.text) : last?.text === span.text;
    if (isCovered === true) continue;
    disjoint.push(span);
    last = span;
  }
  return disjoint;
}

function spanOf(pattern: string, prefix: string): IdSpan | undefined {
  if (!pattern.endsWith("*"))
    return pattern.startsWith(prefix) ? { text: pattern, isPrefix: false } : undefined;
  const text = pattern.slice(0, -1);
  if (text.startsWith(prefix)) return { text, isPrefix: true };
  return prefix.startsWith(text) ? { text: prefix, isPrefix: true } : undefined;
}

/** Orders spans by their texts. Of equal texts, the prefix comes first: it covers the id. */
function compareSpans(a: IdSpan, b: IdSpan): number {
  if (a.text === b.text) return Number(b.isPrefix) - Number(a.isPrefix);
  return sortsBefore(a.text, b.text) ? -1 : 1;
}
