import { describe, expect, test } from "vitest";
import { withFinalQuestion } from "../../../../src/core/search/query/final-question.js";
import { addAll, contentsOf, createService, queryOf } from "../search-service.js";

const story =
  "We spent the whole weekend at the lake, and the children built a raft with their cousins. It " +
  "rained on Sunday, so we played cards in the tent and burned the soup.";

const germanStory =
  "Wir waren am Wochenende mit den Kindern am See, und sie haben mit den Vettern ein Floß gebaut. " +
  "Am Sonntag hat es geregnet, und die Suppe ist uns angebrannt.";

describe("a long query that ends with a question", () => {
  test("finds the answer to the question before memories of the story", async () => {
    const service = await createService();
    const answer = "The plumber charges eighty euros an hour";
    await addAll(
      service,
      [
        answer,
        "The children love the lake and built a raft",
        "Sunday was rained out, so the cousins played cards",
      ].map((content) => ({ content })),
    );
    const query = `${story} How much does the plumber charge per hour?`;
    expect((await contentsOf(service, queryOf(query)))[0]).toBe(answer);
  });

  test.each([
    ["in English", story, "How much does the plumber charge per hour?"],
    [
      "in Chinese",
      "上周末我们全家去湖边露营，孩子们和表兄弟一起做了一只木筏，非常开心。",
      "水管工每小时收多少钱？",
    ],
  ])("counts its last sentence three times: %s", (_, before, question) => {
    expect(withFinalQuestion(`${before} ${question} \n`)).toBe(
      `${before} ${question} ${question} ${question}`,
    );
  });
});

test.each([
  ["a short query", "The tap drips again. How much does the plumber charge per hour?"],
  ["a question that asks nothing", `${story} Can you help me with that?`],
  ["a German question that asks nothing", `${germanStory} Können Sie mir bei dem helfen?`],
  ["a long query without a question", story],
  ["a single sentence", story.replaceAll(/[.,]/g, "").concat("?")],
])("the words of %s count once", (_, query) => {
  expect(withFinalQuestion(query)).toBe(query);
});
