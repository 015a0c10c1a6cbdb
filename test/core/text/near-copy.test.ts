import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wordSignature } from "../../../src/core/text/near-copy.js";

const word = fc.stringMatching(/^[b-z]{1,8}[0-9]?$/);

describe("the word signature", () => {
  test.each([
    ["The user lives in Rome.", "the USER, lives in: rome"],
    ["Where does she live", "  Where does\n\nshe LIVE  "],
    ["I'm late … as always!", "I’m late, as always"],
    ['Ann said: "I like tea."', "Ann said “I like tea”"],
    ["The room is at −5 °C", "the room is at -5 °C."],
    ["Pages 5–10", "pages 5-10;"],
    ["Café Zürich", "Cafe\u0301 Zu\u0308rich"],
    ["ＢＡ１１７ ist spät", "BA117 ist spät"],
    ["我喜欢茶，也喜欢咖啡。", "我喜欢茶 也喜欢咖啡"],
    ["تحب آدا الشاي، والقهوة.", "تحب آدا الشاي والقهوة"],
    ["आदा को चाय पसंद है।", "आदा को चाय पसंद है"],
    ["¡Ada llegó hoy!", "Ada llegó hoy"],
    ["❤️ 👍🏽", "❤ 👍"],
  ])("the word signature is equal for '%s' and '%s'", (one, other) => {
    expect(wordSignature(one)).toBe(wordSignature(other));
  });

  test.each([
    // The order of the words.
    ["Tom owes Ada 50 euros", "Ada owes Tom 50 euros"],
    ["Flight from Paris to London", "Flight from London to Paris"],
    ["Ada is taller than Bob", "Bob is taller than Ada"],
    ["Napa is better than Bordeaux", "Bordeaux is better than Napa"],
    ["The door is open", "Is the door open?"],
    ["Anna hat Bert gesehen", "Bert hat Anna gesehen"],
    ["Der Hund beißt den Mann", "Den Hund beißt der Mann"],
    ["安娜欠汤姆五十欧元", "汤姆欠安娜五十欧元"],
    ["アンナはトムより高い", "トムはアンナより高い"],
    // Words that are common, short, or repeated.
    ["Vitamin A deficiency", "Vitamin D deficiency"],
    ["Bob eats nuts", "Bob eats no nuts"],
    ["Bob can swim", "Bob can't swim"],
    ["Ann moved to Rome", "Ann moved from Rome"],
    ["Prices went up", "Prices went down"],
    ["He owes me rent", "She owes me rent"],
    ["I owe you lunch", "You owe me lunch"],
    ["The shop is open", "The shop was open"],
    ["You may park here", "You must park here"],
    ["It was so so long", "It was so long"],
    ["Ada trinkt Tee", "Ada trinkt keinen Tee"],
    ["Ада любит чай", "Ада не любит чай"],
    ["我喜欢茶", "我不喜欢茶"],
    // Marks of lists, emoticons, and the case of codes and units.
    ["- [ ] Buy milk", "- [x] Buy milk"],
    ["- Buy milk", "Buy milk"],
    ["It works :)", "It works :("],
    ["The laser has 5 mW", "The laser has 5 MW"],
    ["The laser has 5mW", "The laser has 5MW"],
    ["The code is aB3x", "The code is Ab3X"],
    // Signs, symbols and digits.
    ["The freezer must be at -5 degrees", "The freezer must be at 5 degrees"],
    ["The freezer must be at −5 degrees", "The freezer must be at 5 degrees"],
    ["Ada writes C", "Ada writes C++"],
    ["Ada writes C", "Ada writes C#"],
    ["Ada writes C++", "Ada writes C#"],
    ["The fee is $5", "The fee is 5%"],
    ["The fee is $5", "The fee is €5"],
    ["The fee is $5", "The fee is ＄50"],
    ["We know that 5 > 3", "We know that 5 < 3"],
    ["Her blood type is A+", "Her blood type is A-"],
    ["The result is (500)", "The result is 500"],
    ["The plank is 6' long", 'The plank is 6" long'],
    ["The area is 10²", "The area is 102"],
    ["Version 1.10 is out", "Version 11.0 is out"],
    ["Version 1.10 is out", "Version 110 is out"],
    ["The meeting is at 10:30", "The meeting is at 1030"],
    ["Ignore .env files", "Ignore env files"],
    ["Flight 442 to Oslo", "Flight 443 to Oslo"],
    ["The room is ½ full", "The room is ⅓ full"],
    ["Ann voted 👍", "Ann voted 👎"],
    [
      "Supports \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
      "Supports \u{1f3f4}",
    ],
    // A question asserts nothing. In many languages, only the question mark shows the difference.
    ["The door is open.", "The door is open?"],
    ["Дверь открыта.", "Дверь открыта?"],
    ["门开着。", "门开着？"],
  ])("the word signature differs between '%s' and '%s'", (one, other) => {
    expect(wordSignature(one)).not.toBe(wordSignature(other));
  });

  test("the word signature has 53 bits, and is equal only for equal sequences of words", () => {
    const sequence = fc.array(word, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(sequence, sequence, (one, other) => {
        const signature = wordSignature(one.join(" "));
        expect(Number.isSafeInteger(signature)).toBe(true);
        // The case of codes and units counts.
        const hasCode = one.some((text) => /\d/.test(text));
        const inCapitals = hasCode ? one : one.map((text) => text.toUpperCase());
        const signatureInCapitals = wordSignature(`${inCapitals.join(", ")}!`);
        expect(signature).toBe(signatureInCapitals);
        expect(signature === wordSignature(other.join(" "))).toBe(
          one.join(" ") === other.join(" "),
        );
      }),
    );
  });

  test("exchanging two neighbouring words of a text changes its word signature", () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 2 }), fc.nat(), (list, at) => {
        const i = at % (list.length - 1);
        const [one, two] = [list[i] as string, list[i + 1] as string];
        const exchanged = list.toSpliced(i, 2, two, one);
        expect(wordSignature(exchanged.join(" "))).not.toBe(wordSignature(list.join(" ")));
      }),
    );
  });

  test("a text of only sentence punctuation has no word signature", () => {
    expect(wordSignature("")).toBeUndefined();
    expect(wordSignature(" … ... !!! 。\n")).toBeUndefined();
  });

  test("the word signature of 64 KiB of marks or spaces is computed in linear time", () => {
    // In quadratic time, each of these would outlast the time limit of a test.
    for (const text of ["\u0301\u0323", ". ", " ", ".", "...a", "!。", "\u200b", "é."])
      expect(() => wordSignature(`${text.repeat(65_536 / text.length)}a`)).not.toThrow();
  });
});
