import { diffArrays, diffWordsWithSpace } from "diff";

/** A part of a line. `isChanged`: it is only in this text, not in the other one. */
export interface Segment {
  readonly text: string;
  readonly isChanged: boolean;
}

/** A line of a text, with its number from 1. */
export interface Line {
  readonly number: number;
  readonly segments: readonly Segment[];
}

/**
 * One row of a comparison. `same`: both texts have the line. `changed`: the line before and the
 * line after; one of them is absent if a line was only added or removed. `fold`: a run of lines
 * that both texts have, not shown.
 */
export type Row =
  | { readonly kind: "same"; readonly before: Line; readonly after: Line }
  | { readonly kind: "changed"; readonly before?: Line; readonly after?: Line }
  | { readonly kind: "fold"; readonly rows: readonly Row[] };

/** A comparison of two texts. */
export interface Comparison {
  readonly rows: readonly Row[];
  readonly added: number;
  readonly removed: number;
  /** The texts have too little in common to compare them line by line. */
  readonly isWhole: boolean;
}

/** The time that a comparison of lines may take before it becomes a whole replacement. */
const timeoutMs = 300;
/** Lines longer than this are compared as a whole, not word by word. */
const wordsMaxLength = 2_000;
/** Lines around a change that are shown. */
const contextLines = 3;
/** A run of equal lines at least this long is folded. */
const foldMin = 4;

/** Compares two texts line by line, and changed lines word by word. */
export function compareTexts(before: string, after: string): Comparison {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const changes = diffArrays(old, fresh, { timeout: timeoutMs });
  const rows =
    changes === undefined ? pairUp(old, fresh, 0, 0, false) : rowsOf(changes, old, fresh);
  const count = (side: "before" | "after") =>
    rows.filter((row) => row.kind === "changed" && row[side] !== undefined).length;
  return {
    rows: fold(rows),
    added: count("after"),
    removed: count("before"),
    isWhole: changes === undefined,
  };
}

interface Change {
  readonly count: number;
  readonly added: boolean;
  readonly removed: boolean;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

function rowsOf(changes: readonly Change[], old: string[], fresh: string[]): readonly Row[] {
  const rows: Row[] = [];
  let [at, to] = [0, 0];
  for (let index = 0; index < changes.length; index += 1) {
    const change = changes[index];
    if (change === undefined) continue;
    if (!change.added && !change.removed) {
      for (let step = 0; step < change.count; step += 1)
        rows.push(sameRow(old[at + step] ?? "", at + step, to + step));
      at += change.count;
      to += change.count;
      continue;
    }
    const next = changes[index + 1];
    const isPair =
      next !== undefined && next.added !== change.added && (next.added || next.removed);
    const removed = change.removed ? change.count : isPair ? next.count : 0;
    const added = change.added ? change.count : isPair ? next.count : 0;
    rows.push(...pairUp(old.slice(at, at + removed), fresh.slice(to, to + added), at, to, true));
    at += removed;
    to += added;
    if (isPair) index += 1;
  }
  return rows;
}

function sameRow(text: string, at: number, to: number): Row {
  const segments = [{ text, isChanged: false }];
  return {
    kind: "same",
    before: { number: at + 1, segments },
    after: { number: to + 1, segments },
  };
}

/** Puts removed and added lines side by side. */
function pairUp(
  old: readonly string[],
  fresh: readonly string[],
  at: number,
  to: number,
  byWord: boolean,
): readonly Row[] {
  return Array.from({ length: Math.max(old.length, fresh.length) }, (_, index): Row => {
    const [left, right] = [old[index], fresh[index]];
    const [before, after] = segmentsOf(left, right, byWord);
    return {
      kind: "changed",
      ...(left !== undefined && { before: { number: at + index + 1, segments: before } }),
      ...(right !== undefined && { after: { number: to + index + 1, segments: after } }),
    };
  });
}

function segmentsOf(
  left: string | undefined,
  right: string | undefined,
  byWord: boolean,
): readonly [readonly Segment[], readonly Segment[]] {
  const [before, after] = [left ?? "", right ?? ""];
  const isShort = Math.max(before.length, after.length) <= wordsMaxLength;
  if (!byWord || !isShort || left === undefined || right === undefined)
    return [[{ text: before, isChanged: false }], [{ text: after, isChanged: false }]];
  const words = diffWordsWithSpace(before, after);
  const side = (leaveOut: "added" | "removed") =>
    words
      .filter((word) => !word[leaveOut])
      .map(({ value, added, removed }) => ({ text: value, isChanged: added || removed }));
  return [side("added"), side("removed")];
}

/** Folds long runs of equal lines, except the lines around each change. */
function fold(rows: readonly Row[]): readonly Row[] {
  const folded: Row[] = [];
  let start = 0;
  while (start < rows.length) {
    let end = start;
    while (rows[end]?.kind === "same") end += 1;
    const head = start === 0 ? 0 : contextLines;
    const tail = end === rows.length ? 0 : contextLines;
    if (end - start >= head + tail + foldMin) {
      folded.push(...rows.slice(start, start + head));
      folded.push({ kind: "fold", rows: rows.slice(start + head, end - tail) });
      folded.push(...rows.slice(end - tail, end));
    } else folded.push(...rows.slice(start, end));
    const changed = rows[end];
    if (changed !== undefined) folded.push(changed);
    start = end + 1;
  }
  return folded;
}
