import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Embedder } from "../../../src/core/ports/embedder.js";
import { openStaticEmbedder } from "../../../src/embed/static/static-embedder.js";
import { addAll, call, contentsOf, createService, queryOf, secondsAt } from "./search-service.js";

let bundled: Embedder;
beforeAll(async () => {
  const folder = join(import.meta.dirname, "../../../models/static-256");
  bundled = await openStaticEmbedder({ folder });
});

test.each([
  [
    "¿A qué hora sale el avión?",
    ["El coche está en el taller hasta el viernes", "El vuelo a Roma sale a las siete"],
  ],
  [
    "What time does the plane leave?",
    ["The car is in the garage until Friday", "The plane to Rome leaves at seven"],
  ],
  [
    "Um wie viel Uhr geht der Flug?",
    ["Das Auto ist bis Freitag in der Werkstatt", "Der Flug nach Rom geht um sieben"],
  ],
  [
    "À quelle heure part l'avion ?",
    ["La voiture est au garage jusqu'à vendredi", "L'avion pour Rome part à sept heures"],
  ],
  ["飞机几点起飞？", ["车在修理厂到星期五", "去罗马的飞机七点起飞"]],
])("%j finds the hour before a day of something else", async (question, [day, hour]) => {
  for (const embedder of [undefined, bundled]) {
    const service = await createService(embedder);
    await addAll(service, [{ content: hour as string }, { content: day as string }]);
    const [first] = await contentsOf(service, queryOf(question, { minRelevance: 0 }));
    expect(first).toBe(hour);
  }
});

describe("the time zone of a query", () => {
  const dinner = "Ann cooked noodles";
  const lunch = "Ann had a salad";
  /** Dinner is at 20:00 on 26 November in Los Angeles, and lunch at 12:00 on 27 November. */
  const meals = [
    { content: dinner, eventTime: secondsAt("2026-11-27T04:00:00Z") },
    { content: lunch, eventTime: secondsAt("2026-11-27T20:00:00Z") },
  ];
  const referenceTime = secondsAt("2026-11-28T04:00:00Z");

  test.each([
    ["What happened on 26 November?", "-08:00", [dinner]],
    ["What happened on 26 November?", "America/Los_Angeles", [dinner]],
    ["What happened on 26 November?", undefined, []],
    ["What happened on 27 November?", undefined, [dinner, lunch]],
    ["What happened yesterday?", "America/Los_Angeles", [dinner]],
    ["What happened yesterday?", "Asia/Tokyo", [dinner]],
    ["What happened before 27 November?", "America/Los_Angeles", [dinner]],
    ["What happened before 27 November?", "Asia/Tokyo", []],
    ["What happened since 27 November?", "America/Los_Angeles", [lunch]],
  ])("%j in %s", async (question, timeZone, expected) => {
    const service = await createService();
    await addAll(service, meals);
    const found = await contentsOf(service, queryOf(question, { timeZone, referenceTime }));
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  test("decides which memories are near-copies", async () => {
    const times = ["2026-11-26T23:00:00Z", "2026-11-27T01:00:00Z"];
    let nowMs = 0;
    const service = await createService(undefined, { nowMs: () => nowMs });
    for (const time of times) {
      nowMs = Date.parse(time);
      await addAll(service, [{ content: "Took the pill" }]);
    }
    const countIn = async (timeZone: string) =>
      (await contentsOf(service, queryOf("pill", { timeZone }))).length;
    expect(await countIn("UTC")).toBe(2);
    expect(await countIn("Europe/Madrid")).toBe(1);
  });

  test("decides on which day a turn says `yesterday`", async () => {
    const service = await createService();
    await addAll(service, [
      { content: "filler words here", threadId: "t", eventTime: secondsAt("2026-11-01T00:00:00Z") },
      {
        content: "I met Bob yesterday",
        threadId: "t",
        eventTime: secondsAt("2026-11-27T04:00:00Z"),
      },
    ]);
    const mentionIn = async (timeZone: string) => {
      const query = queryOf("Whom did you meet on 25 November 2026?", { timeZone });
      const { hits } = await service.search(query, call);
      return hits.find(({ memory }) => memory.content.includes("Bob"))?.scores.mention ?? 0;
    };
    expect(await mentionIn("America/Los_Angeles")).toBeGreaterThan(await mentionIn("UTC"));
  });

  test("must exist", async () => {
    const service = await createService();
    await expect(
      service.search(queryOf("tea", { timeZone: "Mars/Olympus" }), call),
    ).rejects.toMatchObject({ reason: "UNKNOWN_TIME_ZONE", field: "time_zone" });
  });
});
