import fc from "fast-check";
import { expect, it } from "vitest";
import { addsHidden, hiddenNames, piecesOf } from "../../console/src/hidden.js";

it("characters that nobody can see become tokens with their numbers", () => {
  expect(piecesOf("a\u202eb\u200bc")).toEqual([
    { text: "a" },
    { text: "\u202e", token: "U+202E" },
    { text: "b" },
    { text: "\u200b", token: "U+200B" },
    { text: "c" },
  ]);
  const hidden = [
    "\0",
    "\r",
    "\u007f",
    "\u0085",
    "\u061c",
    "\u2066",
    "\ufeff",
    "\u{e0041}",
    "\u3164",
    "\u{e0100}",
  ];
  for (const character of hidden) expect(hiddenNames(`a${character}`)).toHaveLength(1);
});

it("letters of all scripts, tabs, line ends and emoji are no tokens", () => {
  expect(hiddenNames("aé\tb\nשלום مرحبا 你好 👩‍🚀 👩🏽‍🚀 ❤️ 👨‍👩‍👧")).toEqual([]);
  expect(hiddenNames("a\u200db")).toEqual(["U+200D"]);
});

it("the pieces of a text together are the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(
        piecesOf(text)
          .map((piece) => piece.text)
          .join(""),
      ).toBe(text);
    }),
  );
});

it("an edit adds hidden characters only if there are more of a kind than before", () => {
  expect(addsHidden("a\u200b", "\u200bb")).toBe(false);
  expect(addsHidden("a\u200b", "\u200b\u200b")).toBe(true);
  expect(addsHidden("a\u200b", "\u202e")).toBe(true);
});
