import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openMiniLmEmbedder } from "../../../src/embed/minilm/minilm-embedder.js";
import type { OnnxEmbedder } from "../../../src/embed/onnx/onnx-embedder.js";
import { openStaticEmbedder } from "../../../src/embed/static/static-embedder.js";
import { describeEmbedder } from "../../contract/embedder.js";
import { hasOnnxRuntime, needsOnnxRuntime } from "../onnx/runtime.js";
import referenceVectors from "./reference-vectors.json" with { type: "json" };

const models = join(import.meta.dirname, "../../../models");
const folder = join(models, "minilm");
const log = () => {};

test("the files of the model minilm have the SHA-256 that its README states", () => {
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const rows = [...readme.matchAll(/^\| `([\w.]+)` \|.*\| `([\da-f]{64})` \|$/gm)];
  expect(rows.map(([, name]) => name)).toEqual([
    "model.onnx",
    "tokenizer.json",
    "sentence_bert_config.json",
    "LICENSE",
  ]);
  for (const [, name = "", sha256] of rows) {
    const content = readFileSync(join(folder, name));
    expect(createHash("sha256").update(content).digest("hex"), name).toBe(sha256);
  }
});

describe.skipIf(!hasOnnxRuntime)(`the embedder minilm (${needsOnnxRuntime})`, () => {
  const { signal } = new AbortController();
  let embedder: OnnxEmbedder;
  beforeAll(async () => {
    const { wordPieces } = await openStaticEmbedder({ folder: join(models, "static-256") });
    embedder = await openMiniLmEmbedder({ folder, wordPieces, log });
  });
  afterAll(() => embedder.close());

  describeEmbedder("minilm", async () => embedder);

  test("the embedder minilm has vectors of 384 components, and a measured calibration", () => {
    expect(embedder.modelId).toBe("minilm@17f51ef2221d");
    expect(embedder.dimension).toBe(384);
    expect(embedder.isCalibrated).toBe(true);
    expect(embedder.defaultFloor).toBeGreaterThan(0);
  });

  // The reference has every 24th component of each vector. The vectors come from a Python program
  // with Hugging Face's own tokenizer and float32 arithmetic.
  test.each(referenceVectors)(
    "the embedder minilm gives $text nearly the same vector as a reference in Python",
    async ({ text, components }) => {
      const [vector] = await embedder.embed([text], signal);
      for (const [index, component] of components.entries())
        expect(Math.abs((vector?.[index * 24] ?? 0) - component)).toBeLessThan(0.01);
    },
  );

  test("the embedder minilm reads only the first 256 tokens of a text", async () => {
    const [full, longer] = await embedder.embed(["word ".repeat(254), "word ".repeat(400)], signal);
    expect(longer).toEqual(full);
  });

  test("the embedder minilm places an answer without a common word above other facts", async () => {
    const [question, answer, other] = await embedder.embed(
      ["What should I drink?", "I like green tea", "I park behind the office"],
      signal,
    );
    expect(cosine(question, answer)).toBeGreaterThan(cosine(question, other) + 0.2);
  });

  test("the embedder minilm finds words of similar meaning", () => {
    const { wordPieces } = embedder;
    const piece = (word: string) => wordPieces?.piecesOf(word)[0] ?? -1;
    expect(wordPieces?.similarTo(piece("dog")).pieces).toContain(piece("puppy"));
  });

  test("the embedder minilm knows nothing of a text in another script", () => {
    expect(embedder.knownShare?.("Где мои ключи?")).toBe(0);
    expect(embedder.knownShare?.("Where are my keys?")).toBe(1);
  });

  const damages: readonly (readonly [string, (copy: string) => Promise<void>])[] = [
    ["lacks its model file", (copy) => rm(join(copy, "model.onnx"))],
    ["lacks its calibration", (copy) => rm(join(copy, "calibration.json"))],
    ["has another tokenizer", (copy) => writeFile(join(copy, "tokenizer.json"), "{}")],
    [
      "has a model file with another byte at its end",
      (copy) => writeFile(join(copy, "model.onnx"), "\0", { flag: "a" }),
    ],
  ];

  test.each(damages)("a model minilm that %s is refused as damaged", async (_, damage) => {
    const parent = await mkdtemp(join(tmpdir(), "vademecum-minilm-"));
    onTestFinished(() => rm(parent, { recursive: true }));
    const copy = join(parent, "minilm");
    await cp(folder, copy, { recursive: true });
    await damage(copy);
    await expect(
      openMiniLmEmbedder({ folder: copy, wordPieces: undefined, log }),
    ).rejects.toMatchObject({
      code: "DATA_LOSS",
      reason: "MODEL_DAMAGED",
      message: expect.stringContaining(copy) as string,
    });
  });
});

function cosine(a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()) {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
