import { randomNumbers } from "../../bench/harness/sample-texts.js";

/** Choices that depend on a seed alone. */
export interface Choices {
  /** Returns a whole number from 0 to `end - 1`. */
  below(end: number): number;
  /** Returns one of the items. Requires: there is one. */
  one<T>(items: readonly T[]): T;
  /** Returns true with a probability. */
  chance(probability: number): boolean;
}

/** Creates choices. The same seed makes the same choices. */
export function choicesOf(seed: number): Choices {
  const random = randomNumbers(seed);
  const below = (end: number) => Math.floor(random() * end);
  return {
    below,
    one: <T>(items: readonly T[]) => items[below(items.length)] as T,
    chance: (probability) => random() < probability,
  };
}
