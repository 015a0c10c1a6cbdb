import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";

/** Lines around a change. */
const contextLines = 3;

/** Up to this many lines that differ, counted on both sides, the library looks for the shortest difference: its time grows with their square. */
const mostChangedLines = 200;

/** Up to this many lines from the first change to the last, on one side, it is asked at all. */
const mostComparedLines = 1000;

/**
 * The unified diff of two texts. Applied to the old text it gives the new one, exactly. Names stand where those of files would.
 * Where more lines differ than can be compared in a few milliseconds it replaces all from the first change to the last.
 */
export function unifiedDiff(
  oldText: string,
  newText: string,
  oldName: string,
  newName: string,
): string {
  const change = changeOf(oldText, newText);
  return (
    comparedLines(change, oldName, newName) ??
    `--- ${oldName}\n+++ ${newName}\n${replacedWhole(change)}`
  );
}

/** The whole lines from the first change to the last, with those around them. */
interface Change {
  /** Number of lines before all of these. */
  readonly linesBefore: number;
  /** Lines that are the same in both texts, before the first change and behind the last. */
  readonly head: string;
  readonly tail: string;
  readonly removed: string;
  readonly added: string;
}

function changeOf(oldText: string, newText: string): Change {
  const most = Math.min(oldText.length, newText.length);
  let same = 0;
  while (same < most && oldText.charCodeAt(same) === newText.charCodeAt(same)) same++;
  const start = same === 0 ? 0 : oldText.lastIndexOf("\n", same - 1) + 1;
  const headStart = lineStartBefore(oldText, start, contextLines);
  const sameBehind = sameLinesBehind(oldText, newText, most - start);
  const oldEnd = oldText.length - sameBehind;
  return {
    linesBefore: lineCount(oldText.slice(0, headStart)),
    head: oldText.slice(headStart, start),
    tail: oldText.slice(oldEnd, lineStartBehind(oldText, oldEnd, contextLines)),
    removed: oldText.slice(start, oldEnd),
    added: newText.slice(start, newText.length - sameBehind),
  };
}

/** How many characters of whole lines two texts end with alike, at most `most`. */
function sameLinesBehind(oldText: string, newText: string, most: number): number {
  let same = 0;
  while (
    same < most &&
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

/** Where the line begins that lies so many lines before the one that begins at a position. */
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

/** What the library finds; `undefined`: too much differs. */
function comparedLines(
  { linesBefore, head, removed, added, tail }: Change,
  oldName: string,
  newName: string,
): string | undefined {
  if (Math.max(lineCount(removed), lineCount(added)) > mostComparedLines) return undefined;
  const options = { context: contextLines, maxEditLength: mostChangedLines };
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

/** One hunk, put together from whole texts: with lists of so many lines it takes several times as long. */
function replacedWhole({ linesBefore, head, removed, added, tail }: Change): string {
  const same = lineCount(head) + lineCount(tail);
  const range = (lines: number): string =>
    `${lines === 0 ? linesBefore : linesBefore + 1},${lines}`;
  const ranges = `@@ -${range(same + lineCount(removed))} +${range(same + lineCount(added))} @@\n`;
  return ranges + marked(" ", head) + marked("-", removed) + marked("+", added) + marked(" ", tail);
}

function marked(mark: string, lines: string): string {
  if (lines === "") return "";
  const isOpen = !lines.endsWith("\n");
  const text = isOpen ? lines : lines.slice(0, -1);
  return `${mark}${text.replaceAll("\n", `\n${mark}`)}\n${isOpen ? "\\ No newline at end of file\n" : ""}`;
}
