import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Embedder } from "../../../src/core/ports/embedder.js";
import { openStaticEmbedder } from "../../../src/embed/static/static-embedder.js";
import { addAll, call, contentsOf, createService, queryOf } from "./search-service.js";

const memories = {
  chinese: ["我姐姐去年搬到里斯本当护士。", "他对花生过敏，总是带着药。", "爷爷修理旧钟表。"],
  japanese: [
    "姉はリスボンへ引っ越して看護師になった。",
    "東京行きの便は十二番ゲートから出る。",
    "今朝、電車に傘を忘れた。",
  ],
  korean: ["언니는 리스본으로 이사했다.", "기차에 우산을 두고 내렸다."],
  thai: ["พี่สาวย้ายไปลิสบอน", "ผมลืมร่มบนรถไฟ"],
  arabic: [
    "انتقلت أختي إلى لشبونة وتعمل ممرضة.",
    "موعد البنك يوم الخميس.",
    "نسيت مظلتي في القطار هذا الصباح.",
  ],
  hebrew: ["אחותי עברה לליסבון", "שכחתי מטרייה ברכבת"],
  russian: ["Моя сестра переехала в Лиссабон.", "Самолёт вылетает из двенадцатого выхода."],
  german: [
    "Meine Schwester zog nach Lissabon.",
    "Großvater reparierte alte Uhren.",
    "Die Kinder haben Bohnen und Möhren gepflanzt.",
  ],
  english: [
    "My sister moved to Lisbon and is a nurse.",
    "He is allergic to peanuts.",
    "I forgot my umbrella on the train.",
  ],
};

const all = Object.values(memories).flat();

const questions: readonly (readonly [string, string])[] = [
  ["姐姐搬到哪里了？", memories.chinese[0] ?? ""],
  ["他对什么过敏", memories.chinese[1] ?? ""],
  ["钟", memories.chinese[2] ?? ""],
  ["看護師は誰？", memories.japanese[0] ?? ""],
  ["どのｹﾞｰﾄから出る？", memories.japanese[1] ?? ""],
  ["傘", memories.japanese[2] ?? ""],
  ["리스본으로 이사한 사람?", memories.korean[0] ?? ""],
  ["ร่มอยู่ที่ไหน", memories.thai[1] ?? ""],
  ["أين تعمل اختي؟", memories.arabic[0] ?? ""],
  ["متى مَوْعِدُ البَنْك؟", memories.arabic[1] ?? ""],
  ["ماذا نسيت في القـــطار؟", memories.arabic[2] ?? ""],
  ["מִטְרִיָּה ברכבת", memories.hebrew[1] ?? ""],
  ["Куда переехала СЕСТРА?", memories.russian[0] ?? ""],
  ["откуда вылетает самолет?", memories.russian[1] ?? ""],
  ["Was hat Grossvater repariert?", memories.german[1] ?? ""],
  ["MOHREN und Bohnen", memories.german[2] ?? ""],
  ["Where does the nurse live, ＬＩＳＢＯＮ?", memories.english[0] ?? ""],
];

let bundled: Embedder;
beforeAll(async () => {
  bundled = await openStaticEmbedder({
    folder: join(import.meta.dirname, "../../../models/static-256"),
  });
});

describe("memories of many languages", () => {
  test("search finds the memory that answers each question by keywords, even if spellings differ", async () => {
    const service = await createService();
    await addAll(
      service,
      all.map((content) => ({ content })),
    );
    for (const [question, memory] of questions)
      expect((await contentsOf(service, queryOf(question)))[0], question).toBe(memory);
  });

  test("search finds the memory that answers each question even with a model for English only", async () => {
    const service = await createService(bundled);
    await addAll(
      service,
      all.map((content) => ({ content })),
    );
    for (const [question, memory] of questions)
      expect((await contentsOf(service, queryOf(question)))[0], question).toBe(memory);
  });

  test("search finds compounds and inflected forms by their parts", async () => {
    const service = await createService(bundled);
    await addAll(
      service,
      memories.german.map((content) => ({ content })),
    );
    expect((await contentsOf(service, queryOf("Was pflanzten Kinder?")))[0]).toBe(
      memories.german[2],
    );
    expect((await contentsOf(service, queryOf("Uhrenreparatur")))[0]).toBe(memories.german[1]);
  });
});

test("a query in a language that the model does not know gets the relevance of keywords alone", async () => {
  const [withVectors, keywordsOnly] = [await createService(bundled), await createService()];
  for (const service of [withVectors, keywordsOnly])
    await addAll(
      service,
      all.map((content) => ({ content })),
    );
  for (const query of ["Куда переехала сестра?", "أين تعمل أختي؟", "姐姐搬到哪里了？"]) {
    const relevances = async (service: typeof keywordsOnly) =>
      (await service.search(queryOf(query), call)).hits.map(({ memory, scores }) => [
        memory.content,
        scores.relevance,
      ]);
    expect(await relevances(withVectors)).toEqual(await relevances(keywordsOnly));
  }
});

test("a query of nine letters of which the model knows five gets five ninths of the vector weight", async () => {
  const service = await createService(bundled);
  await addAll(service, [{ content: "The nurse lives in Lisbon" }]);
  const [hit] = (await service.search(queryOf("nurse 护士护士"), call)).hits;
  const scores = hit?.scores ?? expect.fail("no hit");
  const { keyword, vector, final, similarWords, recency, importance } = scores;
  const share = 5 / 9;
  const matched = (1 - 0.4 * share) * keyword + 0.4 * share * vector;
  expect(final).toBeCloseTo(matched + similarWords + 0.02 * recency + 0.02 * importance, 6);
  const { stages } = await service.explain(queryOf("nurse 护士护士"), "m1", call);
  const scoreOf = (name: string) => stages.find((stage) => stage.name === name)?.score;
  expect(scoreOf("fused")).toBeCloseTo(matched, 6);
  expect(scoreOf("importance")).toBeCloseTo(final, 10);
});
