import { type Expectation, expectedIds } from "./cases.js";

/** A hit of any of the compared systems. */
export interface Hit {
  /** The id in the case. `undefined`: noise. */
  readonly id: string | undefined;
  /** The text that the caller gets. */
  readonly content: string;
  readonly tokens: number;
  /** Absent if the system has no relevance. */
  readonly relevance?: number;
}

/** Returns what the hits lack, one sentence for each unmet expectation. Empty: the case passes. */
export function judge(expect: Expectation, hits: readonly Hit[]): readonly string[] {
  const ids = hits.map(({ id }) => id);
  const { first, amongFirst, includes, excludes, onlyOneOf, only, otherTokensMax, excerpt } =
    expect;
  const faults: string[] = [];
  if (first !== undefined) faults.push(...missing(first, ids.slice(0, first.length), "first"));
  if (amongFirst !== undefined) {
    const { count } = amongFirst;
    faults.push(...missing(amongFirst.ids, ids.slice(0, count), `among the first ${count}`));
  }
  faults.push(...missing(includes ?? [], ids, "a hit"));
  for (const id of excludes ?? []) if (ids.includes(id)) faults.push(`${id} is a hit`);
  if (onlyOneOf !== undefined) {
    const count = onlyOneOf.filter((id) => ids.includes(id)).length;
    if (count !== 1) faults.push(`${count} of ${onlyOneOf.join(", ")} are hits`);
  }
  if (only !== undefined) {
    faults.push(...missing(only, ids, "a hit"));
    const others = countedHits(expect, ids).filter((id) => !isOneOf(only, id)).length;
    if (others > 0) faults.push(`${others} other hits`);
  }
  if (otherTokensMax !== undefined) {
    const tokens = otherTokensOf(expect, hits);
    if (tokens > otherTokensMax) faults.push(`${tokens} tokens of other hits`);
  }
  if (excerpt !== undefined) {
    const hit = hits.find(({ id }) => id === excerpt.id);
    if (hit === undefined) faults.push(`${excerpt.id} is no hit`);
    else if (!hit.content.includes(excerpt.text))
      faults.push(`the text of ${excerpt.id} lacks "${excerpt.text}"`);
  }
  return faults;
}

/** How close hits are to an exact set. */
export interface Exactness {
  /** Share of the hits that belong to the set; 1 without hits. */
  readonly precision: number;
  /** Share of the set that the hits contain; 1 for an empty set. */
  readonly recall: number;
}

/**
 * Compares the hits with the memories of `only`. Memories of `mayInclude` do not count.
 *
 * @throws Error when the expectation has no `only`
 */
export function exactnessOf(expect: Expectation, hits: readonly Hit[]): Exactness {
  const { only } = expect;
  if (only === undefined) throw new Error("the case expects no exact set");
  const ids = countedHits(
    expect,
    hits.map(({ id }) => id),
  );
  const found = ids.filter((id) => isOneOf(only, id)).length;
  return {
    precision: ids.length === 0 ? 1 : found / ids.length,
    recall: only.length === 0 ? 1 : found / only.length,
  };
}

function countedHits(
  { mayInclude }: Expectation,
  ids: readonly (string | undefined)[],
): readonly (string | undefined)[] {
  return ids.filter((id) => !isOneOf(mayInclude ?? [], id));
}

function isOneOf(set: readonly string[], id: string | undefined): boolean {
  return id !== undefined && set.includes(id);
}

/** Returns the number of tokens of the hits that an expectation neither demands nor allows. */
export function otherTokensOf(expect: Expectation, hits: readonly Hit[]): number {
  const { excludes: _, ...wanted } = expect;
  const ids = new Set(expectedIds(wanted));
  return hits.reduce(
    (sum, { id, tokens }) => (id !== undefined && ids.has(id) ? sum : sum + tokens),
    0,
  );
}

function missing(
  wanted: readonly string[],
  ids: readonly (string | undefined)[],
  place: string,
): string[] {
  return wanted.filter((id) => !ids.includes(id)).map((id) => `${id} is not ${place}`);
}
