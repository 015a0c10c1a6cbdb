import { beforeEach, describe, expect, test } from "vitest";
import type { IndexQuery } from "../../../src/core/ports/search-index.js";
import { type IndexContext, notes } from "./context.js";

export function describeCandidates(context: IndexContext): void {
  describe("candidates", () => {
    beforeEach(async () => {
      await context.add(notes, "a", "Ann moved to Oslo", Float32Array.of(3, 0, 4));
      await context.add(notes, "b", "Ben lives in Lisbon", Float32Array.of(0, 2, 0));
      await context.add(notes, "c", "The harbour of Oslo");
    });

    test("the candidates of a text are the rows that share a word with it, and have keyword scores", async () => {
      const scores = await context.hits(notes, { text: "Who lives in Oslo?" });
      expect([...scores.keys()].sort()).toEqual(["a", "b", "c"]);
      for (const { keyword, vector } of scores.values()) {
        expect(keyword).toBeGreaterThan(0);
        expect(keyword).toBeLessThan(1);
        expect(vector).toBe(0);
      }
      expect(await context.found(notes, { text: "What is there?" })).toEqual([]);
    });

    test("the candidates of a vector are the rows with a positive cosine", async () => {
      const scores = await context.hits(notes, { text: "", vector: Float32Array.of(10, -1, 0) });
      expect([...scores.keys()]).toEqual(["a"]);
      expect(scores.get("a")?.vector).toBeCloseTo(30 / Math.sqrt(101) / 5, 4);
      expect(scores.get("a")?.keyword).toBe(0);
    });

    test("a query with text and vector also finds rows that match only the text, with their cosines", async () => {
      const scores = await context.hits(notes, {
        text: "Lisbon",
        vector: Float32Array.of(1, -1, 0),
      });
      expect([...scores.keys()].sort()).toEqual(["a", "b"]);
      expect(scores.get("b")?.vector).toBeCloseTo(-Math.SQRT1_2, 4);
    });

    test("the candidates of an empty query are all rows, without scores", async () => {
      expect(await context.hits(notes, { text: "" })).toEqual(
        new Map(["a", "b", "c"].map((id) => [id, { keyword: 0, vector: 0, next: undefined }])),
      );
    });

    test("candidates have no vector score for a vector of another dimension", async () => {
      const scores = await context.hits(notes, { text: "Oslo", vector: Float32Array.of(1, 0) });
      expect([...scores.values()].map(({ vector }) => vector)).toEqual([0, 0]);
    });

    test("candidates do not depend on earlier queries", async () => {
      const queries: IndexQuery[] = [
        { text: "Oslo" },
        { text: "Ann", vector: Float32Array.of(1, 1, 1) },
        { text: "" },
        { text: "", vector: Float32Array.of(0, 1, 0) },
      ];
      const first = await Promise.all(queries.map((query) => context.hits(notes, query)));
      const second = await Promise.all(
        [...queries].reverse().map((query) => context.hits(notes, query)),
      );
      expect(second.reverse()).toEqual(first);
    });
  });
}
