import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AddInput } from "../../src/core/memories/service.js";
import { instantOfMillis } from "../../src/core/model/instant.js";
import type { MemoryType } from "../../src/core/model/memory.js";

/** The folder of the data files, relative to the project. */
export const everydayFolder = join("bench", "data", "everyday");

/** The kinds of cases that ask Search. Each has a data file of its name. */
export const searchKinds = [
  "near-facts",
  "dates",
  "authors",
  "names",
  "code",
  "numbers",
  "typos",
  "inflection",
  "paraphrases",
  "negation",
  "preferences",
  "languages",
  "long-notes",
  "foreign",
  "traps",
  "exact-sets",
  "tags-and-kinds",
] as const;
export type SearchKind = (typeof searchKinds)[number];

/** The parts of the cases: for work on the ranking, and for the check after that work. */
export type Part = "development" | "kept";

/** The time of a case that names none: a Wednesday. */
const defaultNow = "2025-06-18T10:00:00Z";

/** The token budget of a case that names none. */
const defaultBudgetTokens = 500;

/** A memory of a case, without its namespace. */
export type CaseMemory = Omit<AddInput, "namespace">;

/** What a person would expect of the hits. Ids are those of the case's memories. */
export interface Expectation {
  /** The first hits are these memories, in any order. */
  readonly first?: readonly string[];
  /** The first `count` hits contain these memories. */
  readonly amongFirst?: { readonly ids: readonly string[]; readonly count: number };
  /** The hits contain these memories. */
  readonly includes?: readonly string[];
  /** The hits contain none of these memories. */
  readonly excludes?: readonly string[];
  /** The hits may contain these memories, which count for neither `otherTokensMax` nor `only`. */
  readonly mayInclude?: readonly string[];
  /** The hits contain exactly one of these memories. */
  readonly onlyOneOf?: readonly string[];
  /** The hits are exactly these memories, in any order, and perhaps some of `mayInclude`. */
  readonly only?: readonly string[];
  /** Maximum number of tokens of hits that no other expectation names. */
  readonly otherTokensMax?: number;
  /** The hit of memory `id` contains `text`, even if it is an excerpt. */
  readonly excerpt?: { readonly id: string; readonly text: string };
}

/** One question to a namespace of a few memories and noise. */
export interface SearchCase {
  readonly kind: SearchKind;
  readonly name: string;
  readonly part: Part;
  /** The time of the question, in milliseconds since 1970. */
  readonly nowMs: number;
  readonly memories: ReadonlyMap<string, CaseMemory>;
  /** Topics of the noise that could answer the question by accident. */
  readonly avoid: readonly string[];
  readonly query: string;
  readonly budgetTokens: number;
  readonly limit?: number;
  /** Only memories with an event time from `startMs` up to, not including, `endMs`. */
  readonly timeRange?: { readonly startMs: number; readonly endMs: number };
  readonly expect: Expectation;
}

/** A case as its data file has it. Times have the form of RFC 3339. */
interface SearchCaseRecord {
  readonly name: string;
  readonly now?: string;
  readonly memories: Readonly<Record<string, MemoryRecord>>;
  readonly avoid?: readonly string[];
  readonly query: string;
  readonly options?: {
    readonly budgetTokens?: number;
    readonly limit?: number;
    readonly timeRange?: { readonly start: string; readonly end: string };
  };
  readonly expect: Expectation;
}

interface MemoryRecord {
  readonly content: string;
  readonly author?: string;
  readonly eventTime?: string;
  readonly threadId?: string;
  readonly tags?: readonly string[];
  readonly kind?: string;
  readonly memoryType?: MemoryType;
}

/**
 * Reads the cases of a kind.
 *
 * @throws Error when a case expects a memory that it does not have
 */
export function readSearchCases(kind: SearchKind): readonly SearchCase[] {
  const records = readData(kind) as readonly SearchCaseRecord[];
  return records.map((record, position) => {
    const { name, now = defaultNow, memories, avoid = [], query, options = {}, expect } = record;
    const { budgetTokens = defaultBudgetTokens, limit, timeRange } = options;
    const unknown = expectedIds(expect).filter((id) => !Object.hasOwn(memories, id));
    if (unknown.length > 0)
      throw new Error(`${kind}, "${name}": expects unknown memories ${unknown.join(", ")}`);
    return {
      kind,
      name,
      part: partOf(position),
      nowMs: Date.parse(now),
      memories: new Map(Object.entries(memories).map(([id, memory]) => [id, memoryOf(memory)])),
      avoid,
      query,
      budgetTokens,
      ...(limit !== undefined && { limit }),
      ...(timeRange !== undefined && {
        timeRange: { startMs: Date.parse(timeRange.start), endMs: Date.parse(timeRange.end) },
      }),
      expect,
    };
  });
}

/**
 * Returns the part of the case at a position of its data file, counted from 0:
 *
 *     position   0            1            2     3            4            5     …
 *     part       development  development  kept  development  development  kept  …
 *
 * Kept cases check the ranking, so no rule and no parameter of the ranking may come from a kept
 * case. If somebody reads a kept case to plan a change of the ranking, a new case must replace it,
 * with other people, words and situations. The new case is written before any search runs on it.
 * The kept cases of dates, authors, foreign and exact-sets have been replaced like this.
 *
 * A new case goes to the end of its file, so that all other cases keep their parts.
 */
export function partOf(position: number): Part {
  return position % 3 === 2 ? "kept" : "development";
}

/** Parses the data file of a name. */
export function readData(name: string): unknown {
  return JSON.parse(readFileSync(join(everydayFolder, `${name}.json`), "utf8"));
}

/** Returns the ids that an expectation names. */
export function expectedIds(expect: Expectation): readonly string[] {
  const { first, amongFirst, includes, excludes, mayInclude, onlyOneOf, only, excerpt } = expect;
  return [
    ...[first, amongFirst?.ids, includes, excludes, mayInclude, onlyOneOf, only].flatMap(
      (ids) => ids ?? [],
    ),
    ...(excerpt === undefined ? [] : [excerpt.id]),
  ];
}

function memoryOf({ eventTime, ...fields }: MemoryRecord): CaseMemory {
  return {
    ...fields,
    ...(eventTime !== undefined && { eventTime: instantOfMillis(Date.parse(eventTime)) }),
  };
}
