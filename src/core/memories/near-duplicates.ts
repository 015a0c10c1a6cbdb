import { type Instant, instantOfMillis } from "../model/instant.js";
import { allTypes, type Memory } from "../model/memory.js";
import type { Namespace } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Calibration } from "../ports/embedder.js";
import type {
  FusedMinimum,
  IndexQuery,
  NamespaceIndex,
  NearestQuery,
  Row,
} from "../ports/search-index.js";
import { readSignalOf } from "../requests/read-signal.js";
import { mayReturn } from "../search/query/result-filter.js";
import { fusedScore } from "../search/query/scores.js";
import { Relevance } from "../search/score/relevance.js";
import { wordSignature } from "../text/near-copy.js";
import { isNearDuplicate, phraseOf } from "../text/near-duplicate.js";
import { type GivenOrMade, type QueryVector, queryVectorFor } from "../vectors/vectors.js";
import type { AddParts, NewMemory } from "./service.js";

/** Minimum relevance of a near-duplicate. */
const nearRelevance = 0.9;

/** Maximum relevance of a near-duplicate that has not the same words in the same order. */
const otherWordsRelevance = 0.99;

/** Maximum number of near-duplicates returned. */
const returnedMax = 3;

/**
 * Number of nearest memories to look at. The search also looks at memories that share words with
 * the text.
 */
const nearestCount = 64;

/**
 * Maximum length of the scored part of a text, in UTF-16 units: the length of the longest query.
 */
const scoredLength = 8192;

/**
 * For a text of at most this length, in UTF-16 units, the search leaves out memories that share few
 * words with the text (`IndexQuery.minimum`). With a longer text, even a copy of it could be left
 * out, because BM25 scores long texts low.
 */
const minimumTextLength = 2048;

/** Maximum number of relevant memories to compare with the text word by word. */
const comparedCount = 256;

/**
 * Maximum length of the contents of all compared memories together, in UTF-16 units. The comparison
 * takes a few milliseconds, in which other calls wait.
 */
const comparedLength = 2 ** 16;

const anyVisible = { includeSuperseded: false, types: allTypes };

/** A near-duplicate: a memory whose content is nearly the same as a text. */
export interface NearDuplicate {
  readonly id: string;
  readonly relevance: number;
}

/**
 * Finds the near-duplicates of a new memory in a namespace, most similar first, at most three.
 * Leaves out the memory that the new memory supersedes. Compares the most relevant memories only.
 *
 * @throws INVALID_ARGUMENT or FAILED_PRECONDITION when the given vector does not fit the namespace.
 */
export function findNearDuplicates(
  { index, embedders }: Pick<AddParts, "index" | "embedders">,
  namespace: Namespace,
  { content: text, supersedes }: Pick<NewMemory, "content" | "supersedes">,
  vectors: GivenOrMade,
  nowMs: number,
  call: Call,
): Promise<readonly NearDuplicate[]> {
  const now = instantOfMillis(nowMs);
  const vector = vectors.given ?? vectors.made.latest;
  const read = (opened: NamespaceIndex, nearest: Int32Array | undefined): NearDuplicate[] => {
    const embedded = { given: vectors.given, made: vectors.made, text };
    const queryVector = queryVectorFor(namespace, opened, embedders, embedded, "embedding");
    const isCallerVector = vectors.given !== undefined;
    const superseded = supersedes === undefined ? undefined : opened.rowOf(supersedes);
    const query = { text, queryVector, isCallerVector, nearest, superseded, now };
    return nearDuplicatesIn(opened, query);
  };
  return index.read(namespace, readSignalOf(call), read, vector && nearestQuery(vector, now));
}

function nearestQuery(vector: Float32Array, now: Instant): NearestQuery {
  return {
    vector,
    count: nearestCount,
    accepts: (index, row) => mayReturn(index, row, anyVisible, now),
  };
}

/** A memory that is relevant enough to a text to be its near-duplicate. */
interface RelevantMemory {
  readonly memory: Memory;
  readonly relevance: number;
  /** Whether the content has the same words in the same order as the text. */
  readonly hasSameWords: boolean;
}

/** A query for near-duplicates of a text. */
interface NearDuplicateQuery {
  readonly text: string;
  readonly queryVector: QueryVector;
  /**
   * Whether the caller gave the vector. Callers may give the same vector with texts that share no
   * word, so memories that share few words are not left out.
   */
  readonly isCallerVector: boolean;
  /** Rows near the vector. `undefined`: the vectors of all rows are compared. */
  readonly nearest: Int32Array | undefined;
  /** Row of the memory that the new memory supersedes; `undefined` if there is none. */
  readonly superseded: Row | undefined;
  readonly now: Instant;
}

/** Finds the near-duplicates in one state of an index. */
function nearDuplicatesIn(
  index: NamespaceIndex,
  { text, queryVector, isCallerVector, nearest, superseded, now }: NearDuplicateQuery,
): NearDuplicate[] {
  const { vector, calibration } = queryVector;
  const hasMinimum = !isCallerVector && text.length <= minimumTextLength;
  const query: IndexQuery = {
    text: text.slice(0, scoredLength),
    isAddedNext: true,
    vector,
    nearest,
    comparesBest: true,
    minimum: hasMinimum ? nearMinimum(calibration) : undefined,
  };
  const candidates = index.candidates(query);
  const { count, rows, keyword, vector: cosines } = candidates;
  const relevances = new Relevance(candidates, queryVector);
  const relevant: RelevantMemory[] = [];
  let textSignature: number | undefined;
  for (let i = 0; i < count; i++) {
    const score = fusedScore(keyword[i] ?? 0, cosines[i] ?? 0, calibration);
    const row = (rows[i] ?? 0) as Row;
    const ofScore = relevances.of(row, score);
    if (ofScore < nearRelevance || row === superseded) continue;
    if (!mayReturn(index, row, anyVisible, now)) continue;
    const entry = index.at(row);
    textSignature ??= wordSignature(text);
    const hasSameWords = entry.wordSignature === textSignature;
    const relevance = hasSameWords ? ofScore : Math.min(ofScore, otherWordsRelevance);
    relevant.push({ memory: entry.memory, relevance, hasSameWords });
  }
  relevant.sort(
    (a, b) =>
      b.relevance - a.relevance ||
      Number(b.hasSameWords) - Number(a.hasSameWords) ||
      (a.memory.id < b.memory.id ? 1 : -1),
  );
  return firstNearDuplicates(text, relevant);
}

/** Returns the fused score that corresponds to `nearRelevance`. */
function nearMinimum(calibration: Calibration): FusedMinimum {
  const { randomScore, paraphraseScore, vectorWeight } = calibration;
  return { score: randomScore + nearRelevance * (paraphraseScore - randomScore), vectorWeight };
}

/** Returns the first near-duplicates of a text among the relevant memories, at most three. */
function firstNearDuplicates(text: string, relevant: readonly RelevantMemory[]): NearDuplicate[] {
  const found: NearDuplicate[] = [];
  if (relevant.length === 0) return found;
  const phrase = phraseOf(text);
  let remaining = comparedLength;
  for (const { memory, relevance } of relevant.slice(0, comparedCount)) {
    if (found.length === returnedMax) break;
    if (memory.content.length > remaining) continue;
    remaining -= memory.content.length;
    if (isNearDuplicate(phrase, memory.content)) found.push({ id: memory.id, relevance });
  }
  return found;
}
