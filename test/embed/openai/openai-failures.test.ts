import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { embedOne, type OpenAiFixture, startOpenAiFixture } from "./openai-fixture.js";
import { type Answer, json, withError, withVectors } from "./test-endpoint.js";
import { textsOfError } from "./texts-of-error.js";

describe("the OpenAI embedder", () => {
  let fixture: OpenAiFixture;
  beforeEach(async () => {
    fixture = await startOpenAiFixture();
  });
  afterEach(() => fixture.end());

  describe("retries", () => {
    const troubles: readonly (readonly [string, Answer])[] = [
      ["HTTP 500", withError(500, "server_error")],
      ["HTTP 503 without JSON", (response) => response.writeHead(503).end("<html>busy</html>")],
      ["HTTP 429", withError(429, "rate_limit_exceeded", { "retry-after": "0" })],
      ["a dropped connection", (response) => response.destroy()],
      [
        "a truncated body",
        (response) =>
          response
            .writeHead(200, { "content-length": "1000" })
            .write("{", () => response.destroy()),
      ],
      ["a body that is not JSON", (response) => response.end("{")],
      ["a body without vectors", json(200, { data: "none" })],
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

    test.each(troubles)("the OpenAI embedder retries after %s", async (_, trouble) => {
      const embedder = await fixture.open();
      const vector = await embedOne(embedder, "my sister");
      fixture.endpoint.answerNext(trouble, trouble, trouble);
      expect(await embedOne(embedder, "my sister")).toEqual(vector);
      expect(fixture.textsSent()).toHaveLength(5);
    });

    test.each(troubles)(
      "the OpenAI embedder retries at most three times after %s",
      async (_, trouble) => {
        const embedder = await fixture.open();
        fixture.endpoint.answerAll(trouble);
        await expect(embedOne(embedder, "my sister")).rejects.toMatchObject({
          code: "UNAVAILABLE",
          reason: "EMBEDDER_UNAVAILABLE",
          retryAfterMs: expect.any(Number) as number,
        });
        expect(fixture.textsSent()).toHaveLength(4);
        fixture.endpoint.answerAll(withVectors());
        await embedOne(embedder, "my sister");
      },
    );

    test("the OpenAI embedder retries after a timeout", async () => {
      const embedder = await fixture.open({ endpoint: { requestTimeoutMs: 1_000 } });
      fixture.endpoint.answerNext(() => undefined);
      await embedOne(embedder, "my sister");
      expect(fixture.textsSent()).toHaveLength(2);
    });

    test("the OpenAI embedder retries no sooner than the endpoint allows", async () => {
      const embedder = await fixture.open();
      let openAgainMs = Number.POSITIVE_INFINITY;
      const busy: Answer = (response, request) => {
        if (Date.now() >= openAgainMs) return withVectors()(response, request);
        // A timer may fire a millisecond early.
        openAgainMs = Math.min(openAgainMs, Date.now() + 999);
        return withError(429, "rate_limit_exceeded", { "retry-after": "1" })(response, request);
      };
      fixture.endpoint.answerAll(busy);
      await embedOne(embedder, "my sister");
      expect(fixture.textsSent()).toHaveLength(2);
    });

    test("the OpenAI embedder passes a long Retry-After on to the caller, and does not wait", async () => {
      const embedder = await fixture.open();
      const date = new Date(Date.now() + 3_600_000).toUTCString();
      for (const retryAfter of ["3600", date]) {
        fixture.endpoint.answerNext(
          withError(429, "insufficient_quota", { "retry-after": retryAfter }),
        );
        const error = await embedOne(embedder, "my sister").catch((reason: unknown) => reason);
        expect(error).toMatchObject({
          code: "UNAVAILABLE",
          message: expect.stringContaining("HTTP 429 (insufficient_quota)") as string,
        });
        expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(3_500_000);
      }
      expect(fixture.textsSent()).toHaveLength(2);
    });

    test.each([
      ["99999999999999", 86_400_000],
      ["9".repeat(400), 86_400_000],
      ["0", 1000],
      ["Thu, 01 Jan 1970 00:00:00 GMT", 1000],
      ["soon", 1000],
    ])(
      "the OpenAI embedder suggests a wait for a Retry-After of '%s'",
      async (retryAfter, retryAfterMs) => {
        const embedder = await fixture.open({
          retryPolicy: { retries: 0, minDelayMs: 1, maxRetryAfterMs: 5_000 },
        });
        fixture.endpoint.answerAll(
          withError(429, "rate_limit_exceeded", { "retry-after": retryAfter }),
        );
        await expect(embedOne(embedder, "my sister")).rejects.toMatchObject({ retryAfterMs });
      },
    );
  });

  test("the OpenAI embedder cancels a request when its caller leaves", async () => {
    const embedder = await fixture.open();
    const caller = new AbortController();
    const reason = new Error("the caller is gone");
    const isCancelled = new Promise((resolve) => {
      fixture.endpoint.answerNext((response) => {
        response.on("close", resolve);
        caller.abort(reason);
      });
    });
    await expect(embedder.embed(["my sister"], caller.signal)).rejects.toBe(reason);
    await isCancelled;
    expect(fixture.textsSent()).toHaveLength(1);
  });

  test("a closed OpenAI embedder cancels requests, and refuses later texts", async () => {
    const embedder = await fixture.open();
    fixture.endpoint.answerNext(() => void embedder.close());
    const closed = { code: "UNAVAILABLE", reason: "EMBEDDER_UNAVAILABLE" };
    await expect(embedOne(embedder, "my sister")).rejects.toMatchObject(closed);
    await expect(embedOne(embedder, "my sister")).rejects.toMatchObject(closed);
  });

  test("the OpenAI embedder fails only the text that the endpoint refuses", async () => {
    const embedder = await fixture.open();
    fixture.endpoint.answerAll((response, request) =>
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

  describe("does not retry", () => {
    const cases: readonly (readonly [string, Answer, string, RegExp])[] = [
      [
        "a refused key",
        withError(401, "invalid_api_key"),
        "EMBEDDER_KEY_REFUSED",
        /HTTP 401 \(invalid_api_key\).*VADEMECUM_OPENAI_KEY/,
      ],
      ["a key without permission", withError(403, "forbidden"), "EMBEDDER_KEY_REFUSED", /HTTP 403/],
      [
        "an unknown path or model",
        withError(404, "model_not_found"),
        "EMBEDDER_MISCONFIGURED",
        /HTTP 404.*--openai-url.*--openai-model/,
      ],
      [
        "a redirect",
        json(307, {}, { location: "http://127.0.0.1:9/v1/embeddings" }),
        "EMBEDDER_MISCONFIGURED",
        /HTTP 307/,
      ],
    ];

    test.each(cases)(
      "the OpenAI embedder does not retry after %s",
      async (_, answer, reason, message) => {
        const embedder = await fixture.open();
        fixture.endpoint.answerAll(answer);
        const refusal = {
          code: "FAILED_PRECONDITION",
          reason,
          message: expect.stringMatching(message) as string,
        };
        await expect(embedOne(embedder, "my sister")).rejects.toMatchObject(refusal);
        expect(fixture.textsSent()).toHaveLength(1);
        await expect(fixture.open()).rejects.toMatchObject(refusal);
      },
    );

    test("the OpenAI embedder does not retry settings that the endpoint refuses at the start", async () => {
      fixture.endpoint.answerAll(withError(400, "invalid_request_error"));
      await expect(fixture.open({ endpoint: { dimensions: 3 } })).rejects.toMatchObject({
        reason: "EMBEDDER_MISCONFIGURED",
      });
      expect(fixture.endpoint.requests).toHaveLength(1);
    });
  });

  test("the OpenAI embedder refuses vectors of an unexpected dimension", async () => {
    fixture.endpoint.answerAll(withVectors(48));
    const misfit = { code: "FAILED_PRECONDITION", reason: "EMBEDDER_MISCONFIGURED" };
    await expect(fixture.open({ endpoint: { dimensions: 16 } })).rejects.toMatchObject({
      ...misfit,
      message: expect.stringMatching(/48 numbers where 16/) as string,
    });
    const embedder = await fixture.open();
    fixture.endpoint.answerAll(withVectors(32));
    await expect(embedOne(embedder, "my sister")).rejects.toMatchObject({
      ...misfit,
      message: expect.stringMatching(/32 numbers where 48/) as string,
    });
    fixture.endpoint.answerAll(withVectors(5_000));
    await expect(fixture.open()).rejects.toMatchObject({
      ...misfit,
      message: expect.stringMatching(/5000 numbers where 4096/) as string,
    });
  });

  test("the OpenAI embedder names the cache to delete when a model has changed its dimension", async () => {
    await fixture.open({ folder: fixture.folder });
    await fixture.closeLast();
    fixture.endpoint.answerAll(withVectors(32));
    await expect(
      embedOne(await fixture.open({ folder: fixture.folder }), "my sister"),
    ).rejects.toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "EMBEDDER_MISCONFIGURED",
      message: expect.stringMatching(
        /32 numbers where 64.*delete embeddings\/cache.*reindex/,
      ) as string,
    });
  });

  describe("errors at the start, which name the endpoint and the fault", () => {
    test("the OpenAI embedder does not start when nothing listens at the endpoint", async () => {
      const { url } = fixture.endpoint;
      await fixture.endpoint.stop();
      await expect(fixture.open()).rejects.toMatchObject({
        code: "UNAVAILABLE",
        reason: "EMBEDDER_UNAVAILABLE",
        message: `the embedding endpoint ${url} cannot be reached (ECONNREFUSED); check --openai-url, or start again when it answers`,
      });
    });

    test("the OpenAI embedder does not start when fetch blocks the port of the endpoint", async () => {
      await expect(
        fixture.open({ endpoint: { url: "http://127.0.0.1:9/v1" } }),
      ).rejects.toMatchObject({
        code: "FAILED_PRECONDITION",
        reason: "EMBEDDER_MISCONFIGURED",
        message: expect.stringMatching(
          /http:\/\/127\.0\.0\.1:9\/v1 is on a port that.*--openai-url/,
        ) as string,
      });
      expect(fixture.log).toHaveLength(1);
    });

    test("the OpenAI embedder does not start when a web site answers", async () => {
      fixture.endpoint.answerAll((response) =>
        response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<html>"),
      );
      await expect(fixture.open()).rejects.toMatchObject({
        code: "FAILED_PRECONDITION",
        reason: "EMBEDDER_MISCONFIGURED",
        message: expect.stringMatching(
          /v1 answered with HTTP 200 and a web page; check --openai-url/,
        ) as string,
      });
      expect(fixture.endpoint.requests).toHaveLength(1);
    });
  });

  test("the OpenAI embedder puts neither the key nor a text into its log or its errors", async () => {
    const embedder = await fixture.open({ folder: fixture.folder });
    const errors: unknown[] = [];
    const codes = [500, 429, 401, 403, 404, 400, 302];
    for (const status of codes) {
      fixture.endpoint.answerAll(withError(status, "no"));
      errors.push(await embedOne(embedder, "okapi").catch((error: unknown) => error));
    }
    fixture.endpoint.answerAll((response) => response.destroy());
    errors.push(await embedOne(embedder, "okapi").catch((error: unknown) => error));
    expect(errors.every((error) => error instanceof Error)).toBe(true);
    expect(fixture.log.length).toBeGreaterThan(codes.length);
    const output = [...fixture.log, ...errors.flatMap(textsOfError)].join("\n");
    expect(output).not.toContain("quagga");
    expect(output).not.toContain("okapi");
  });
});
