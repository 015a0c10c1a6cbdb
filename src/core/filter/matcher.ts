import { isDeepStrictEqual } from "node:util";
import { compareInstants } from "../model/instant.js";
import type { JsonObject } from "../model/json.js";
import { happenedAt, type Memory } from "../model/memory.js";
import type { Expression } from "./expression.js";
import type { Filter } from "./filter.js";

/** Returns whether a memory passes a filter. */
export type Matcher = (memory: Memory) => boolean;

/**
 * Compiles a filter. Search, GetAll and DeleteWhere all evaluate filters with this function.
 *
 * The matcher evaluates cheap conditions first: fields, then metadata, then the expression.
 *
 * @returns The matcher. It throws INVALID_ARGUMENT (FILTER_TOO_EXPENSIVE) when `Expression.matches`
 *   throws it.
 * @throws INVALID_ARGUMENT (INVALID_EXPRESSION) when the expression is not valid.
 */
export function createMatcher(
  filter: Filter,
  compileExpression: (source: string) => Expression,
): Matcher {
  const conditions: Matcher[] = [];
  const {
    metadata,
    tagsAny,
    tagsAll,
    memoryTypes,
    kinds,
    timeRange,
    importanceMin,
    source,
    status,
    author,
    threadId,
    expression,
  } = filter;
  if (memoryTypes?.length) conditions.push((memory) => memoryTypes.includes(memory.memoryType));
  if (status !== undefined) conditions.push((memory) => memory.status === status);
  if (kinds?.length)
    conditions.push((memory) => memory.kind !== undefined && kinds.includes(memory.kind));
  if (tagsAny?.length)
    conditions.push((memory) => tagsAny.some((tag) => memory.tags.includes(tag)));
  if (tagsAll?.length)
    conditions.push((memory) => tagsAll.every((tag) => memory.tags.includes(tag)));
  if (importanceMin !== undefined) conditions.push((memory) => memory.importance >= importanceMin);
  if (source !== undefined) conditions.push((memory) => memory.source === source);
  if (author !== undefined) conditions.push((memory) => memory.author === author);
  if (threadId !== undefined) conditions.push((memory) => memory.threadId === threadId);
  if (timeRange !== undefined) conditions.push((memory) => isInside(timeRange, memory));
  if (metadata !== undefined) conditions.push((memory) => includesAll(memory.metadata, metadata));
  if (expression !== undefined) {
    const compiled = compileExpression(expression);
    conditions.push((memory) => compiled.matches(memory));
  }
  return (memory) => conditions.every((isMet) => isMet(memory));
}

/** Whether a filter has no conditions, so that every memory passes. */
export function isEmptyFilter(filter: Filter): boolean {
  return Object.values(filter).every(
    (value) =>
      value === undefined || (typeof value === "object" && Object.keys(value).length === 0),
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
