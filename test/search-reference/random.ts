import { randomNumbers } from "../../bench/harness/sample-texts.js";

/** Random choices that depend only on a seed. */
export interface Choices {
  /** Returns a whole number from 0 to `end - 1`. */
  below(end: number): number;
  /** Returns one of the items. Requires: `items` is not empty. */
  one<T>(items: readonly T[]): T;
  /** Returns true with the given probability, 0 to 1. */
  chance(probability: number): boolean;
}

/** Creates random choices. Equal seeds give equal choices. */
export function choicesOf(seed: number): Choices {
  const random = randomNumbers(seed);
  const below = (end: number) => Math.floor(random() * end);
  return {
    below,
    one: <T>(items: readonly T[]) => items[below(items.length)] as T,
    chance: (probability) => random() < probability,
  };
}
