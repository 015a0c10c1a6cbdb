import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk, structuredPatch } from "diff";

/** Lines around a change. */
const contextLines = 3;

/** Up to this many lines that differ, counted on both sides, the library looks for the shortest difference: its time grows with their square. */
const mostChangedLines = 200;

/** Up to this many lines from the first change to the last, on one side, it is asked at all. */
const mostComparedLines = 2000;

/**
 * The unified diff of two texts. Applied to the old text it gives the new one, exactly. Names stand where those of files would.
 * Where more lines differ than can be compared in a few milliseconds it replaces all from the first change to the last.
 */
export function unifiedDiff(oldText: string, newText: string, oldName: string, newName: string): string {
  const change = changeOf(linesOf(oldText), linesOf(newText));
  const hunks = (comparedLines(change) ?? [replacedWhole(change)]).map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + change.linesBefore,
    newStart: hunk.newStart + change.linesBefore,
  }));
  const names = { oldFileName: oldName, newFileName: newName, oldHeader: undefined, newHeader: undefined };
  return formatPatch({ ...names, hunks }, FILE_HEADERS_ONLY);
}

/** The lines from the first change to the last, with those around them. Lines have their line breaks. */
interface Change {
  /** Lines of both texts before these. */
  readonly linesBefore: number;
  /** Lines that are the same in both, before the first change and behind the last. */
  readonly head: readonly string[];
  readonly tail: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function changeOf(oldLines: readonly string[], newLines: readonly string[]): Change {
  const most = Math.min(oldLines.length, newLines.length);
  let same = 0;
  while (same < most && oldLines[same] === newLines[same]) same++;
  let sameBehind = 0;
  while (sameBehind < most - same && oldLines.at(-1 - sameBehind) === newLines.at(-1 - sameBehind)) sameBehind++;
  const linesBefore = Math.max(0, same - contextLines);
  const oldEnd = oldLines.length - sameBehind;
  return {
    linesBefore,
    head: oldLines.slice(linesBefore, same),
    tail: oldLines.slice(oldEnd, oldEnd + contextLines),
    removed: oldLines.slice(same, oldEnd),
    added: newLines.slice(same, newLines.length - sameBehind),
  };
}

/** What the library finds; `undefined`: too much differs. */
function comparedLines({ head, removed, added, tail }: Change): readonly StructuredPatchHunk[] | undefined {
  if (Math.max(removed.length, added.length) > mostComparedLines) return undefined;
  const [oldPart, newPart] = [removed, added].map((lines) => [...head, ...lines, ...tail].join(""));
  const options = { context: contextLines, maxEditLength: mostChangedLines };
  return structuredPatch("", "", oldPart ?? "", newPart ?? "", undefined, undefined, options)?.hunks;
}

function replacedWhole({ head, removed, added, tail }: Change): StructuredPatchHunk {
  const marked = (mark: string, lines: readonly string[]): string[] => lines.flatMap((line) => markedLine(mark, line));
  const same = head.length + tail.length;
  return {
    oldStart: 1,
    newStart: 1,
    oldLines: same + removed.length,
    newLines: same + added.length,
    lines: [...marked(" ", head), ...marked("-", removed), ...marked("+", added), ...marked(" ", tail)],
  };
}

function markedLine(mark: string, line: string): string[] {
  return line.endsWith("\n") ? [mark + line.slice(0, -1)] : [mark + line, "\\ No newline at end of file"];
}
