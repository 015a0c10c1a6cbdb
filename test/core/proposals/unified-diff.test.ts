import { applyPatch } from "diff";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unifiedDiff } from "../../../src/core/proposals/unified-diff.js";
import { propertyRuns } from "../../suite.js";

function expectToApply(oldText: string, newText: string): void {
  const diff = unifiedDiff(oldText, newText, "version 1", "proposal");
  expect(applyPatch(oldText, diff, { autoConvertLineEndings: false })).toBe(newText);
}

describe("the unified diff of an edit", () => {
  it("the unified diff shows the changed lines with three lines of context", () => {
    const lines = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", ""].join(
      "\n",
    );
    expect(
      unifiedDiff(lines, lines.replace("five", "FIVE\nand a half"), "version 3", "proposal"),
    ).toBe(`--- version 3
+++ proposal
@@ -2,7 +2,8 @@
 two
 three
 four
-five
+FIVE
+and a half
 six
 seven
 eight
`);
  });

  it("the unified diff keeps line breaks as they are, and marks a missing last line break", () => {
    expect(unifiedDiff("a\r\nb", "a\nb", "old", "new")).toBe(`--- old
+++ new
@@ -1,2 +1,2 @@
-a\r
+a
 b
\\ No newline at end of file
`);
  });

  it("the unified diff turns any old text into its new text", () => {
    const line = fc.constantFrom(
      "a",
      "b",
      "c",
      "",
      "é",
      "e\u0301",
      "\u{1f9e0}",
      "-",
      "+",
      "@@ -1 +1 @@",
      "\\ No newline at end of file",
      "--- x",
    );
    const text = fc
      .tuple(fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n"))), fc.boolean())
      .map(([lines, open]) =>
        lines
          .map((parts) => parts.join(""))
          .join("")
          .concat(open ? "end" : ""),
      );
    fc.assert(
      fc.property(
        text,
        text,
        (oldText, newText) => fc.pre(oldText !== newText) ?? expectToApply(oldText, newText),
      ),
      { numRuns: propertyRuns(500) },
    );
  });

  it("the unified diff replaces the whole changed range when more than 200 lines differ", () => {
    const [oldLines, newLines] = ["x", "y"].map(
      (line) => `a\nb\nc\nd\n${`${line}\n`.repeat(150)}e\nf\ng\nh`,
    );
    const diff = unifiedDiff(oldLines ?? "", newLines ?? "", "old", "new");
    expect(diff).toBe(
      `--- old\n+++ new\n@@ -2,156 +2,156 @@\n b\n c\n d\n${"-x\n".repeat(150)}${"+y\n".repeat(150)} e\n f\n g\n`,
    );
    expectToApply(oldLines ?? "", newLines ?? "");
    const open = "x\n".repeat(150);
    expect(unifiedDiff(`${open}x`, "", "old", "new")).toBe(
      `--- old\n+++ new\n@@ -1,151 +0,0 @@\n${"-x\n".repeat(151)}\\ No newline at end of file\n`,
    );
  });

  it("the unified diff is correct even for 100,000 differing lines", () => {
    const letters = Array.from({ length: 131_072 }, (_, i) =>
      String.fromCharCode(97 + ((i * 7919) % 26)),
    );
    const oldText = letters.join("\n");
    for (const newText of [
      letters.toReversed().join("\n"),
      oldText.replaceAll("a", "z"),
      "z\n",
      "",
    ])
      expectToApply(oldText, newText);
    const changed = oldText.replaceAll("a", "z");
    expect(unifiedDiff(oldText, changed, "old", "new").match(/^@@/gm)).toHaveLength(1);
  });
});
