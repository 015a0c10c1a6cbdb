// Tests of the parts for adapters: `adapters.mjs ADDRESS`, with the address of a real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addAll,
  appendAll,
  checkIds,
  cutQuery,
  Failures,
  hashOf,
  splitContent,
  splitText,
} from "../dist/adapters/index.js";
import { Code, connect, VademecumError } from "../dist/index.js";

const address = process.argv[2] ?? "127.0.0.1:8080";

test("a text is split at the limit, and never inside a character", () => {
  assert.deepEqual(splitText("", 4), []);
  assert.deepEqual(splitText("abcdef", 4), ["abcd", "ef"]);
  assert.deepEqual(splitText("a🌰é日", 4), ["a", "🌰", "é", "日"]);
  const text = "né🌰".repeat(30_000);
  assert.equal(splitText(text, 65_536).join(""), text);
  assert.deepEqual(splitText("\ufeffhalf \ud83d", 20), ["\ufeffhalf \ufffd"]);
});

test("content has pieces of at most 64 KiB, and none of white space", () => {
  assert.deepEqual(splitContent(" \n"), []);
  assert.deepEqual(splitContent("a".repeat(65_537)), ["a".repeat(65_536), "a"]);
  assert.deepEqual(splitContent(`${"a".repeat(65_536)} \n`), ["a".repeat(65_536)]);
});

test("a query has at most 8 KiB, and none for white space", () => {
  assert.equal(cutQuery("\u00a0\n"), "");
  assert.equal(cutQuery("  nuts "), "nuts");
  assert.equal(cutQuery("é".repeat(5000)), "é".repeat(4096));
});

test("an id that is missing or empty is named", () => {
  checkIds({ userId: "ada", agentId: "guide" });
  for (const id of ["", undefined, null, 3])
    assert.throws(() => checkIds({ userId: "ada", agentId: id }), /^TypeError: agentId is missing/);
});

test("more memories than one call takes are stored in order", async () => {
  const client = connect(address);
  const memories = client.memories("many", "agent");
  const added = [
    ...Array.from({ length: 501 }, (_, index) => ({ content: `number ${index}` })),
    ...Array.from({ length: 20 }, (_, index) => ({ content: `${index} `.repeat(20_000) })),
  ];
  const ids = await addAll(memories, added);
  const stored = await memories.getMany({ ids: [ids[0], ids[500], ids[520]] });
  assert.deepEqual(
    stored.memories.map(({ content }) => content),
    [added[0], added[500], added[520]].map(({ content }) => content),
  );
  assert.equal(new Set(ids).size, added.length);
  assert.deepEqual(await addAll(memories, []), []);
  client.close();
});

test("more turns than one call takes are stored in order, once for each key", async () => {
  const client = connect(address);
  const threads = client.threads("turns", "agent");
  const turns = [
    ...Array.from({ length: 501 }, (_, index) => ({ content: `number ${index}` })),
    ...Array.from({ length: 20 }, (_, index) => ({ content: `${index} `.repeat(20_000) })),
  ];
  for (let times = 0; times < 2; times += 1) await appendAll(threads, "long", turns, "a key");
  const stored = await threads.getTurns({ threadId: "long", limit: 1000 });
  assert.deepEqual(
    stored.turns.map(({ content }) => content),
    turns.map(({ content }) => content),
  );
  await appendAll(threads, "empty", []);
  client.close();
});

test("equal texts have the same hash", () => {
  assert.equal(hashOf("é"), "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
});

test("large vectors and metadata are divided into several calls", async () => {
  const client = connect(address);
  const memories = client.memories("vectors", "agent");
  const vector = Array.from({ length: 1536 }, (_, index) => (index % 7) + 1);
  const metadata = { list: Array.from({ length: 400 }, (_, index) => index) };
  const added = Array.from({ length: 60 }, (_, index) => ({
    content: `number ${index}`,
    embedding: vector,
    metadata,
  }));
  assert.equal(new Set(await addAll(memories, added)).size, 60);
  client.close();
});

test("a refused memory fails with its own error, and the others of its call are stored", async () => {
  const client = connect(address);
  const memories = client.memories("refused", "agent");
  await assert.rejects(
    addAll(memories, [{ content: "" }, { content: "kept" }]),
    (error) =>
      error instanceof VademecumError &&
      error.code === Code.InvalidArgument &&
      error.reason === "INVALID_FIELD" &&
      error.violations[0].field === "content",
  );
  const { memories: stored } = await memories.getAll();
  assert.deepEqual(
    stored.map(({ content }) => content),
    ["kept"],
  );
  client.close();
});

test("a failure is thrown, or reported once", async () => {
  const fail = () => Promise.reject(new Error("no server"));
  await assert.rejects(new Failures("throw").handle(fail), /no server/);
  const warnings = [];
  const failures = new Failures("continue", (message) => warnings.push(message));
  assert.equal(await failures.handle(() => Promise.resolve(3)), 3);
  for (let times = 0; times < 2; times += 1) assert.equal(await failures.handle(fail), undefined);
  assert.deepEqual(warnings, [
    "The agent goes on without memory, and further failures are not reported: Error: no server",
  ]);
});
