import { describe, expect, it } from "vitest";
import { applyEdit } from "../../../src/core/proposals/edit.js";

const edit = (oldString: string, newString: string, replaceAll = false) => ({
  oldString,
  newString,
  replaceAll,
});
const noLimit = Number.POSITIVE_INFINITY;

describe("an edit", () => {
  it("an edit of 131,072 equal letters in a text of 262,144 equal letters takes linear time", () => {
    const half = "a".repeat(131_072);
    expect(applyEdit(half + half, edit(half, "x"), noLimit)).toEqual({
      kind: "ambiguous",
      count: 131_073,
      lines: [1],
    });
    expect(applyEdit(half + half, edit(half, "x", true), noLimit)).toEqual({
      kind: "applied",
      text: "xx",
    });
    expect(applyEdit(half + half, edit(`b${half}`, "x"), noLimit)).toEqual({ kind: "missing" });
    expect(applyEdit(half + half, edit(`${half}b`, "x"), noLimit)).toEqual({ kind: "missing" });
  });

  it.each([
    ["line breaks of all kinds", "x\n\nx\r\nx\rx", "x", 4, [1, 3, 4, 5]],
    ["several matches on one line", "x x\nx x", "x", 4, [1, 2]],
    ["a match that begins with a line break", "a\nb a\nb", "\nb", 2, [1, 2]],
    ["a match inside of a CRLF", "a\r\nb\r\nc", "\n", 2, [1, 2]],
    ["more than ten lines", "x\n".repeat(12), "x", 12, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ])(
    "an edit whose old text is ambiguous fails with the lines of its first matches: %s",
    (_, text, old, count, lines) => {
      expect(applyEdit(text, edit(old, "new"), noLimit)).toEqual({
        kind: "ambiguous",
        count,
        lines,
      });
    },
  );

  it("the result of an edit may reach the limit of bytes, but not exceed it", () => {
    expect(applyEdit("aXb", edit("X", "é"), 4)).toEqual({ kind: "applied", text: "aéb" });
    expect(applyEdit("aXb", edit("X", "é"), 3)).toEqual({ kind: "too large", bytes: 4 });
    expect(applyEdit("XX", edit("X", "🧠", true), 7)).toEqual({ kind: "too large", bytes: 8 });
  });

  it("an edit with a result of 64 GiB is refused without building the result", () => {
    const letters = "a".repeat(262_144);
    expect(applyEdit(letters, edit("a", letters, true), 262_144)).toEqual({
      kind: "too large",
      bytes: 262_144 ** 2,
    });
  });
});
