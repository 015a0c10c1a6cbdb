import { join } from "node:path";
import { openStaticEmbedder } from "../../src/embed/static/static-embedder.js";
import { randomNumbers, sampleQueries, sampleTexts } from "../harness/sample-texts.js";

/** Unit vectors, and query vectors. The benchmark searches the vectors nearest to each query. */
export interface Sample {
  readonly name: string;
  readonly vectors: readonly Float32Array[];
  readonly queries: readonly Float32Array[];
}

const topics = 1_000;
const wordsOnTopic = 15;
const topicWords = 30;

/**
 * Makes texts about a thousand topics, as memories are about people and things: half of a text's
 * words belong to its topic. The vectors come from the bundled model. A query is seven words of
 * another text.
 */
export async function topicSample(count: number, queryCount: number): Promise<Sample> {
  const random = randomNumbers(7);
  // The words of topics come from a set of distinct words. Most of them are rare, because each
  // frequent word is in the set only once.
  const words = [...new Set(sampleTexts(20_000, 8).flatMap((text) => text.split(" ")))];
  const word = () => words[Math.floor(random() * words.length)] ?? "";
  const lexicons = Array.from({ length: topics }, () => Array.from({ length: topicWords }, word));
  const texts = sampleTexts(count + queryCount, 9).map((text) => {
    const lexicon = lexicons[Math.floor(random() * topics)] ?? [];
    const own = Array.from(
      { length: wordsOnTopic },
      () => lexicon[Math.floor(random() * topicWords)] ?? "",
    );
    const others = text.split(" ").slice(0, wordsOnTopic);
    return own.flatMap((ownWord, i) => [ownWord, others[i] ?? ""]).join(" ");
  });
  const embedder = await openStaticEmbedder({ folder: join("models", "static-256") });
  const { signal } = new AbortController();
  const vectors = await embedder.embed(texts.slice(0, count), signal);
  const queries = await embedder.embed(sampleQueries(texts.slice(count), 2), signal);
  return {
    name: "texts on a thousand topics",
    vectors: vectors.map(unit),
    queries: queries.map(unit),
  };
}

/** Makes vectors in random directions: the worst case for a graph, which texts never produce. */
export function randomSample(count: number, queryCount: number, dimension: number): Sample {
  const random = randomNumbers(3);
  // A sum of three numbers approximates a normal distribution. Single numbers would favour the
  // corners of a cube.
  const vectors = Array.from({ length: count + queryCount }, () =>
    unit(Float32Array.from({ length: dimension }, () => random() + random() + random() - 1.5)),
  );
  return {
    name: "any directions",
    vectors: vectors.slice(0, count),
    queries: vectors.slice(count),
  };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}
