import { createHash } from "node:crypto";
import { readData, type SearchCase } from "./cases.js";

/** An everyday memory that answers no question of a case, except by accident. */
export interface Noise {
  readonly topic: string;
  readonly content: string;
}

/** Number of noise memories in the namespace of a case. */
export const noisePerCase = 60;

/** Reads the pool of noise, which all cases share. */
export function readNoise(): readonly Noise[] {
  return readData("noise") as readonly Noise[];
}

/**
 * Selects the noise of a case: the same in each run, without the topics that the case avoids.
 *
 * @throws Error when the case avoids a topic that the pool does not have
 */
export function selectNoise(
  pool: readonly Noise[],
  { kind, name, avoid }: Pick<SearchCase, "kind" | "name" | "avoid">,
): readonly string[] {
  const topics = new Set(pool.map(({ topic }) => topic));
  const unknown = avoid.filter((topic) => !topics.has(topic));
  if (unknown.length > 0)
    throw new Error(`${kind}, "${name}": avoids unknown topics ${unknown.join(", ")}`);
  return pool
    .filter(({ topic }) => !avoid.includes(topic))
    .map(({ content }) => ({ content, rank: digestOf(`${kind}\n${name}\n${content}`) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, noisePerCase)
    .map(({ content }) => content);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
