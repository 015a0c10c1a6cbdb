import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { assumedCalibration } from "../../../src/embed/assumed-calibration.js";
import type { EmbeddingsEndpoint } from "../../../src/embed/openai/embeddings-request.js";
import {
  type OpenAiEmbedder,
  type OpenAiEmbedderOptions,
  openOpenAiEmbedder,
} from "../../../src/embed/openai/openai-embedder.js";
import { describeEmbedder } from "../../contract/embedder.js";
import {
  type Answer,
  json,
  startTestEndpoint,
  type TestEndpoint,
  withError,
  withVectors,
} from "./test-endpoint.js";
import { textsOfError } from "./texts-of-error.js";

const key = "sk-quagga-0123456789";
const { signal } = new AbortController();

let endpoint: TestEndpoint;
let folder: string;
let log: string[] = [];
const ends: (() => Promise<unknown>)[] = [];

async function prepare(): Promise<void> {
  endpoint = await startTestEndpoint();
  folder = await mkdtemp(join(tmpdir(), "vademecum-openai-"));
  log = [];
}

async function end(): Promise<void> {
  for (const close of ends.splice(0)) await close();
  await endpoint.stop();
  await rm(folder, { recursive: true });
}

/** What a test does not say: an endpoint with a key, retries that do not wait, no cache. */
async function open(
  options: Partial<Omit<OpenAiEmbedderOptions, "endpoint">> & {
    readonly endpoint?: Partial<EmbeddingsEndpoint>;
  } = {},
): Promise<OpenAiEmbedder> {
  const embedder = await openOpenAiEmbedder({
    folder: undefined,
    cacheMaxBytes: 1024 ** 2,
    retryPolicy: { retries: 3, minDelayMs: 1, maxRetryAfterMs: 5_000 },
    log: (level, message, fields) =>
      log.push(JSON.stringify({ level, message, ...fields, error: String(fields?.["error"]) })),
    ...options,
    endpoint: {
      url: endpoint.url,
      model: "test-model",
      dimensions: undefined,
      key,
      requestTimeoutMs: 10_000,
      ...options.endpoint,
    },
  });
  ends.push(() => embedder.close());
  return embedder;
}

async function embedOne(embedder: OpenAiEmbedder, text: string): Promise<Float32Array> {
  const [vector] = await embedder.embed([text], signal);
  if (vector === undefined) throw new Error("no vector");
  return vector;
}

/** Texts of the requests after the first one, which learns the dimension. */
function textsSent(): (readonly string[])[] {
  return endpoint.requests.slice(1).map(({ body }) => body.input);
}

describe("the OpenAI embedder keeps the contract", () => {
  afterAll(end);
  describeEmbedder("openai", async () => {
    await prepare();
    return open({ folder });
  });
});

