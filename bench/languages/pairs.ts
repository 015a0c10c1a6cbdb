import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A memory and a question that it answers, in one language. */
export interface Pair {
  readonly memory: string;
  readonly question: string;
  /**
   * Parts of the memory: what the question names, and the answer. A text with all of these parts
   * answers the question.
   */
  readonly answer: readonly string[];
}

/** Reads the pairs of each language. */
export function readPairs(): Readonly<Record<string, readonly Pair[]>> {
  return JSON.parse(readFileSync(join("bench", "data", "languages.json"), "utf8")) as Readonly<
    Record<string, readonly Pair[]>
  >;
}

/**
 * Joins the first half of each text with the second half of each of the other texts. Texts are cut
 * between words, or between characters when the language has no spaces.
 */
export function splices(texts: readonly string[]): readonly string[] {
  const halves = texts.map((text) => {
    const space = text.includes(" ") ? " " : "";
    const parts = text.split(space);
    const middle = Math.ceil(parts.length / 2);
    return {
      first: parts.slice(0, middle).join(space) + space,
      second: parts.slice(middle).join(space),
    };
  });
  return halves.flatMap(({ first }, i) =>
    halves.flatMap(({ second }, j) => (i === j ? [] : [first + second])),
  );
}
