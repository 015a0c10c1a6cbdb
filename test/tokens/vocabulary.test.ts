import { describe, expect, it } from "vitest";
import { encodeVocabulary, type TokenRanks, Vocabulary } from "../../src/tokens/vocabulary.js";

const ranks: TokenRanks = ["a", "b", undefined, "ab", [0xe6, 0xbc], "é", "x".repeat(128)];

describe("an encoded vocabulary", () => {
  const vocabulary = new Vocabulary(encodeVocabulary(ranks));
  const rankOf = (bytes: Uint8Array) => vocabulary.rankOf(bytes, 0, bytes.length);

  it.each([...ranks.entries()].filter(([, token]) => token !== undefined))(
    "an encoded vocabulary finds the rank %i of a token",
    (rank, token) => {
      const bytes = typeof token === "string" ? Buffer.from(token) : Uint8Array.from(token ?? []);
      expect(rankOf(bytes)).toBe(rank);
    },
  );

  it.each(["", "c", "abc", "e", "x".repeat(127), "x".repeat(129)])(
    "an encoded vocabulary has no token %j",
    (text) => {
      expect(rankOf(Buffer.from(text))).toBe(-1);
    },
  );

  it("an encoded vocabulary finds a token inside longer bytes", () => {
    expect(vocabulary.rankOf(Buffer.from("xaby"), 1, 3)).toBe(3);
  });

  it("an encoded vocabulary may start anywhere in a buffer", () => {
    const encoded = encodeVocabulary(ranks);
    const shifted = new Uint8Array(encoded.length + 1);
    shifted.set(encoded, 1);
    expect(new Vocabulary(shifted.subarray(1)).rankOf(Buffer.from("ab"), 0, 2)).toBe(3);
  });

  it("the encoder of vocabularies refuses tokens of more than 255 bytes", () => {
    expect(() => encodeVocabulary(["x".repeat(256)])).toThrow("256 bytes");
  });
});
