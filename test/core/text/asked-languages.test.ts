import { expect, test } from "vitest";
import type { Language } from "../../../src/core/text/stop-words.js";
import { answerTraitsOf, askedTraitsOf, turnTraitsOf } from "../../../src/core/text/turn-traits.js";

test.each([
  ["Wann ist der Termin?", true, false],
  ["Wie lange war sie dort?", true, false],
  ["Wie viele Hunde haben sie?", false, true],
  ["Quand est le rendez-vous ?", true, false],
  ["Combien de kilomètres court-il ?", false, true],
  ["¿Cuándo es la cita?", true, false],
  ["¿A qué hora sale el vuelo?", true, false],
  ["¿Cuántos perros tienen?", false, true],
  ["Quando parte il volo?", true, false],
  ["Quanti cani hanno?", false, true],
  ["Quantos cães eles têm?", false, true],
  ["Wanneer vertrekt de vlucht?", true, false],
  ["Hoeveel honden hebben ze?", false, true],
  ["Kiedy jest spotkanie?", true, false],
  ["Ile psów mają?", false, true],
  ["Когда встреча?", true, false],
  ["Сколько у них собак?", false, true],
  ["متى موعد البنك؟", true, false],
  ["كم كلبا لديهم؟", false, true],
  ["会议是什么时候？", true, false],
  ["他们有几只狗？", false, true],
  ["会議はいつですか？", true, false],
  ["犬は何匹？いくつ？", false, true],
  ["¿Cuándo es la cita?".normalize("NFD"), true, false],
  ["In welchem Jahr war das?", true, false],
  ["En quelle année est-il né ?", true, false],
  ["你是哪一年出生的？", true, false],
  ["いつもの店はどこ？", false, false],
  ["いつか行きたい店は？", false, false],
  ["Qui vient quand même ?", false, false],
  ["Ile de Ré, c'est où ?", false, false],
  ["茶几放在哪里？", false, false],
  ["Wer ist sie?", false, false],
  ["Köpek ile kim geldi?", false, false],
])("%j asks for a time: %s, for a number: %s", (query, time, number) => {
  expect(askedTraitsOf(query)).toMatchObject({ time, number });
});

test.each<[string, Language | undefined, boolean]>([
  ["Der Termin ist am Donnerstag.", "german", true],
  ["Wir kamen gestern an.", "german", true],
  ["Der Termin ist wichtig.", "german", false],
  ["Le rendez-vous est jeudi.", "french", true],
  ["La cita es el miércoles.", "spanish", true],
  ["Il volo parte a luglio.", "italian", true],
  ["O voo parte na quinta-feira.", "portuguese", true],
  ["De vlucht vertrekt vandaag.", "dutch", true],
  ["Spotkanie jest w środę.", "polish", true],
  ["Spotkanie jest w październiku.", "polish", true],
  ["Встреча в пятницу.", undefined, true],
  ["Встреча в банке.", undefined, false],
  ["موعد البنك يوم الخميس.", undefined, true],
  ["会议定在星期四。", undefined, true],
  ["会议下午三点开始。", undefined, true],
  ["他有一点累。", undefined, false],
  ["打ち合わせは木曜日です。", undefined, true],
  ["他要走三天。", undefined, true],
  ["La cita es el miércoles.".normalize("NFD"), "spanish", true],
  ["Es war der dritte Fall.", "german", false],
  ["Das war 2019.", "german", true],
  ["Le projet a été confié à Marie.", "french", false],
  ["On part en été.", "french", true],
  ["Spotkanie jest jesienią.", "polish", true],
  ["Это часть проекта, часто.", undefined, false],
  ["Через два часа.", undefined, true],
  ["نأكل الطعام في بغداد قبل الغداء.", undefined, false],
  ["نلتقي بالخميس.", undefined, true],
  ["نلتقي في الصباح.", undefined, true],
  ["打ち合わせは銀行です。", undefined, false],
])("the time in %j (%s) is found: %s", (text, language, hasTime) => {
  expect(answerTraitsOf(text, language).hasTime).toBe(hasTime);
});

test("number words count only in English, digits in each language", () => {
  const hasNumber = (text: string, language: Language) => answerTraitsOf(text, language).hasNumber;
  expect(hasNumber("We have ten dogs", "english")).toBe(true);
  expect(hasNumber("Ten pies jest mój", "polish")).toBe(false);
  expect(hasNumber("Mamy 3 psy", "polish")).toBe(true);
});

test("a time in brackets at the end counts for a fact, but not for a turn", () => {
  const text = "The dentist appointment is [2026-03-04 10:00]";
  expect(answerTraitsOf(text, "english").hasTime).toBe(true);
  expect(turnTraitsOf(text, "english").hasTime).toBe(false);
});

test("a word is a time only in the language of its text", () => {
  // "hier" is "yesterday" in French and "here" in German.
  expect(answerTraitsOf("Die Bank ist hier.", "german").hasTime).toBe(false);
  expect(answerTraitsOf("The hotel is by the Mars shop, hier.", "english").hasTime).toBe(false);
  expect(answerTraitsOf("Hier, la banque.", undefined).hasTime).toBe(false);
});

test.each(["lut", "час ", "1 ", "combien ", "  ile", "周", "几", "وف", "d.é"])(
  "questions and times are found in a long text of repeated %j in time linear in its length",
  (part) => {
    // A pattern that backtracks would take minutes.
    const text = part.repeat(65_536 / part.length);
    expect(askedTraitsOf(text).time).toBe(false);
    expect(answerTraitsOf(text, "polish").hasTime).toBe(part.startsWith("час"));
  },
);
