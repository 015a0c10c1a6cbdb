import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "node:process";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { openStaticEmbedder } from "../../src/embed/static/static-embedder.js";
import { runSearches } from "./run-searches.js";

/** The outcomes of an earlier version. CONTRIBUTING.md has the command that writes them. */
const file = join(import.meta.dirname, "outcomes.json.gz");

/** Largest difference between two scores that count as equal. */
const tolerance = 1e-6;

it("1,000 searches return the same hits, scores and summaries as in the file outcomes.json.gz", async () => {
  const folder = join(import.meta.dirname, "../../models/static-256");
  const outcomes = await runSearches(await openStaticEmbedder({ folder }), folder);
  if (env["VADEMECUM_WRITE_SEARCH_REFERENCE"] !== undefined)
    writeFileSync(file, gzipSync(JSON.stringify(outcomes), { level: 9 }));
  const reference = JSON.parse(gunzipSync(readFileSync(file)).toString()) as unknown[];
  expect(outcomes).toHaveLength(reference.length);
  for (const [at, outcome] of outcomes.entries()) {
    if (!areEqual(outcome, reference[at]))
      expect(outcome, `query ${at} of queries.ts`).toEqual(reference[at]);
  }
});

/** Whether two JSON values are equal, apart from tiny differences between numbers. */
function areEqual(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) <= tolerance;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) =>
    areEqual((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}
