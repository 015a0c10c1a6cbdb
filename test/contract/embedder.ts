import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Embedder } from "../../src/core/ports/embedder.js";

/** The contract of `Embedder`. `open` is called once. */
export function describeEmbedder(name: string, open: () => Promise<Embedder>): void {
  describe(`embedder ${name}`, () => {
    const { signal } = new AbortController();
    let embedder: Embedder;
    beforeAll(async () => {
      embedder = await open();
    });

    async function embedOne(text: string): Promise<Float32Array> {
      const [vector] = await embedder.embed([text], signal);
      if (vector === undefined) throw new Error("no vector");
      return vector;
    }

    test("an embedder has a model id, a dimension and a calibration", () => {
      const { modelId, dimension, calibration } = embedder;
      expect(modelId).toMatch(/^\S+@\S+$/);
      expect(dimension).toBeGreaterThanOrEqual(1);
      expect(dimension).toBeLessThanOrEqual(4096);
      expect(calibration.vectorWeight).toBeGreaterThan(0);
      expect(calibration.vectorWeight).toBeLessThanOrEqual(1);
      expect(calibration.paraphraseScore).toBeGreaterThan(calibration.randomScore);
    });

    test("an embedder returns a vector of unit length, or zeros, for any text", async () => {
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), async (text) => {
          const vector = await embedOne(text);
          expect(vector).toHaveLength(embedder.dimension);
          const length = lengthOf(vector);
          if (length !== 0) expect(length).toBeCloseTo(1, 5);
        }),
      );
    });

    test("an embedder returns a vector that is not zero for a sentence", async () => {
      expect(lengthOf(await embedOne("The parcel arrives on Thursday."))).toBeCloseTo(1, 5);
    });

    test("an embedder returns the same vector each time", async () => {
      const first = await embedOne("The parcel arrives on Thursday.");
      await embedOne("Something else entirely");
      expect(await embedOne("The parcel arrives on Thursday.")).toEqual(first);
    });

    test("an embedder returns a vector that the caller may change", async () => {
      const vector = await embedOne("The parcel arrives on Thursday.");
      const copy = vector.slice();
      vector.fill(0);
      expect(await embedOne("The parcel arrives on Thursday.")).toEqual(copy);
    });

    test("an embedder returns the same vector for a text alone and together with other texts", async () => {
      const texts = [
        "a lake in winter",
        "",
        "two",
        "a lake in winter",
        "Übung macht den Meister",
        "!?",
      ];
      const vectors = await embedder.embed(texts, signal);
      expect(vectors).toHaveLength(texts.length);
      for (const [index, text] of texts.entries())
        expect(vectors[index]).toEqual(await embedOne(text));
    });

    test("an embedder returns no vectors for an empty list of texts", async () => {
      expect(await embedder.embed([], signal)).toEqual([]);
    });

    test("an embedder places a paraphrase nearer than an unrelated text", async () => {
      const memory = await embedOne("My sister keeps three horses on a farm.");
      const same = await embedOne("Three horses live on the farm of my sister.");
      const other = await embedOne("The invoice has to be paid by bank transfer.");
      expect(cosine(memory, same)).toBeGreaterThan(cosine(memory, other) + 0.2);
    });

    test.each([
      ["lone surrogates", "a \ud800 b \udc00\ud800 c"],
      ["a word of 80,000 letters", "abcdefghij".repeat(8_000)],
      ["65,000 emoji", "🙂".repeat(65_000)],
      ["40,000 accents on one letter, out of order", `a${"\u0301\u0327".repeat(20_000)}`],
      ["40,000 letters of a script without spaces", "記憶".repeat(20_000)],
      ["control characters", "\0\u0007\u001b\u0085\ufeff\uffff"],
    ])("an embedder accepts %s", async (_, text) => {
      const vector = await embedOne(text);
      expect(vector.every(Number.isFinite)).toBe(true);
    });

    test("an embedder fails a cancelled call with the reason of the cancellation", async () => {
      const reason = new Error("the caller is gone");
      await expect(embedder.embed(["text"], AbortSignal.abort(reason))).rejects.toBe(reason);
    });
  });
}

function lengthOf(vector: Float32Array): number {
  return Math.sqrt(cosine(vector, vector));
}

/** Returns the cosine of two unit vectors. */
function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
