import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OnnxEmbedder } from "../../../src/embed/onnx/onnx-embedder.js";
import { describeEmbedder } from "../../contract/embedder.js";
import { openBuiltEmbedder } from "./built-embedder.js";
import referenceVectors from "./minilm-vectors.json" with { type: "json" };

/** Where `scripts/fetch-onnx-model.mjs` has put the model. */
const folder = process.env["VADEMECUM_TEST_ONNX_MODEL"] ?? "";
const where =
  "tested where VADEMECUM_TEST_ONNX_MODEL names the folder that scripts/fetch-onnx-model.mjs made";

describe.skipIf(folder === "")(`all-MiniLM-L6-v2 (${where})`, () => {
  const { signal } = new AbortController();
  let embedder: OnnxEmbedder;
  beforeAll(async () => {
    embedder = await openBuiltEmbedder({ folder });
  });
  afterAll(() => embedder.close());

  describeEmbedder("all-MiniLM-L6-v2", async () => embedder);

  test("has 384 numbers a vector", () => {
    expect(embedder.modelId).toMatch(/@8199be6f699a$/);
    expect(embedder.dimension).toBe(384);
  });

  // Every twenty-fourth number of each vector, from an implementation in Python: Hugging Face's own tokenizer, the same runtime.
  test.each(referenceVectors)(
    "embeds $text as the reference does",
    async ({ text, components }) => {
      const [vector] = await embedder.embed([text], signal);
      for (const [index, component] of components.entries())
        expect(vector?.[index * 24]).toBeCloseTo(component, 5);
    },
  );

  test("looks at 256 tokens of a text", async () => {
    const [full, longer] = await embedder.embed(["word ".repeat(254), "word ".repeat(400)], signal);
    expect(longer).toEqual(full);
  });
});
