import fc from "fast-check";
import { expect, it } from "vitest";
import { type Comparison, compareTexts, type Line, type Row } from "../../console/src/diff/rows.js";

/** Returns the text of one side of a comparison. */
function sideOf({ rows }: Pick<Comparison, "rows">, side: "before" | "after"): string {
  const lines = (all: readonly Row[]): Line[] =>
    all.flatMap((row) => (row.kind === "fold" ? lines(row.rows) : (row[side] ?? [])));
  return lines(rows)
    .map(({ segments }) => segments.map(({ text }) => text).join(""))
    .join("\n");
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

it("a changed line shows which of its words have changed", () => {
  const { rows, added, removed } = compareTexts(
    "Likes: math\nGoal: x",
    "Likes: math, above all\nGoal: x",
  );
  expect([added, removed]).toEqual([1, 1]);
  expect(rows[0]).toMatchObject({
    kind: "changed",
    before: { number: 1, segments: [{ text: "Likes: math", isChanged: false }] },
    after: {
      number: 1,
      segments: [{ isChanged: false }, { text: ", above all", isChanged: true }],
    },
  });
  expect(rows[1]).toMatchObject({ kind: "same" });
});

it("equal lines far from a change are folded, and lines around it are not", () => {
  const old = lines(40);
  const { rows } = compareTexts(old.join("\n"), old.with(20, "changed").join("\n"));
  expect(rows.map(({ kind }) => kind)).toEqual([
    "fold",
    "same",
    "same",
    "same",
    "changed",
    "same",
    "same",
    "same",
    "fold",
  ]);
  expect(rows[4]).toMatchObject({ before: { number: 21 }, after: { number: 21 } });
});

it("both sides of a comparison have their whole texts", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c c", "d d d", ""), { maxLength: 30 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const comparison = compareTexts(before.join("\n"), after.join("\n"));
      expect(sideOf(comparison, "before")).toBe(before.join("\n"));
      expect(sideOf(comparison, "after")).toBe(after.join("\n"));
    }),
  );
});

it("texts without a common line are a replacement of the whole text", () => {
  const old = Array.from({ length: 20_000 }, (_, index) => `old ${index} ${index % 7}`);
  const fresh = Array.from({ length: 20_000 }, (_, index) => `new ${index} ${index % 11}`);
  const comparison = compareTexts(old.join("\n"), fresh.join("\n"));
  expect(comparison).toMatchObject({ isWhole: true, added: 20_000, removed: 20_000 });
});

it("an empty text and a text have only added lines", () => {
  expect(compareTexts("", "a\nb")).toMatchObject({ added: 2, removed: 0 });
  expect(compareTexts("a", "a")).toMatchObject({ added: 0, removed: 0 });
});
