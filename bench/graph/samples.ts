import { join } from "node:path";
import { openStaticEmbedder } from "../../src/embed/static/static-embedder.js";
import { randomNumbers, sampleQueries, sampleTexts } from "../harness/sample-texts.js";

/** Vectors of unit length, and others that ask for the nearest of them. */
export interface Sample {
  readonly name: string;
  readonly vectors: readonly Float32Array[];
  readonly queries: readonly Float32Array[];
}

const topics = 1_000;
const wordsOnTopic = 15;
const topicWords = 30;

/** Texts that are each about one of a thousand topics, as memories are about people and things: half of the words are its own. With the vectors of the bundled model; the queries are seven words of other texts. */
export async function topicSample(count: number, queryCount: number): Promise<Sample> {
  const random = randomNumbers(7);
  // Rare words, as the first ones of a text are mostly frequent.
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

/** Vectors in any direction: the worst that a graph can meet, and nothing that texts come to. */
export function randomSample(count: number, queryCount: number, dimension: number): Sample {
  const random = randomNumbers(3);
  // The sum of three has about the shape of a bell, without which the corners of a cube would stand out.
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
