import { type ChangeObject, diffWordsWithSpace, parsePatch } from "diff";
import type { Colours, Style } from "../colours.js";
import { printable } from "../printable.js";

/** Longest time for the comparison of two texts. A slower one shows the whole texts. */
const timeoutMs = 500;

const words = new Intl.Segmenter(undefined, { granularity: "word" });

/** Characters of unchanged text that a shortened line shows on each side of a change. */
const keptCharacters = 100;

/**
 * Formats a unified diff for a person: each part with its lines of context, and the changed words
 * inside of the lines. Without colours, removed words are in `[-…-]` and added words in `{+…+}`.
 * Hidden characters are visible.
 *
 * @param isShort whether to cut long unchanged parts of a line. Default false
 */
export function patchText(unified: string, colours: Colours, isShort = false): string[] {
  const hunks = parsePatch(unified).flatMap((patch) => patch.hunks);
  return hunks.flatMap(({ lines, oldStart }, at) => {
    const side = (sign: string) =>
      lines
        .filter((line) => line.startsWith(" ") || line.startsWith(sign))
        .map((line) => line.slice(1))
        .join("\n");
    const changed = wordDiff(side("-"), side("+"), colours, isShort);
    return [...(at > 0 || oldStart > 1 ? [colours.paint("dim", "⋯")] : []), ...changed];
  });
}

/**
 * Compares two texts word by word, and returns the lines of both in one text.
 *
 * @param isShort whether to cut long unchanged parts of a line. Default false
 */
export function wordDiff(
  before: string,
  after: string,
  colours: Colours,
  isShort = false,
): string[] {
  const found: ChangeObject<string>[] | undefined = diffWordsWithSpace(before, after, {
    intlSegmenter: words,
    timeout: timeoutMs,
  });
  const parts = found ?? [
    { value: before, removed: true, added: false, count: 1 },
    { value: after, removed: false, added: true, count: 1 },
  ];
  return parts
    .map(({ value, removed, added }) =>
      removed
        ? mark(value, "red", ["[-", "-]"], colours)
        : added
          ? mark(value, "green", ["{+", "+}"], colours)
          : printable(isShort ? shortened(value) : value),
    )
    .join("")
    .split("\n");
}

/** Cuts the middle out of each long line of an unchanged text. */
function shortened(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      const characters = Array.from(line);
      if (characters.length <= 2 * keptCharacters) return line;
      const [start, end] = [characters.slice(0, keptCharacters), characters.slice(-keptCharacters)];
      return `${start.join("")} […] ${end.join("")}`;
    })
    .join("\n");
}

/** Marks a text. Each of its lines has marks of its own. */
function mark(
  text: string,
  style: Style,
  [open, close]: readonly [string, string],
  colours: Colours,
): string {
  const marked = (line: string) =>
    colours.areOn ? colours.paint(style, line) : `${open}${line}${close}`;
  return printable(text)
    .split("\n")
    .map((line) => (line === "" ? line : marked(line)))
    .join("\n");
}
