import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { diffForm, whiteSpace } from "../preferences.js";
import { Text } from "../text.js";
import { isWide } from "../viewport.js";
import { type Comparison, compareTexts, type Line, type Row } from "./rows.js";

/** Rows that are drawn. A longer comparison says how many are left out. */
const rowsMax = 5_000;
/** Rows that are drawn at a time. */
const chunkRows = 250;

/** Whether comparisons are drawn side by side. */
export function isSplit(): boolean {
  return diffForm.value === "auto" ? isWide.value : diffForm.value === "split";
}

interface DiffProps {
  readonly before: string;
  readonly after: string;
  /** What the texts are, for the heads of the columns. */
  readonly beforeName: string;
  readonly afterName: string;
}

/** Shows what changes from one text to another, side by side or unified. */
export function Diff({ before, after, beforeName, afterName }: DiffProps): JSX.Element {
  const comparison = useMemo(() => compareTexts(before, after), [before, after]);
  const split = isSplit();
  return (
    <div
      class={`diff ${split ? "split" : "unified"} ${whiteSpace.value === "on" ? "shows-space" : ""}`}
      data-testid="diff"
    >
      <Summary comparison={comparison} />
      {split && (
        <div class="diff-heads" aria-hidden="true">
          <span>{beforeName}</span>
          <span>{afterName}</span>
        </div>
      )}
      <Rows rows={comparison.rows} split={split} />
    </div>
  );
}

function Summary({ comparison: { added, removed, isWhole } }: { comparison: Comparison }) {
  return (
    <p class="diff-summary">
      {isWhole && "The whole text is replaced. "}
      {added + removed === 0
        ? "The texts are equal."
        : `${count(added, "line")} added, ${count(removed, "line")} removed.`}
    </p>
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function Rows({ rows, split }: { readonly rows: readonly Row[]; readonly split: boolean }) {
  const chunks = useMemo(() => {
    const shown = rows.slice(0, rowsMax);
    const ordered = split ? shown : unify(shown);
    return Array.from({ length: Math.ceil(ordered.length / chunkRows) }, (_, index) =>
      ordered.slice(index * chunkRows, (index + 1) * chunkRows),
    );
  }, [rows, split]);
  const drawn = useSignal(1);
  useEffect(() => {
    if (drawn.value >= chunks.length) return undefined;
    // Between two parts of a long comparison, the page answers keys.
    const timer = setTimeout(() => {
      drawn.value += 1;
    });
    return () => clearTimeout(timer);
  }, [drawn.value, chunks]);
  return (
    <>
      {chunks.slice(0, drawn.value).map((chunk, index) => (
        <Chunk key={index} rows={chunk} split={split} />
      ))}
      {rows.length > rowsMax && (
        <p class="note">
          {rows.length - rowsMax} more rows are not shown. Copy the text to read them.
        </p>
      )}
    </>
  );
}

/** A part of the rows. Drawn once, also when further parts follow. */
function Chunk({ rows, split }: { readonly rows: readonly Row[]; readonly split: boolean }) {
  const drawn = useMemo(
    () => (
      <>
        {rows.map((row, index) =>
          row.kind === "fold" ? (
            <Fold key={index} rows={row.rows} split={split} />
          ) : split ? (
            <SplitRow key={index} row={row} />
          ) : (
            <UnifiedRow key={index} row={row} />
          ),
        )}
      </>
    ),
    [rows, split],
  );
  return drawn;
}

/** Puts the removed lines of each change before its added lines. */
function unify(rows: readonly Row[]): readonly Row[] {
  const ordered: Row[] = [];
  let added: Row[] = [];
  for (const row of rows) {
    if (row.kind !== "changed") {
      ordered.push(...added, row);
      added = [];
      continue;
    }
    if (row.before !== undefined) ordered.push({ kind: "changed", before: row.before });
    if (row.after !== undefined) added.push({ kind: "changed", after: row.after });
  }
  return [...ordered, ...added];
}

function Fold({ rows, split }: { readonly rows: readonly Row[]; readonly split: boolean }) {
  const isOpen = useSignal(false);
  if (isOpen.value) return <Rows rows={rows} split={split} />;
  return (
    <button
      type="button"
      class="fold"
      onClick={() => {
        isOpen.value = true;
      }}
    >
      {rows.length} equal lines
    </button>
  );
}

type ShownRow = Exclude<Row, { readonly kind: "fold" }>;

function SplitRow({ row }: { readonly row: ShownRow }) {
  const isChanged = row.kind === "changed";
  return (
    <div class="diff-row">
      <Side line={row.before} mark={isChanged ? "-" : " "} />
      <Side line={row.after} mark={isChanged ? "+" : " "} />
    </div>
  );
}

function UnifiedRow({ row }: { readonly row: ShownRow }) {
  const mark = row.kind === "same" ? " " : row.before === undefined ? "+" : "-";
  return (
    <div class="diff-row">
      <Side line={row.before ?? row.after} mark={mark} />
    </div>
  );
}

function Side({ line, mark }: { readonly line: Line | undefined; readonly mark: "+" | "-" | " " }) {
  if (line === undefined) return <div class="side empty" />;
  const kind = mark === "+" ? "added" : mark === "-" ? "removed" : "same";
  const content = line.segments.map(({ text, isChanged }, index) =>
    isChanged ? (
      <mark key={index}>
        <Text value={text} />
      </mark>
    ) : (
      <Text key={index} value={text} />
    ),
  );
  return (
    <div class={`side ${kind}`}>
      <span class="line-number" aria-hidden="true" data-number={line.number} />
      <span class="sign" aria-hidden="true" data-sign={mark} />
      {mark === " " ? (
        <span class="line">{content}</span>
      ) : mark === "+" ? (
        <ins class="line">
          <span class="spoken">added: </span>
          {content}
        </ins>
      ) : (
        <del class="line">
          <span class="spoken">removed: </span>
          {content}
        </del>
      )}
    </div>
  );
}

/** The change that was last scrolled to. */
let shownChange = -1;

/** Scrolls to the next change of the shown comparison, or to the previous one. */
export function goToChange(step: 1 | -1): void {
  const sides = [...document.querySelectorAll(".diff .side.added, .diff .side.removed")];
  if (sides.length === 0) return;
  shownChange = (shownChange + step + sides.length) % sides.length;
  sides[shownChange]?.scrollIntoView({ block: "center" });
}
