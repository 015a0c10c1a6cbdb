import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OnnxEmbedder, openOnnxEmbedder } from "../../../src/embed/onnx/onnx-embedder.js";
import { describeEmbedder } from "../../contract/embedder.js";
import referenceVectors from "./minilm-vectors.json" with { type: "json" };

/** The folder that `scripts/fetch-onnx-model.mjs` has created. */
const folder = process.env["VADEMECUM_TEST_ONNX_MODEL"] ?? "";
const where =
  "tested when VADEMECUM_TEST_ONNX_MODEL names a folder that scripts/fetch-onnx-model.mjs made";

describe.skipIf(folder === "")(`all-MiniLM-L6-v2 (${where})`, () => {
  const { signal } = new AbortController();
  let embedder: OnnxEmbedder;
  beforeAll(async () => {
    embedder = await openOnnxEmbedder({ folder, log: () => {} });
  });
  afterAll(() => embedder.close());

  describeEmbedder("all-MiniLM-L6-v2", async () => embedder);

  test("all-MiniLM-L6-v2 has vectors of 384 components", () => {
    expect(embedder.modelId).toMatch(/@8199be6f699a$/);
    expect(embedder.dimension).toBe(384);
  });

  // The reference has every 24th component of each vector. The vectors come from a Python program
  // with Hugging Face's own tokenizer and the same runtime.
  test.each(referenceVectors)(
    "all-MiniLM-L6-v2 gives $text the same vector as a reference in Python",
    async ({ text, components }) => {
      const [vector] = await embedder.embed([text], signal);
      for (const [index, component] of components.entries())
        expect(vector?.[index * 24]).toBeCloseTo(component, 5);
    },
  );

  test("all-MiniLM-L6-v2 reads only the first 256 tokens of a text", async () => {
    const [full, longer] = await embedder.embed(["word ".repeat(254), "word ".repeat(400)], signal);
    expect(longer).toEqual(full);
  });
});
