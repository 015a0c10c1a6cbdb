import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wordSignature } from "../../../src/core/text/near-copy.js";

const word = fc.stringMatching(/^[b-z]{3,8}[0-9]?$/);

describe("the word signature", () => {
  test("the signature is equal for texts that differ only in case, punctuation and stop words", () => {
    expect(wordSignature("The user's favourite colour is BLUE.")).toBe(
      wordSignature("user favourite colour: blue"),
    );
  });

  test("the signature differs when a number, a word or the count of a word differs", () => {
    expect(wordSignature("Flight 442 to Oslo")).not.toBe(wordSignature("Flight 443 to Oslo"));
    expect(wordSignature("Ann likes tea")).not.toBe(wordSignature("Ann likes coffee"));
    expect(wordSignature("so so long")).not.toBe(wordSignature("long long"));
  });

  test.each([
    ["Bob eats nuts", "Bob eats no nuts"],
    ["Bob can swim", "Bob can't swim"],
    ["they do eat meat", "they don't eat meat"],
    ["Ann moved to Rome", "Ann moved from Rome"],
    ["turn the heating on", "turn the heating off"],
    ["prices went up", "prices went down"],
  ])("the signature differs between the opposites '%s' and '%s'", (one, other) => {
    expect(wordSignature(one)).not.toBe(wordSignature(other));
  });

  test("the signature does not depend on the order of words", () => {
    fc.assert(
      fc.property(
        fc
          .array(word, { minLength: 1 })
          .chain((list) =>
            fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
          ),
        ([list, shuffled]) => {
          expect(wordSignature(shuffled.join(" "))).toBe(wordSignature(list.join(", ")));
        },
      ),
    );
  });

  test("the signature has 53 bits and differs between different multisets of words", () => {
    const bag = fc.array(word, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(bag, bag, (one, other) => {
        const a = wordSignature(one.join(" "));
        const b = wordSignature(other.join(" "));
        expect(Number.isSafeInteger(a)).toBe(true);
        expect(a === b).toBe([...one].sort().join(" ") === [...other].sort().join(" "));
      }),
    );
  });

  test("the signature is undefined for a text of stop words and signs", () => {
    expect(wordSignature("")).toBeUndefined();
    expect(wordSignature("™ … What is it?")).toBeUndefined();
  });

  test("the signature differs between emoji, and ignores their skin tone and colour variant", () => {
    expect(wordSignature("❤️ 👍🏽")).toBe(wordSignature("👍 ❤"));
    expect(wordSignature("🎉")).not.toBe(wordSignature("🎂"));
  });
});
