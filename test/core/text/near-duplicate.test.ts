import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isNearDuplicate, phraseOf } from "../../../src/core/text/near-duplicate.js";

function areNear(one: string, other: string): boolean {
  const forth = isNearDuplicate(phraseOf(one), other);
  expect(isNearDuplicate(phraseOf(other), one)).toBe(forth);
  return forth;
}

describe("near-duplicates", () => {
  test.each([
    ["The user lives in Rome.", "the user lives in Rome"],
    ["The user's favourite colour is blue", "User favourite colour: blue"],
    ["User likes tea", "The user likes green tea"],
    ["User likes tea", "User likes tea in the morning"],
    ["The user prefers dark roast coffee", "Users prefer dark-roast coffee"],
    ["The user lived in Rome", "User lived in Rome"],
    ["Rent is 1200 euros", "The rent is 1200 euros a month"],
    ["Flight BA117 leaves at 10:30", "The flight BA117 leaves at 10:30 sharp"],
    ["Ada does not like tea", "Ada does not like black tea"],
    ["Ada trinkt gern Tee", "Ada trinkt gern grünen Tee"],
    ["Ада любит чай", "Ада очень любит чай"],
    ["我喜欢茶。", "我喜欢茶"],
    ["The API is up", "The API is up!"],
  ])("'%s' and '%s' are near-duplicates", (one, other) => {
    expect(areNear(one, other)).toBe(true);
  });

  test.each([
    ["The API is up", "The API is down"],
    ["Turn the heating on", "Turn the heating off"],
    ["User likes tea", "User does not like tea"],
    ["User likes tea", "User doesn't like tea"],
    ["User likes tea", "User doesn’t like tea"],
    ["User likes tea", "User never likes tea"],
    ["User eats nuts", "User eats no nuts"],
    ["- [ ] Buy milk", "- [x] Buy milk"],
    ["The user likes it :)", "The user likes it :("],
    ["User lives in Rome", "User lived in Rome"],
    ["User wants a dog", "User wanted a dog"],
    ["User eats meat", "User eats meat sometimes"],
    ["Ada trinkt Tee", "Ada trinkt manchmal Tee"],
    ["User drinks coffee", "User stopped drinking coffee"],
    ["User lives with a dog", "User lives without a dog"],
    ["You park here", "You may park here"],
    ["Ada owns cats", "Ada owns two cats"],
    ["Rent is 1200 euros", "Rent is 1300 euros"],
    ["Rent is 1200 euros", "Rent is 1,200.50 euros"],
    ["Flight BA117 is late", "Flight BA118 is late"],
    ["The room is 12", "The room is 12 34"],
    ["The freezer is at -5 degrees", "The freezer is at 5 degrees"],
    ["The freezer is at −5 degrees", "The freezer is at 5 degrees"],
    ["The fee is $5", "The fee is 5%"],
    ["The weight is 5", "The weight is .5"],
    ["x = 1", "x != 1"],
    ["ready", "!ready"],
    ["run rm -rf dir", "run rm rf dir"],
    ["Ada signed", "Ada supposedly signed"],
    ["Ada signed", "It is untrue that Ada signed"],
    ["User smokes", "User used to smoke"],
    ["The account of Ada", "The deleted account of Ada"],
    ["The fee is 5", "The fee is 5%"],
    ["Ada writes C", "Ada writes C++"],
    ["Ada writes C++", "Ada writes C#"],
    ["Her blood type is A", "Her blood type is A-"],
    ["We know that 5 > 3", "We know that 5 < 3"],
    ["Ann voted for it", "Ann voted for it 👎"],
    ["The door is open", "The door is open?"],
    ["The door is open", "Is the door open?"],
    ["Ada met Bob", "Ada met Bob and Eve"],
    ["The doctor called", "The doctor called Eve"],
    ["Ada lives in Rome", "Bob lives in Rome"],
    ["Tom owes Ada 50 euros", "Ada owes Tom 50 euros"],
    ["I owe you lunch", "You owe me lunch"],
    ["Ann moved from Rome to Paris", "Ann moved to Rome from Paris"],
    ["Flight from Paris to London", "Flight from London to Paris"],
    ["The shop is open", "The shop was open"],
    ["Ada trinkt Tee", "Ada trinkt keinen Tee"],
    ["Ada mag Tee", "Ada mag Tee nicht"],
    ["Ada aime le thé", "Ada n'aime pas le thé"],
    ["A Ada le gusta el té", "A Ada no le gusta el té"],
    ["Ada beve tè", "Ada non beve tè"],
    ["Ada lubi herbatę", "Ada nie lubi herbaty"],
    ["Ada lubi herbatę", "Ada nie lubi herbatę"],
    ["Ада любит чай", "Ада не любит чай"],
    ["Ada çay içer", "Ada çay içer değil"],
    ["喜欢茶", "不喜欢茶"],
    ["お茶が好き", "お茶が好きじゃない"],
    ["차를 마신다", "차를 안 마신다"],
    ["ฉันชอบชา", "ฉันไม่ชอบชา"],
    ["آدا تحب الشاي", "آدا لا تحب الشاي"],
    ["עדה אוהבת תה", "עדה לא אוהבת תה"],
    ["आदा को चाय पसंद है", "आदा को चाय पसंद नहीं है"],
    ["", "Ada likes tea"],
    ["…", "…"],
  ])("'%s' and '%s' are no near-duplicates", (one, other) => {
    expect(areNear(one, other)).toBe(false);
  });

  test("a text with other case, spaces, punctuation and articles is a near-duplicate of the text", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{2,8}[0-9]?$/), { minLength: 1 });
    fc.assert(
      fc.property(words, (list) => {
        expect(areNear(`x ${list.join(" ")}`, `The X, ${list.join("  ")}.`)).toBe(true);
      }),
    );
  });

  test("a text with an added number, name, negation or sign is no near-duplicate of the text", () => {
    const words = fc.array(fc.stringMatching(/^[b-z]{2,8}$/), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.nat(), fc.constantFrom("7", "Zora", "not", "$"), (list, at, more) => {
        const longer = list.toSpliced(at % (list.length + 1), 0, more);
        expect(areNear(list.join(" "), longer.join(" "))).toBe(false);
      }),
    );
  });
});
