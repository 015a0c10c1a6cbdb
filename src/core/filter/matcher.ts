import { isDeepStrictEqual } from "node:util";
import { compareInstants, type Instant } from "../model/instant.js";
import type { JsonObject } from "../model/json.js";
import { happenedAt, type Memory, type MemoryStatus, type MemoryType } from "../model/memory.js";
import { foldCase } from "../text/fold-case.js";
import type { Expression } from "./expression.js";

/**
 * Selects the memories of an operation. A memory passes if it meets every condition. Every memory
 * meets an absent or empty condition. `filter.proto` documents the conditions.
 */
export interface Filter {
  readonly metadata?: JsonObject;
  readonly tagsAny?: readonly string[];
  readonly tagsAll?: readonly string[];
  readonly memoryTypes?: readonly MemoryType[];
  readonly kinds?: readonly string[];
  /** Includes `start` and excludes `end`. */
  readonly timeRange?: { readonly start?: Instant; readonly end?: Instant };
  readonly importanceMin?: number;
  readonly source?: string;
  readonly status?: MemoryStatus;
  readonly author?: string;
  readonly threadId?: string;
  readonly externalId?: string;
  /** Compared by `foldCase`. */
  readonly contentContains?: string;
  /** A CEL expression. */
  readonly expression?: string;
}

/** Returns whether a memory passes a filter. */
export type Matcher = (memory: Memory) => boolean;

/** What each condition may be. */
type Conditions = Required<Filter>;

/**
 * How to evaluate each condition, from the cheapest to the most expensive: fields, then metadata,
 * then the content, then the expression. A condition without an entry does not compile.
 */
const matcherOf: {
  readonly [Name in keyof Conditions]: (
    wanted: Conditions[Name],
    compileExpression: (source: string) => Expression,
  ) => Matcher;
} = {
  memoryTypes: (types) => (memory) => types.includes(memory.memoryType),
  status: (status) => (memory) => memory.status === status,
  kinds: (kinds) => (memory) => memory.kind !== undefined && kinds.includes(memory.kind),
  tagsAny: (tags) => (memory) => tags.some((tag) => memory.tags.includes(tag)),
  tagsAll: (tags) => (memory) => tags.every((tag) => memory.tags.includes(tag)),
  importanceMin: (least) => (memory) => memory.importance >= least,
  source: (source) => (memory) => memory.source === source,
  author: (author) => (memory) => memory.author === author,
  threadId: (threadId) => (memory) => memory.threadId === threadId,
  externalId: (externalId) => (memory) => memory.externalId === externalId,
  timeRange: (range) => (memory) => isInside(range, memory),
  metadata: (wanted) => (memory) => includesAll(memory.metadata, wanted),
  contentContains: (text) => {
    const part = foldCase(text);
    return (memory) => foldCase(memory.content).includes(part);
  },
  expression: (source, compileExpression) => {
    const compiled = compileExpression(source);
    return (memory) => compiled.matches(memory);
  },
};

/**
 * Compiles a filter. Search, GetAll, Count and DeleteWhere all evaluate filters with this function.
 *
 * @returns The matcher. It throws INVALID_ARGUMENT (FILTER_TOO_EXPENSIVE) when `Expression.matches`
 *   throws it.
 * @throws INVALID_ARGUMENT (INVALID_EXPRESSION) when the expression is not valid.
 */
export function createMatcher(
  filter: Filter,
  compileExpression: (source: string) => Expression,
): Matcher {
  const compile = <Name extends keyof Conditions>(name: Name): Matcher | undefined => {
    const wanted = filter[name];
    if (isUnset(wanted)) return undefined;
    return matcherOf[name](wanted as Conditions[Name], compileExpression);
  };
  const conditions = (Object.keys(matcherOf) as (keyof Conditions)[])
    .map((name) => compile(name))
    .filter((condition) => condition !== undefined);
  return (memory) => conditions.every((isMet) => isMet(memory));
}

/** Whether a filter has no conditions, so that every memory passes. */
export function isEmptyFilter(filter: Filter): boolean {
  return Object.values(filter).every(isUnset);
}

/** Whether a value of a filter is no condition. */
export function isUnset(value: unknown): boolean {
  return (
    value === undefined ||
    (typeof value === "object" && value !== null && Object.keys(value).length === 0)
  );
}

function isInside({ start, end }: NonNullable<Filter["timeRange"]>, memory: Memory): boolean {
  const time = happenedAt(memory);
  return (
    (start === undefined || compareInstants(time, start) >= 0) &&
    (end === undefined || compareInstants(time, end) < 0)
  );
}

function includesAll(metadata: JsonObject = {}, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(
    ([key, value]) => Object.hasOwn(metadata, key) && isDeepStrictEqual(metadata[key], value),
  );
}
