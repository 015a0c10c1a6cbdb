import { expect, test } from "vitest";
import { addAll, contentsOf, createService, queryOf } from "./search-service.js";

test.each([
  ["Müller ist ein Freund von der Ada", "Mueller"],
  ["Mueller ist ein Freund von der Ada", "Müller"],
  ["Ada was born in Łódź", "Lodz"],
  ["Ada was born in Lodz", "Łódź"],
  ["Søren plays the cello", "soren"],
  ["The ferry to Đà Nẵng is late", "Da Nang"],
  ["The people of Þingeyri bake bread", "Thingeyri"],
  ["The hors d'œuvre was fine", "oeuvre"],
  ["Ada ate smørrebrød at noon", "smorrebrod"],
  ["Ħal Qormi has a bakery", "Hal Qormi"],
])("%j is found by the query %j", async (content, query) => {
  const service = await createService();
  await addAll(service, [{ content }, { content: "The printer needs a new drum" }]);
  const relevant = await contentsOf(service, queryOf(query, { gate: 1 }));
  expect(relevant).toEqual([content]);
});

test("tags and kinds are found without the marks of their letters", async () => {
  const service = await createService();
  await addAll(service, [
    { content: "first", tags: ["Łódź"] },
    { content: "second", kind: "smørrebrød" },
  ]);
  expect(await contentsOf(service, queryOf("lodz"))).toEqual(["first"]);
  expect(await contentsOf(service, queryOf("smorrebrod"))).toEqual(["second"]);
});
