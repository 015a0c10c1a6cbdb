import { type Filter, isUnset } from "../../filter/matcher.js";
import { millisOfInstant } from "../../model/instant.js";
import { typeSetOf } from "../../model/memory.js";
import type { NamespaceIndex, NumberedField, Row } from "../../ports/search-index.js";

/** Whether a row meets a condition; `undefined`: only its record shows that. */
type RowCondition = (row: Row) => boolean | undefined;

/** Makes a condition for one state of an index. */
type Binding<Wanted> = (wanted: Wanted, index: NamespaceIndex) => RowCondition;

/** Does the same as the matchers of `createMatcher`, from the traits of rows. */
const bindings: {
  readonly [Name in keyof Filter]-?: Binding<NonNullable<Filter[Name]>> | undefined;
} = {
  memoryTypes: (types, { traits }) => {
    const set = typeSetOf(types);
    return (row) => traits.isOfType(row, set);
  },
  // Only the other status has a number.
  status: (status, index) => hasText(index, "status", status === "ACTIVE" ? undefined : status),
  kinds: (kinds, { traits }) => {
    const { numbers } = traits.texts.kind;
    const wanted = new Set(kinds.flatMap((kind) => traits.texts.kind.numberOf(kind) ?? []));
    return (row) => wanted.has(numbers[row] ?? 0);
  },
  tagsAny: (wanted, index) => hasTags(index, (tags) => wanted.some((tag) => tags.includes(tag))),
  tagsAll: (wanted, index) => hasTags(index, (tags) => wanted.every((tag) => tags.includes(tag))),
  importanceMin:
    (least, { traits }) =>
    (row) =>
      traits.importance(row) >= least,
  source: (source, index) => hasText(index, "source", source),
  author: (author, index) => {
    const wanted = index.authorNumber(author);
    const { authorNumbers } = index.traits;
    return (row) => wanted !== undefined && authorNumbers[row] === wanted;
  },
  threadId: (threadId, index) => hasText(index, "threadId", threadId),
  externalId:
    (externalId, { traits }) =>
    (row) =>
      traits.mayHaveExternalId(row, externalId) ? undefined : false,
  timeRange: ({ start, end }, { traits }) => {
    const [startMs, endMs] = [start && millisOfInstant(start), end && millisOfInstant(end)];
    return (row) => {
      const ms = traits.happenedMs(row);
      if (startMs !== undefined && ms < startMs) return false;
      if (endMs !== undefined && ms > endMs) return false;
      // Different instants can have the same milliseconds.
      return ms === startMs || ms === endMs ? undefined : true;
    };
  },
  metadata: undefined,
  contentContains: undefined,
  expression: undefined,
};

function hasText(
  { traits }: NamespaceIndex,
  field: NumberedField,
  text: string | undefined,
): RowCondition {
  const { numbers } = traits.texts[field];
  const wanted = text === undefined ? 0 : traits.texts[field].numberOf(text);
  return (row) => (numbers[row] ?? 0) === wanted;
}

function hasTags(
  { traits }: NamespaceIndex,
  accepts: (tags: readonly string[]) => boolean,
): RowCondition {
  const { tags } = traits.texts;
  const { numbers } = tags;
  const results: (boolean | undefined)[] = [accepts([])];
  return (row) => {
    const number = numbers[row] ?? 0;
    const known = results[number];
    if (known !== undefined) return known;
    const result = accepts(JSON.parse(tags.at(number)) as readonly string[]);
    results[number] = result;
    return result;
  };
}

/**
 * Returns a function that says whether the memory of a row passes filters. Reads the record of a
 * row only if its traits do not decide.
 *
 * @param recordPasses whether the record of a row passes all filters
 */
export function rowFilterOf(
  filters: readonly Filter[],
  recordPasses: (index: NamespaceIndex, row: Row) => boolean,
): (index: NamespaceIndex, row: Row) => boolean {
  const wanted = filters.flatMap((filter) =>
    (Object.keys(filter) as (keyof Filter)[])
      .filter((name) => !isUnset(filter[name]))
      .map((name) => [filter, name] as const),
  );
  const bound = wanted.filter(([, name]) => bindings[name] !== undefined);
  const needsRecord = bound.length < wanted.length;
  let known: { readonly index: NamespaceIndex; readonly contentSeq: number } | undefined;
  let conditions: readonly RowCondition[] = [];
  return (index, row) => {
    const { contentSeq } = index;
    if (known?.index !== index || known.contentSeq !== contentSeq) {
      known = { index, contentSeq };
      conditions = bound.map(([filter, name]) => bind(filter, name, index));
    }
    let isDecided = !needsRecord;
    for (const condition of conditions) {
      const isMet = condition(row);
      if (isMet === false) return false;
      if (isMet === undefined) isDecided = false;
    }
    return isDecided || recordPasses(index, row);
  };
}

function bind<Name extends keyof Filter>(
  filter: Filter,
  name: Name,
  index: NamespaceIndex,
): RowCondition {
  const binding = bindings[name] as Binding<NonNullable<Filter[Name]>>;
  return binding(filter[name] as NonNullable<Filter[Name]>, index);
}
