import { type Instant, millisOfInstant } from "../../model/instant.js";
import { happenedAt, type Memory } from "../../model/memory.js";
import type { TimeZone } from "../../model/time-zone.js";
import type { TokenCounter } from "../../ports/token-counter.js";
import { startOfDay } from "../../text/day-span.js";
import { hasLineBreak, replaceLineBreaks } from "../../text/line-breaks.js";
import { visibleName } from "../../text/visible-text.js";
import type { SearchHit } from "../query/search.js";

const bullet = "- ";

/** The line above the weak hits of a list. */
export const weakHeading = "perhaps related:";

/** The parts of a memory that a text for a model can show. */
export type ShownMemory = Pick<Memory, "id" | "content" | "author" | "eventTime" | "createTime">;

/** What comes before the content of each item: the date, the author and, if wanted, the id. */
export interface Annotation {
  /** The time zone of the dates. */
  readonly zone: TimeZone;
  /** Default false. */
  readonly showsIds?: boolean;
}

/** What a rendering shows of a hit. */
export interface ShownHit {
  readonly memory: ShownMemory;
  readonly weak: boolean;
}

/** Writes hits into an answer, and counts the tokens that they use there. */
export interface Rendering {
  readonly counter: TokenCounter;
  /** Returns the text of the only hit of an answer. */
  renderAlone(hit: ShownHit): string;
  /** Number of tokens that the whole memory uses of a budget. At least `memory.tokenCount`. */
  tokensOf(memory: Memory): number;
  /** Number of tokens that the first weak hit uses in addition. */
  readonly weakHeadingTokens: number;
}

/** Renders contents as they are stored. */
export function plainRendering(counter: TokenCounter): Rendering {
  return {
    counter,
    renderAlone: ({ memory }) => memory.content,
    tokensOf: ({ tokenCount }) => tokenCount,
    weakHeadingTokens: 0,
  };
}

/** Writes contents as items of a list, for Recall. */
export interface ListRendering extends Rendering {
  /**
   * Writes hits as one list, an item for each. Weak hits come last, below a line that says so
   * (`weakHeading`).
   */
  textOf(hits: readonly ShownHit[]): string;
  /** Returns the number of tokens of `textOf`. */
  tokensOfList(hits: readonly ListedHit[]): number;
}

/**
 * What a list needs of a hit. `tokens` are those of `tokensOf`, and those of the heading for the
 * first weak hit. For an excerpt, which is the only hit, they are those of the list.
 */
export type ListedHit = Pick<SearchHit, "memory" | "tokens" | "excerpt" | "weak">;

/** Renders memories as items of a list. */
export function listRendering(counter: TokenCounter, annotation?: Annotation): ListRendering {
  const textOf = (hits: readonly ShownHit[]) =>
    textOfList(hits, (memory) => listItem(memory, annotation), weakHeading);
  // A line break never shares a token with the next item, so the counts of items add up.
  const tokensOf = (memory: Memory) => itemTokens(counter, memory, annotation, "\n");
  return {
    counter,
    textOf,
    renderAlone: (hit) => textOf([hit]),
    tokensOf,
    weakHeadingTokens: counter.count(`${weakHeading}\n`),
    tokensOfList(hits) {
      const last = hits.findLast(({ weak }) => weak) ?? hits.at(-1);
      if (last === undefined) return 0;
      if (last.excerpt) return last.tokens;
      const whole = hits.reduce((sum, { tokens }) => sum + tokens, 0);
      return whole - tokensOf(last.memory) + itemTokens(counter, last.memory, annotation, "");
    },
  };
}

/**
 * Renders memories line after line.
 *
 * @param render writes a memory. The result is at least as long in tokens as the content
 * @param heading the line above weak hits
 */
export function renderedList(
  counter: TokenCounter,
  render: (memory: ShownMemory) => string,
  heading: string,
): ListRendering {
  const textOf = (hits: readonly ShownHit[]) => textOfList(hits, render, heading);
  return {
    counter,
    textOf,
    renderAlone: (hit) => textOf([hit]),
    tokensOf: (memory) => counter.count(`${render(memory)}\n`),
    weakHeadingTokens: counter.count(`${heading}\n`),
    tokensOfList: (hits) => counter.count(textOf(hits)),
  };
}

/** Writes a line for each hit. Weak hits come last, below `heading`. */
function textOfList(
  hits: readonly ShownHit[],
  render: (memory: ShownMemory) => string,
  heading: string,
): string {
  const strong = hits.filter(({ weak }) => !weak).map(({ memory }) => render(memory));
  const weak = hits.filter((hit) => hit.weak).map(({ memory }) => render(memory));
  return [...strong, ...(weak.length > 0 ? [heading] : []), ...weak].join("\n");
}

/** Returns the number of tokens of a memory as an item of a list, followed by `after`. */
function itemTokens(
  counter: TokenCounter,
  memory: Memory,
  annotation: Annotation | undefined,
  after: "" | "\n",
): number {
  const { content, tokenCount } = memory;
  // `listItem` changes a content of several lines.
  if (hasLineBreak(content)) return counter.count(listItem(memory, annotation) + after);
  const before = bullet + annotationOf(memory, annotation);
  return counter.countFramed(before, { text: content, tokens: tokenCount }, after);
}

/**
 * Writes a memory as an item of a list. Its further lines are indented, so that no content looks
 * like another item.
 */
function listItem(memory: ShownMemory, annotation: Annotation | undefined): string {
  return bullet + annotationOf(memory, annotation) + replaceLineBreaks(memory.content, "\n  ");
}

/**
 * Returns the date and the author of a memory for a model: `[2026-03-08] Ann: `, or with its id
 * `[2026-03-08, id 01993e8a-7c1b-7000-8000-1d2c3b4a5f60] Ann: `.
 */
function annotationOf(memory: ShownMemory, annotation: Annotation | undefined): string {
  if (annotation === undefined) return "";
  const { author, id } = memory;
  const { zone, showsIds = false } = annotation;
  const name = author === undefined ? "" : `${visibleName(author)}: `;
  const date = dateOf(happenedAt(memory), zone);
  return `[${date}${showsIds ? `, id ${id}` : ""}] ${name}`;
}

/** Returns the date of an instant in a time zone, such as `2026-03-08`. */
export function dateOf(instant: Instant, zone: TimeZone): string {
  const day = zone.dayOf(millisOfInstant(instant));
  return startOfDay(day).toISOString().slice(0, 10);
}
