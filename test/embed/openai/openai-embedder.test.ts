import { mkdir, writeFile } from "node:fs/promises";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { assumedCalibration } from "../../../src/embed/assumed-calibration.js";
import { describeEmbedder } from "../../contract/embedder.js";
import { embedOne, key, type OpenAiFixture, signal, startOpenAiFixture } from "./openai-fixture.js";
import { json } from "./test-endpoint.js";

describe("the OpenAI embedder keeps the contract", () => {
  let fixture: OpenAiFixture;
  afterAll(() => fixture.end());
  describeEmbedder("openai", async () => {
    fixture = await startOpenAiFixture();
    return fixture.open({ folder: fixture.folder });
  });
});

describe("the OpenAI embedder", () => {
  let fixture: OpenAiFixture;
  beforeEach(async () => {
    fixture = await startOpenAiFixture();
  });
  afterEach(() => fixture.end());

  test("the OpenAI embedder sends requests as OpenAI's API defines them", async () => {
    const embedder = await fixture.open({ endpoint: { dimensions: 16 } });
    await embedder.embed(["a", "b"], signal);
    expect(fixture.endpoint.requests[1]).toMatchObject({
      path: "/v1/embeddings",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: { model: "test-model", input: ["a", "b"], dimensions: 16, encoding_format: "float" },
    });
  });

  test("the OpenAI embedder sends no key and no dimensions without settings for them", async () => {
    const embedder = await fixture.open({ endpoint: { key: undefined } });
    await embedOne(embedder, "a");
    expect(fixture.endpoint.requests[1]?.headers).not.toHaveProperty("authorization");
    expect(fixture.endpoint.requests[1]?.body).not.toHaveProperty("dimensions");
  });

  test("the model id of the OpenAI embedder includes the dimension of the endpoint's vectors", async () => {
    expect(await fixture.open()).toMatchObject({ modelId: "test-model@64", dimension: 64 });
    expect(await fixture.open({ endpoint: { dimensions: 16 } })).toMatchObject({
      modelId: "test-model@16",
      dimension: 16,
    });
  });

  test("the OpenAI embedder combines the texts of many calls into few requests, at most four at a time", async () => {
    const embedder = await fixture.open();
    const texts = Array.from({ length: 300 }, (_, i) => `text ${i}`);
    const vectors = await Promise.all(texts.map((text) => embedOne(embedder, text)));
    expect(fixture.textsSent().length).toBeLessThanOrEqual(4 + Math.ceil(296 / 32));
    expect(fixture.textsSent().flat().sort()).toEqual(texts.toSorted());
    expect(fixture.endpoint.maxRunningRequests).toBeLessThanOrEqual(4);
    expect(vectors[123]).toEqual(await embedOne(embedder, "text 123"));
  });

  test("the OpenAI embedder sends no text of white space alone", async () => {
    const embedder = await fixture.open();
    expect(await embedder.embed(["", " \n\t\u00a0"], signal)).toEqual([
      new Float32Array(64),
      new Float32Array(64),
    ]);
    expect(fixture.textsSent()).toEqual([]);
  });

  test("the OpenAI embedder sends a long text in parts that the model accepts, and omits nothing", async () => {
    const embedder = await fixture.open();
    const text = "記憶 of 42 words ".repeat(3_000);
    await embedOne(embedder, text);
    const parts = fixture.textsSent().flat();
    expect(parts.join("")).toBe(text);
    for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(8_000);
  });

  test("the OpenAI embedder accepts components near the maximum of a float32", async () => {
    fixture.endpoint.answerAll((response, { body }) =>
      json(200, {
        data: body.input.map((_, index) => ({ index, embedding: new Array(16).fill(1e38) })),
      })(response),
    );
    const vector = await embedOne(await fixture.open(), "word ".repeat(5_000));
    expect(vector).toHaveLength(16);
    for (const value of vector) expect(value).toBeCloseTo(0.25, 6);
  });

  describe("caches vectors", () => {
    test("cached vectors avoid a second request, even after a restart", async () => {
      const first = await fixture.open({ folder: fixture.folder });
      const vector = await embedOne(first, "my sister");
      expect(await embedOne(first, "my sister")).toEqual(vector);
      await first.close();
      const requests = fixture.endpoint.requests.length;
      const second = await fixture.open({
        folder: fixture.folder,
        endpoint: { url: fixture.endpoint.url },
      });
      expect(second.modelId).toBe(first.modelId);
      expect(await embedOne(second, "my sister")).toEqual(vector);
      expect(fixture.endpoint.requests).toHaveLength(requests);
    });

    test("cached vectors are used only for the model that made them", async () => {
      await embedOne(await fixture.open({ folder: fixture.folder }), "my sister");
      await fixture.closeLast();
      await embedOne(
        await fixture.open({ folder: fixture.folder, endpoint: { model: "another-model" } }),
        "my sister",
      );
      expect(fixture.endpoint.requests.at(-1)?.body).toMatchObject({
        model: "another-model",
        input: ["my sister"],
      });
    });

    test("a cache with a limit of 0 bytes stores no vectors", async () => {
      const embedder = await fixture.open({ folder: fixture.folder, cacheMaxBytes: 0 });
      await embedOne(embedder, "my sister");
      await embedOne(embedder, "my sister");
      expect(fixture.textsSent()).toEqual([["my sister"], ["my sister"]]);
    });
  });

  test("the OpenAI embedder uses the calibration in the model's file, or else an assumed calibration", async () => {
    const { calibrationFile = "", ...assumed } = await fixture.open({ folder: fixture.folder });
    expect(assumed).toMatchObject({ calibration: assumedCalibration, isCalibrated: false });
    await fixture.closeLast();
    const calibration = { vectorWeight: 0.5, randomScore: 0.1, paraphraseScore: 0.7 };
    await mkdir(fixture.folder, { recursive: true });
    await writeFile(calibrationFile, JSON.stringify({ modelId: "test-model@64", calibration }));
    expect(await fixture.open({ folder: fixture.folder })).toMatchObject({
      calibration,
      isCalibrated: true,
    });
  });
});
