import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { AddInput } from "../../../../src/core/memories/service.js";
import type { Embedder } from "../../../../src/core/ports/embedder.js";
import { openStaticEmbedder } from "../../../../src/embed/static/static-embedder.js";
import { addAll, call, createService, queryOf, secondsAt } from "../search-service.js";

let bundled: Embedder;
beforeAll(async () => {
  const folder = join(import.meta.dirname, "../../../../models/static-256");
  bundled = await openStaticEmbedder({ folder });
});

/** Returns the relevance of a memory for a query, beside other memories. */
async function relevanceOf(memory: string | Omit<AddInput, "namespace">, query: string) {
  const service = await createService(bundled);
  const given = typeof memory === "string" ? { content: memory } : memory;
  await addAll(service, [given, { content: "The chimney sweep found a nest in the flue" }]);
  const { stages } = await service.explain(queryOf(query, { minRelevance: 0 }), "m1", call);
  return stages.find(({ name }) => name === "relevance")?.score ?? Number.NaN;
}

describe("a memory that lacks a number, code or id of the query has a relevance of at most 0.3", () => {
  test.each([
    ["Order 48213 was shipped to Cork", "Where was order 48231 shipped?"],
    ["Invoice INV-2023-17 is paid", "Is invoice INV-2023-71 paid?"],
    ["Her IBAN is DE89 3704 0044 0532 0130 00", "Is her IBAN DE89 3704 0044 0532 0131 00?"],
    ["DE89370400440532013000", "DE75512108001245126199"],
    ["Mia's phone number is +49 170 1234567", "Is +49 170 7654321 Mia's phone number?"],
    ["The flat 4 has a leaking tap", "Which flat has the leaking tap, flat 7?"],
    ["Lunch on 2024-03-08", "2024-03-18"],
    ["The door code is 1234", "What is door code 4321?"],
  ])("%j for the query %j", async (content, query) => {
    expect(await relevanceOf(content, query)).toBeLessThanOrEqual(0.3);
  });
});

describe("a memory that has the number, code or id in another spelling keeps its relevance", () => {
  test.each([
    ["Order 48231 was shipped to Cork", "Where was order #48231 shipped?"],
    ["Her IBAN is DE89370400440532013000", "Is her IBAN DE89 3704 0044 0532 0130 00?"],
    ["Her IBAN is DE89 3704 0044 0532 0130 00", "Is her IBAN DE89370400440532013000?"],
    ["Mia's phone number is +49 (170) 123-4567", "Is +491701234567 Mia's phone number?"],
    ["The rent of the flat is 1250 euros", "Is the rent of the flat 1,250.00 euros?"],
    ["She has two cats, Tiger and Momo", "Which 2 cats has she?"],
    ["The part has the number B12", "Which part has the number B-12?"],
  ])("%j for the query %j", async (content, query) => {
    expect(await relevanceOf(content, query)).toBeGreaterThan(0.5);
  });
});

test("a date of the query is no number that a memory must have", async () => {
  const dinner = { content: "Dinner with Mia at the harbour", eventTime: secondsAt("2024-03-18") };
  const query = "dinner with Mia at the harbour";
  for (const date of ["on 18 March 2024", "on 2024-03-18", "in 2024"])
    expect(await relevanceOf(dinner, `${query} ${date}`)).toBeGreaterThan(0.5);
});

test("a gate of 0.5 stays closed for a memory about another number", async () => {
  const service = await createService(bundled);
  await addAll(service, [{ content: "Order 48213 was shipped to Cork" }]);
  const summaryOf = async (query: string) =>
    (await service.search(queryOf(query, { gate: 0.5 }), call)).summary;
  expect((await summaryOf("Where was order 48231 shipped?")).gateClosed).toBe(true);
  expect((await summaryOf("Where was order 48213 shipped?")).gateClosed).toBeUndefined();
});
