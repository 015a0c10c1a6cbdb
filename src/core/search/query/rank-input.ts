import { type Instant, instantOfMillis, millisOfInstant } from "../../model/instant.js";
import type { TimeZone } from "../../model/time-zone.js";
import type { Clock } from "../../ports/clock.js";
import type { Embedders } from "../../ports/embedder.js";
import type { NamespaceIndex } from "../../ports/search-index.js";
import type { DayRange } from "../../text/times/day-ranges.js";
import type { TextVectors } from "../../vectors/text-vectors.js";
import { noQueryVector, type QueryVector, queryVectorFor } from "../../vectors/vectors.js";
import { findAuthors } from "./author.js";
import { findDates } from "./date.js";
import type { ResultFilter } from "./result-filter.js";
import { type SignalWeights, signalWeights } from "./scores.js";
import { matchesAll, type SearchQuery } from "./search.js";

/** The authors and the dates that a query names. */
export interface Hints {
  readonly authors: readonly string[];
  /** See `NamedAuthors.isOnlyAboutThem`. */
  readonly isOnlyAboutAuthors: boolean;
  /** See `NamedAuthors.asksWhatTheySaid`. */
  readonly asksWhatAuthorsSaid: boolean;
  /** The only author named; `undefined` if the query names none or several. */
  readonly author: string | undefined;
  readonly dates: readonly DayRange[];
}

/** Everything that ranking reads besides the index. */
export interface RankInput extends QueryVector {
  readonly query: Pick<
    SearchQuery,
    "query" | "queryEmbedding" | "order" | "minRelevance" | "gate" | "weights"
  >;
  /** Rows near the vector. `undefined`: every row's vector is compared. */
  readonly nearest: Int32Array | undefined;
  readonly hints: Hints;
  readonly signals: SignalWeights;
  readonly resultFilter: ResultFilter;
  /** The current time, for expiry. */
  readonly now: Instant;
  /** The time that recency and relative dates count from, in milliseconds since 1970. */
  readonly referenceMs: number;
  /** The time zone in which days count. */
  readonly timeZone: TimeZone;
}

/**
 * Finds the hints in a query.
 *
 * @param index Has the authors of the namespace.
 * @param today The day that relative dates count from, as a number since 1970.
 */
export function findHints(
  query: string,
  index: Pick<NamespaceIndex, "authors" | "nameTerms">,
  today: number,
): Hints {
  const termsOf = (word: string) => index.nameTerms(word);
  const found = findAuthors(query, index.authors, termsOf);
  const { authors } = found;
  return {
    authors,
    isOnlyAboutAuthors: found.isOnlyAboutThem,
    asksWhatAuthorsSaid: found.asksWhatTheySaid,
    author: authors.length === 1 ? authors[0] : undefined,
    dates: findDates(query, today),
  };
}

/**
 * Builds the input for ranking one state of an index.
 *
 * @throws the errors of `queryVectorFor`.
 */
export function buildRankInput(
  { embedders, clock }: { readonly embedders: Embedders; readonly clock: Clock },
  search: {
    readonly query: SearchQuery;
    readonly resultFilter: ResultFilter;
    /** The vectors that the server made of the query's text. */
    readonly vectors: TextVectors;
    readonly index: NamespaceIndex;
    readonly nearest: Int32Array | undefined;
    readonly timeZone: TimeZone;
  },
): RankInput {
  const { query, resultFilter, vectors: made, index, nearest, timeZone } = search;
  const { namespace, query: text, queryEmbedding: given, referenceTime } = query;
  const queryVector = matchesAll(query)
    ? noQueryVector(text)
    : queryVectorFor(namespace, index, embedders, { text, given, made }, "query_embedding");
  const nowMs = clock.nowMs();
  const referenceMs = referenceTime === undefined ? nowMs : millisOfInstant(referenceTime);
  const { vector, calibration, vectorShare, defaultFloor, weakLevel, sameVectorRelevance } =
    queryVector;
  // A spread would cost more than the rest of this function.
  return {
    vector,
    calibration,
    vectorShare,
    defaultFloor,
    weakLevel,
    sameVectorRelevance,
    keywordsOnlyReason: queryVector.keywordsOnlyReason,
    query,
    nearest,
    hints: findHints(text, index, timeZone.dayOf(referenceMs)),
    signals: signalWeights,
    resultFilter,
    now: instantOfMillis(nowMs),
    referenceMs,
    timeZone,
  };
}
