import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddingsEndpoint } from "../../../src/embed/openai/embeddings-request.js";
import {
  type OpenAiEmbedder,
  type OpenAiEmbedderOptions,
  openOpenAiEmbedder,
} from "../../../src/embed/openai/openai-embedder.js";
import { startTestEndpoint, type TestEndpoint } from "./test-endpoint.js";

export const key = "sk-quagga-0123456789";
export const { signal } = new AbortController();

/** Options of an embedder for tests. */
export type OpenOptions = Partial<Omit<OpenAiEmbedderOptions, "endpoint">> & {
  readonly endpoint?: Partial<EmbeddingsEndpoint>;
};

/** An endpoint and a folder for one test, and the embedders that the test opens. */
export interface OpenAiFixture {
  readonly endpoint: TestEndpoint;
  readonly folder: string;
  /** Log lines of all embedders, as JSON. */
  readonly log: readonly string[];
  /** Opens an embedder. Defaults: an endpoint with a key, retries without waits, no cache. */
  open(options?: OpenOptions): Promise<OpenAiEmbedder>;
  /** Closes the embedder that was opened last. */
  closeLast(): Promise<void>;
  /** Returns the texts of each request, except the first request, which learns the dimension. */
  textsSent(): (readonly string[])[];
  /** Closes the embedders, stops the endpoint and removes the folder. */
  end(): Promise<void>;
}

export async function startOpenAiFixture(): Promise<OpenAiFixture> {
  const endpoint = await startTestEndpoint();
  const folder = await mkdtemp(join(tmpdir(), "vademecum-openai-"));
  const log: string[] = [];
  const embedders: OpenAiEmbedder[] = [];
  return {
    endpoint,
    folder,
    log,
    async open(options = {}) {
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
      embedders.push(embedder);
      return embedder;
    },
    async closeLast() {
      await embedders.pop()?.close();
    },
    textsSent: () => endpoint.requests.slice(1).map(({ body }) => body.input),
    async end() {
      for (const embedder of embedders.splice(0)) await embedder.close();
      await endpoint.stop();
      await rm(folder, { recursive: true });
    },
  };
}

export async function embedOne(embedder: OpenAiEmbedder, text: string): Promise<Float32Array> {
  const [vector] = await embedder.embed([text], signal);
  if (vector === undefined) throw new Error("no vector");
  return vector;
}