describe("the OpenAI embedder", () => {
  beforeEach(prepare);
  afterEach(end);

  test("asks as OpenAI's API wants to be asked", async () => {
    const embedder = await open({ endpoint: { dimensions: 16 } });
    await embedder.embed(["a", "b"], signal);
    expect(endpoint.requests[1]).toMatchObject({
      path: "/v1/embeddings",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: { model: "test-model", input: ["a", "b"], dimensions: 16, encoding_format: "float" },
    });
  });

  test("sends neither key nor dimensions that it was not given", async () => {
    const embedder = await open({ endpoint: { key: undefined } });
    await embedOne(embedder, "a");
    expect(endpoint.requests[1]?.headers).not.toHaveProperty("authorization");
    expect(endpoint.requests[1]?.body).not.toHaveProperty("dimensions");
  });

  test("names a model with the dimension that the endpoint gives", async () => {
    expect(await open()).toMatchObject({ modelId: "test-model@64", dimension: 64 });
    expect(await open({ endpoint: { dimensions: 16 } })).toMatchObject({
      modelId: "test-model@16",
      dimension: 16,
    });
  });

  test("puts the texts of many calls into few requests, a few at a time", async () => {
    const embedder = await open();
    const texts = Array.from({ length: 300 }, (_, i) => `text ${i}`);
    const vectors = await Promise.all(texts.map((text) => embedOne(embedder, text)));
    expect(textsSent().length).toBeLessThanOrEqual(4 + Math.ceil(296 / 32));
    expect(textsSent().flat().sort()).toEqual(texts.toSorted());
    expect(endpoint.maxRunningRequests).toBeLessThanOrEqual(4);
    expect(vectors[123]).toEqual(await embedOne(embedder, "text 123"));
  });

  test("sends no text without a character to see", async () => {
    const embedder = await open();
    expect(await embedder.embed(["", " \n\t\u00a0"], signal)).toEqual([
      new Float32Array(64),
      new Float32Array(64),
    ]);
    expect(textsSent()).toEqual([]);
  });

  test("embeds a long text in parts that the model takes, and loses nothing of it", async () => {
    const embedder = await open();
    const text = "記憶 of 42 words ".repeat(3_000);
    await embedOne(embedder, text);
    const parts = textsSent().flat();
    expect(parts.join("")).toBe(text);
    for (const part of parts) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(8_000);
  });

  test("takes vectors of numbers as great as a float32 has", async () => {
    endpoint.answerAll((response, { body }) =>
      json(200, {
        data: body.input.map((_, index) => ({ index, embedding: new Array(16).fill(1e38) })),
      })(response),
    );
    const vector = await embedOne(await open(), "word ".repeat(5_000));
    expect(vector).toHaveLength(16);
    for (const value of vector) expect(value).toBeCloseTo(0.25, 6);
  });

  describe("keeps vectors", () => {
    test("so that a text is sent once, also by the next process, which then needs no network", async () => {
      const first = await open({ folder });
      const vector = await embedOne(first, "my sister");
      expect(await embedOne(first, "my sister")).toEqual(vector);
      await first.close();
      const requests = endpoint.requests.length;
      const second = await open({ folder, endpoint: { url: endpoint.url } });
      expect(second.modelId).toBe(first.modelId);
      expect(await embedOne(second, "my sister")).toEqual(vector);
      expect(endpoint.requests).toHaveLength(requests);
    });

    test("of each model apart", async () => {
      await embedOne(await open({ folder }), "my sister");
      await ends.pop()?.();
      await embedOne(await open({ folder, endpoint: { model: "another-model" } }), "my sister");
      expect(endpoint.requests.at(-1)?.body).toMatchObject({
        model: "another-model",
        input: ["my sister"],
      });
    });

    test("only if there is room for them", async () => {
      const embedder = await open({ folder, cacheMaxBytes: 0 });
      await embedOne(embedder, "my sister");
      await embedOne(embedder, "my sister");
      expect(textsSent()).toEqual([["my sister"], ["my sister"]]);
    });
  });

  describe("tries again", () => {
    const troubles: readonly (readonly [string, Answer])[] = [
      ["HTTP 500", withError(500, "server_error")],
      ["HTTP 503 without JSON", (response) => response.writeHead(503).end("<html>busy</html>")],
      ["HTTP 429", withError(429, "rate_limit_exceeded", { "retry-after": "0" })],
      ["a connection that is dropped", (response) => response.destroy()],
      [
        "a body that breaks off",
        (response) =>
          response
            .writeHead(200, { "content-length": "1000" })
            .write("{", () => response.destroy()),
      ],
      ["a body that is no JSON", (response) => response.end("{")],
      ["a body of another kind", json(200, { data: "none" })],
      ["too few vectors", json(200, { data: [] })],
      [
        "two vectors for one text",
        json(200, {
          data: [0, 0]
            .map((index) => ({ index, embedding: [1] }))
            .concat({ index: 7, embedding: [1] }),
        }),
      ],
      ["a vector of texts", json(200, { data: [{ index: 0, embedding: ["1", "2"] }] })],
      ["a number out of range", json(200, { data: [{ index: 0, embedding: [1e300] }] })],
    ];

    test.each(troubles)("after %s", async (_, trouble) => {
      const embedder = await open();
      const vector = await embedOne(embedder, "my sister");
      endpoint.answerNext(trouble, trouble, trouble);
      expect(await embedOne(embedder, "my sister")).toEqual(vector);
      expect(textsSent()).toHaveLength(5);
    });

    test.each(troubles)("and gives up after three times of %s", async (_, trouble) => {
      const embedder = await open();
      endpoint.answerAll(trouble);
      await expect(embedOne(embedder, "my sister")).rejects.toMatchObject({
        code: "UNAVAILABLE",
        reason: "EMBEDDER_UNAVAILABLE",
        retryAfterMs: expect.any(Number) as number,
      });
      expect(textsSent()).toHaveLength(4);
      endpoint.answerAll(withVectors());
      await embedOne(embedder, "my sister");
    });

    test("after an answer that takes too long", async () => {
      const embedder = await open({ endpoint: { requestTimeoutMs: 200 } });
      endpoint.answerNext(() => undefined);
      await embedOne(embedder, "my sister");
      expect(textsSent()).toHaveLength(2);
    });

    test("no sooner than the endpoint asks for", async () => {
      const embedder = await open();
      let openAgainMs = Number.POSITIVE_INFINITY;
      const busy: Answer = (response, request) => {
        if (Date.now() >= openAgainMs) return withVectors()(response, request);
        openAgainMs = Math.min(openAgainMs, Date.now() + 1000);
        return withError(429, "rate_limit_exceeded", { "retry-after": "1" })(response, request);
      };
      endpoint.answerAll(busy);
      await embedOne(embedder, "my sister");
      expect(textsSent()).toHaveLength(2);
    });

    test("not at all if the endpoint asks for a long time, and hands that on", async () => {
      const embedder = await open();
      const date = new Date(Date.now() + 3_600_000).toUTCString();
      for (const retryAfter of ["3600", date]) {
        endpoint.answerNext(withError(429, "insufficient_quota", { "retry-after": retryAfter }));
        const error = await embedOne(embedder, "my sister").catch((reason: unknown) => reason);
        expect(error).toMatchObject({
          code: "UNAVAILABLE",
          message: expect.stringContaining("HTTP 429 (insufficient_quota)") as string,
        });
        expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(3_500_000);
      }
      expect(textsSent()).toHaveLength(2);
    });

    test.each([
      ["99999999999999", 86_400_000],
      ["9".repeat(400), 86_400_000],
      ["0", 1000],
      ["Thu, 01 Jan 1970 00:00:00 GMT", 1000],
      ["soon", 1000],
    ])(
      "and says when to come back where the endpoint says '%s'",
      async (retryAfter, retryAfterMs) => {
        const embedder = await open({
          retryPolicy: { retries: 0, minDelayMs: 1, maxRetryAfterMs: 5_000 },
        });
        endpoint.answerAll(withError(429, "rate_limit_exceeded", { "retry-after": retryAfter }));
        await expect(embedOne(embedder, "my sister")).rejects.toMatchObject({ retryAfterMs });
      },
    );
  });

  test("gives up a request when nobody waits for it any more", async () => {
    const embedder = await open();
    const caller = new AbortController();
    const reason = new Error("the caller is gone");
    const isGivenUp = new Promise((resolve) => {
      endpoint.answerNext((response) => {
        response.on("close", resolve);
        caller.abort(reason);
      });
    });
    await expect(embedder.embed(["my sister"], caller.signal)).rejects.toBe(reason);
    await isGivenUp;
    expect(textsSent()).toHaveLength(1);
  });

  test("gives up requests when it is closed, and refuses texts from then on", async () => {
    const embedder = await open();
    endpoint.answerNext(() => void embedder.close());
    const closed = { code: "UNAVAILABLE", reason: "EMBEDDER_UNAVAILABLE" };
    await expect(embedOne(embedder, "my sister")).rejects.toMatchObject(closed);
    await expect(embedOne(embedder, "my sister")).rejects.toMatchObject(closed);
  });

  test("lets only that text fail that the endpoint refuses", async () => {
    const embedder = await open();
    endpoint.answerAll((response, request) =>
      (request.body.input.includes("bad")
        ? withError(400, "context_length_exceeded")
        : withVectors())(response, request),
    );
    const texts = Array.from({ length: 40 }, (_, i) => (i === 17 ? "bad" : `text ${i}`));
    const calls = await Promise.allSettled(texts.map((text) => embedOne(embedder, text)));
    expect(calls.flatMap(({ status }, i) => (status === "rejected" ? [texts[i]] : []))).toEqual([
      "bad",
    ]);
    expect(calls[17]).toMatchObject({
      reason: {
        code: "FAILED_PRECONDITION",
        reason: "EMBEDDER_REFUSED_TEXT",
        message: expect.stringContaining("context_length_exceeded") as string,
      },
    });
  });

  describe("does not try again", () => {
    const cases: readonly (readonly [string, Answer, string, RegExp])[] = [
      [
        "a key that is refused",
        withError(401, "invalid_api_key"),
        "EMBEDDER_KEY_REFUSED",
        /HTTP 401 \(invalid_api_key\).*VADEMECUM_OPENAI_KEY/,
      ],
      ["a key without the right", withError(403, "forbidden"), "EMBEDDER_KEY_REFUSED", /HTTP 403/],
      [
        "a path or model that is not there",
        withError(404, "model_not_found"),
        "EMBEDDER_MISCONFIGURED",
        /HTTP 404.*--openai-url.*--openai-model/,
      ],
      [
        "a redirection",
        json(307, {}, { location: "http://127.0.0.1:9/v1/embeddings" }),
        "EMBEDDER_MISCONFIGURED",
        /HTTP 307/,
      ],
    ];

    test.each(cases)("with %s", async (_, answer, reason, message) => {
      const embedder = await open();
      endpoint.answerAll(answer);
      const refusal = {
        code: "FAILED_PRECONDITION",
        reason,
        message: expect.stringMatching(message) as string,
      };
      await expect(embedOne(embedder, "my sister")).rejects.toMatchObject(refusal);
      expect(textsSent()).toHaveLength(1);
      await expect(open()).rejects.toMatchObject(refusal);
    });

    test("settings that the endpoint refuses as it starts", async () => {
      endpoint.answerAll(withError(400, "invalid_request_error"));
      await expect(open({ endpoint: { dimensions: 3 } })).rejects.toMatchObject({
        reason: "EMBEDDER_MISCONFIGURED",
      });
      expect(endpoint.requests).toHaveLength(1);
    });
  });

  test("refuses vectors of another dimension than was asked for, or than there was", async () => {
    endpoint.answerAll(withVectors(48));
    const misfit = { code: "FAILED_PRECONDITION", reason: "EMBEDDER_MISCONFIGURED" };
    await expect(open({ endpoint: { dimensions: 16 } })).rejects.toMatchObject({
      ...misfit,
      message: expect.stringMatching(/48 numbers where 16/) as string,
    });
    const embedder = await open();
    endpoint.answerAll(withVectors(32));
    await expect(embedOne(embedder, "my sister")).rejects.toMatchObject({
      ...misfit,
      message: expect.stringMatching(/32 numbers where 48/) as string,
    });
    endpoint.answerAll(withVectors(5_000));
    await expect(open()).rejects.toMatchObject({
      ...misfit,
      message: expect.stringMatching(/5000 numbers where 4096/) as string,
    });
  });

  test("says what to delete when the model behind a name has another dimension than before", async () => {
    await open({ folder });
    await ends.pop()?.();
    endpoint.answerAll(withVectors(32));
    await expect(embedOne(await open({ folder }), "my sister")).rejects.toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "EMBEDDER_MISCONFIGURED",
      message: expect.stringMatching(
        /32 numbers where 64.*delete embeddings\/cache.*reindex/,
      ) as string,
    });
  });

  describe("does not start without an endpoint, and says which and what it met:", () => {
    test("one that nobody listens on", async () => {
      const { url } = endpoint;
      await endpoint.stop();
      await expect(open()).rejects.toMatchObject({
        code: "UNAVAILABLE",
        reason: "EMBEDDER_UNAVAILABLE",
        message: `the embedding endpoint ${url} cannot be reached (ECONNREFUSED); check --openai-url, or start again when it answers`,
      });
      endpoint = await startTestEndpoint();
    });

    test("one on a port that is never asked, which is not tried again", async () => {
      await expect(open({ endpoint: { url: "http://127.0.0.1:9/v1" } })).rejects.toMatchObject({
        code: "FAILED_PRECONDITION",
        reason: "EMBEDDER_MISCONFIGURED",
        message: expect.stringMatching(
          /http:\/\/127\.0\.0\.1:9\/v1 is on a port that.*--openai-url/,
        ) as string,
      });
      expect(log).toHaveLength(1);
    });

    test("one that is a web site, which is not tried again", async () => {
      endpoint.answerAll((response) =>
        response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<html>"),
      );
      await expect(open()).rejects.toMatchObject({
        code: "FAILED_PRECONDITION",
        reason: "EMBEDDER_MISCONFIGURED",
        message: expect.stringMatching(
          /v1 answered with HTTP 200 and a web page; check --openai-url/,
        ) as string,
      });
      expect(endpoint.requests).toHaveLength(1);
    });
  });

  test("has neither the key nor a text in its log or its errors", async () => {
    const embedder = await open({ folder });
    const errors: unknown[] = [];
    const codes = [500, 429, 401, 403, 404, 400, 302];
    for (const status of codes) {
      endpoint.answerAll(withError(status, "no"));
      errors.push(await embedOne(embedder, "okapi").catch((error: unknown) => error));
    }
    endpoint.answerAll((response) => response.destroy());
    errors.push(await embedOne(embedder, "okapi").catch((error: unknown) => error));
    expect(errors.every((error) => error instanceof Error)).toBe(true);
    expect(log.length).toBeGreaterThan(codes.length);
    const told = [...log, ...errors.flatMap(textsOfError)].join("\n");
    expect(told).not.toContain("quagga");
    expect(told).not.toContain("okapi");
  });

  test("takes the calibration that is kept for the model, and assumes one otherwise", async () => {
    const { calibrationFile = "", ...assumed } = await open({ folder });
    expect(assumed).toMatchObject({ calibration: assumedCalibration, isCalibrated: false });
    await ends.pop()?.();
    const calibration = { vectorWeight: 0.5, randomScore: 0.1, paraphraseScore: 0.7 };
    await mkdir(folder, { recursive: true });
    await writeFile(calibrationFile, JSON.stringify({ modelId: "test-model@64", calibration }));
    expect(await open({ folder })).toMatchObject({ calibration, isCalibrated: true });
  });
});
