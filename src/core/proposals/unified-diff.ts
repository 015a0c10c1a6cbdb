import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";
import { visibleText } from "../text/visible-text.js";

/** Lines of context around a change. */
const contextLines = 3;

/**
 * Maximum number of differing lines that the diff library compares, both sides together. The
 * library's time grows with the square of this number.
 */
const changedLinesMax = 200;

/** Maximum number of lines from the first change to the last that the diff library compares. */
const comparedLinesMax = 1000;

/**
 * Returns the unified diff of two texts. Applying the diff to the old text gives exactly the new
 * text. `oldName` and `newName` take the place of file names.
 *
 * If too many lines differ, comparing them would take long. Then the diff replaces all lines from
 * the first change to the last.
 */
export function unifiedDiff(
  oldText: string,
  newText: string,
  oldName: string,
  newName: string,
): string {
  const change = changeOf(oldText, newText);
  return (
    compareLines(change, oldName, newName) ??
    `--- ${oldName}\n+++ ${newName}\n${replaceAllLines(change)}`
  );
}

/** Maximum size of a diff that callers get, in bytes of JSON. */
const diffMaxBytes = 1024 * 1024;

/**
 * Returns a diff as an approver gets it: characters that hide, or change the order of others, are
 * visible escapes (`visibleText`). More than 1 MiB, as JSON, is cut after a line.
 */
export function shownDiff(diff: string): { readonly diff: string; readonly truncated: boolean } {
  const visible = visibleText(diff);
  let cut = visible;
  while (Buffer.byteLength(JSON.stringify(cut)) > diffMaxBytes)
    cut = cut.slice(0, cut.lastIndexOf("\n", Math.floor(cut.length * 0.9) - 1) + 1);
  return { diff: cut, truncated: cut !== visible };
}

/** The lines from the first change to the last, with the lines around them. */
interface Change {
  /** Number of lines before `head`. */
  readonly linesBefore: number;
  /** The lines of context before the first change. Both texts have them. */
  readonly head: string;
  /** The lines of context after the last change. Both texts have them. */
  readonly tail: string;
  readonly removed: string;
  readonly added: string;
}

function changeOf(oldText: string, newText: string): Change {
  const length = Math.min(oldText.length, newText.length);
  let same = 0;
  while (same < length && oldText.charCodeAt(same) === newText.charCodeAt(same)) same++;
  const start = same === 0 ? 0 : oldText.lastIndexOf("\n", same - 1) + 1;
  const headStart = lineStartBefore(oldText, start, contextLines);
  const sameBehind = sameLinesBehind(oldText, newText, length - start);
  const oldEnd = oldText.length - sameBehind;
  return {
    linesBefore: lineCount(oldText.slice(0, headStart)),
    head: oldText.slice(headStart, start),
    tail: oldText.slice(oldEnd, lineStartBehind(oldText, oldEnd, contextLines)),
    removed: oldText.slice(start, oldEnd),
    added: newText.slice(start, newText.length - sameBehind),
  };
}

/** Returns the length of the longest common suffix of whole lines, at most `max`. */
function sameLinesBehind(oldText: string, newText: string, max: number): number {
  let same = 0;
  while (
    same < max &&
    oldText.charCodeAt(oldText.length - 1 - same) === newText.charCodeAt(newText.length - 1 - same)
  )
    same++;
  if (isLineStart(oldText, oldText.length - same) && isLineStart(newText, newText.length - same))
    return same;
  const lineEnd = oldText.indexOf("\n", oldText.length - same);
  return lineEnd === -1 ? 0 : oldText.length - lineEnd - 1;
}

function isLineStart(text: string, position: number): boolean {
  return position === 0 || text.charAt(position - 1) === "\n";
}

/** Returns the start of the line that lies `lines` lines before the line at `position`. */
function lineStartBefore(text: string, position: number, lines: number): number {
  let start = position;
  for (let i = 0; i < lines && start > 0; i++)
    start = start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  return start;
}

function lineStartBehind(text: string, position: number, lines: number): number {
  let start = position;
  for (let i = 0; i < lines && start < text.length; i++)
    start = text.indexOf("\n", start) + 1 || text.length;
  return start;
}

function lineCount(text: string): number {
  let count = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Returns the diff of the library. `undefined`: too many lines differ. */
function compareLines(
  { linesBefore, head, removed, added, tail }: Change,
  oldName: string,
  newName: string,
): string | undefined {
  if (Math.max(lineCount(removed), lineCount(added)) > comparedLinesMax) return undefined;
  const options = { context: contextLines, maxEditLength: changedLinesMax };
  const patch = structuredPatch(
    oldName,
    newName,
    head + removed + tail,
    head + added + tail,
    undefined,
    undefined,
    options,
  );
  if (patch === undefined) return undefined;
  const hunks = patch.hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + linesBefore,
    newStart: hunk.newStart + linesBefore,
  }));
  return formatPatch({ ...patch, hunks }, FILE_HEADERS_ONLY);
}

/** Returns one hunk. Works on whole texts, because lists of lines take several times as long. */
function replaceAllLines({ linesBefore, head, removed, added, tail }: Change): string {
  const same = lineCount(head) + lineCount(tail);
  const range = (lines: number): string =>
    `${lines === 0 ? linesBefore : linesBefore + 1},${lines}`;
  const ranges = `@@ -${range(same + lineCount(removed))} +${range(same + lineCount(added))} @@\n`;
  return (
    ranges +
    prefixLines(" ", head) +
    prefixLines("-", removed) +
    prefixLines("+", added) +
    prefixLines(" ", tail)
  );
}

function prefixLines(mark: string, lines: string): string {
  if (lines === "") return "";
  const isOpen = !lines.endsWith("\n");
  const text = isOpen ? lines : lines.slice(0, -1);
  const ending = isOpen ? "\\ No newline at end of file\n" : "";
  return `${mark}${text.replaceAll("\n", `\n${mark}`)}\n${ending}`;
}
