import { millisOfInstant } from "../../src/core/model/instant.js";
import type { TokenCounter } from "../../src/core/ports/token-counter.js";
import type { SearchCase } from "./cases.js";
import type { Hit } from "./judge.js";

/** The parameters of BM25 that most libraries have as defaults. */
const k1 = 1.2;
const b = 0.75;

/** A text to rank. */
interface Document {
  readonly id: string | undefined;
  readonly content: string;
}

/**
 * Answers a case by plain BM25: words in small letters, no stemming, no stop words, no vectors.
 * Applies the filter of the case, and packs whole memories into the budget, best first.
 */
export function answerByPlainBm25(
  { memories, query, budgetTokens, limit = Number.POSITIVE_INFINITY, timeRange }: SearchCase,
  noise: readonly string[],
  tokens: TokenCounter,
): readonly Hit[] {
  const documents: Document[] = [...memories].flatMap(([id, { content, eventTime }]) => {
    if (timeRange === undefined) return [{ id, content }];
    const ms = eventTime === undefined ? Number.NaN : millisOfInstant(eventTime);
    return ms >= timeRange.startMs && ms < timeRange.endMs ? [{ id, content }] : [];
  });
  if (timeRange === undefined)
    documents.push(...noise.map((content) => ({ id: undefined, content })));
  const hits: Hit[] = [];
  let left = budgetTokens;
  for (const { id, content } of rankByBm25(documents, query)) {
    const count = tokens.count(content);
    if (count > left || hits.length >= limit) continue;
    left -= count;
    hits.push({ id, content, tokens: count });
  }
  return hits;
}

/** Returns the documents that share a word with the query, best first. */
export function rankByBm25<D extends { readonly content: string }>(
  documents: readonly D[],
  query: string,
): readonly D[] {
  const counts = documents.map(({ content }) => countsOf(wordsOf(content)));
  const lengths = counts.map((words) => [...words.values()].reduce((sum, count) => sum + count, 0));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / documents.length;
  const idf = new Map(
    wordsOf(query).map((word) => {
      const having = counts.filter((words) => words.has(word)).length;
      return [word, Math.log(1 + (documents.length - having + 0.5) / (having + 0.5))];
    }),
  );
  const scoreOf = (at: number) => {
    const length = (lengths[at] ?? 0) / meanLength;
    return [...idf].reduce((sum, [word, weight]) => {
      const count = counts[at]?.get(word) ?? 0;
      return sum + (weight * count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
    }, 0);
  };
  return documents
    .map((document, at) => ({ document, score: scoreOf(at) }))
    .filter(({ score }) => score > 0)
    .toSorted((x, y) => y.score - x.score)
    .map(({ document }) => document);
}

/** Returns the words of a text in small letters. Chinese and Japanese give pairs of characters. */
function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).flatMap((word) =>
    /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u.test(word) && word.length > 1
      ? Array.from(word)
          .slice(1)
          .map((character, at) => `${Array.from(word)[at]}${character}`)
      : [word],
  );
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
