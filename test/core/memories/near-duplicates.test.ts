import { expect, it } from "vitest";
import { call, createService, namespace } from "../search/search-service.js";

it("Add reports a short near-duplicate although longer memories with the same vector are newer", async () => {
  const service = await createService();
  const embedding = Float32Array.of(1, 0);
  const add = (content: string) => service.add({ namespace, content, embedding }, call);
  const { id } = await add("My sister keeps horses there");
  await add("The ferry runs again. ".repeat(2000));
  await add("The library is closed. ".repeat(2000));
  const { nearDuplicates } = await add("My sister keeps horses");
  expect(nearDuplicates).toEqual([{ id, relevance: 0.99 }]);
});
