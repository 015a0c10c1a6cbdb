import { randomNumbers } from "../harness/sample-texts.js";

/** The bounds of a 95 % interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const resamples = 10_000;
const seed = 1;
/** The share of the resampled means below the interval, and above it. */
const tail = 0.025;

/**
 * Returns the interval of a mean over questions, by a bootstrap over conversations: draws as many
 * conversations as there are, with repetition, and takes the mean over their questions. Questions
 * about one conversation depend on each other, so resampled questions would give an interval that
 * is too narrow.
 *
 * @param figures One list for each conversation, with the figure of each of its questions.
 */
export function intervalOf(figures: readonly (readonly number[])[]): Interval {
  const random = randomNumbers(seed);
  const conversations = figures.map((one) => ({
    count: one.length,
    sum: one.reduce((sum, figure) => sum + figure, 0),
  }));
  const means = Float64Array.from({ length: resamples }, () => {
    let sum = 0;
    let count = 0;
    for (let draw = 0; draw < conversations.length; draw++) {
      const drawn = conversations[Math.floor(random() * conversations.length)];
      sum += drawn?.sum ?? 0;
      count += drawn?.count ?? 0;
    }
    return sum / count;
  }).sort();
  const at = (share: number) => means[Math.floor(share * (resamples - 1))] ?? Number.NaN;
  return { low: at(tail), high: at(1 - tail) };
}
