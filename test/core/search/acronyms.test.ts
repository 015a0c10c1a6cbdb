import { expect, test } from "vitest";
import { addAll, contentsOf, createService, queryOf } from "./search-service.js";

const texts = [
  "It was raining",
  "It is late. It is dark. It is cold",
  "Ada has worked in the department of IT since the spring of last year",
  "who is that",
  "Who was it? Who knows",
  "The guidance on malaria that the WHO published in the spring is in the drawer",
];

test.each([
  ["IT", "IT"],
  ["WHO", "WHO"],
  ["What does IT do?", "IT"],
  ["advice of the WHO", "WHO"],
])("the query %j returns the memory with %s in capitals first", async (query, acronym) => {
  const service = await createService();
  await addAll(
    service,
    texts.map((content) => ({ content })),
  );
  const [first] = await contentsOf(service, queryOf(query));
  expect(first).toMatch(new RegExp(`\\b${acronym}\\b`));
});

test("an acronym also finds a memory that has it in small letters alone", async () => {
  const service = await createService();
  await addAll(service, [{ content: "ada works in it" }, { content: "The printer is old" }]);
  expect((await contentsOf(service, queryOf("IT")))[0]).toBe("ada works in it");
});
