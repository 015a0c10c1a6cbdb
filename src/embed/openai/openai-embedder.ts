import { createHash } from "node:crypto";
import { join } from "node:path";
import { VademecumError } from "../../core/model/errors.js";
import type { Embedder } from "../../core/ports/embedder.js";
import type { Log } from "../../core/ports/log.js";
import { assumedCalibration } from "../assumed-calibration.js";
import { BatchQueue } from "../batch-queue.js";
import { readCalibration } from "../calibration-file.js";
import { type EmbeddingsEndpoint, requestEmbeddings } from "./embeddings-request.js";
import { EndpointFailure } from "./endpoint-failure.js";
import { defaultRetryPolicy, type RetryPolicy, withRetries } from "./retries.js";
import { meanOfParts, partsOf } from "./text-parts.js";
import { noVectorCache, openVectorCache, type VectorCache } from "./vector-cache.js";

export interface OpenAiEmbedderOptions {
  readonly endpoint: EmbeddingsEndpoint;
  /** Where vectors and calibrations are kept; `undefined`: nowhere. */
  readonly folder: string | undefined;
  /** Bytes of vectors that are kept at most; 0: none. */
  readonly cacheMaxBytes: number;
  readonly retryPolicy?: RetryPolicy;
  readonly log: Log;
}

/** An embedder that holds connections and a cache. */
export interface OpenAiEmbedder extends Embedder {
  /** Where the model's calibration is kept; `undefined` without a folder. */
  readonly calibrationFile: string | undefined;
  /** Whether `calibration` was measured with this model; else it is assumed. */
  readonly isCalibrated: boolean;
  /** Refuses texts from now on, and gives up requests in flight. */
  close(): Promise<void>;
}

/** Texts of a request at most. With the longest texts they stay below the 300,000 tokens that OpenAI takes. */
const maxRequestTexts = 32;
const maxRunningRequests = 4;
const maxWaitingTexts = 1000;

/** Numbers of a vector at most, as for callers' vectors. */
const maxDimension = 4096;

/** What the dimension is read from. Once its vector is in the cache, starting needs no network. */
const probe = "The quick brown fox jumps over the lazy dog.";

/**
 * Opens an embedder that asks an OpenAI-compatible endpoint. Texts leave this machine.
 * One text is embedded at once, to learn the dimension and whether the settings are right.
 * @throws FAILED_PRECONDITION: EMBEDDER_KEY_REFUSED, EMBEDDER_MISCONFIGURED, CALIBRATION_UNREADABLE; UNAVAILABLE (EMBEDDER_UNAVAILABLE) for an endpoint that cannot be reached
 */
export async function openOpenAiEmbedder(options: OpenAiEmbedderOptions): Promise<OpenAiEmbedder> {
  const { endpoint, folder, cacheMaxBytes, log } = options;
  const keepsVectors = folder !== undefined && cacheMaxBytes > 0;
  const cache = keepsVectors
    ? await openVectorCache({ folder: join(folder, "cache"), maxBytes: cacheMaxBytes, log })
    : noVectorCache;
  const source = new VectorSource(options, cache);
  try {
    const dimension = await source.learnDimension();
    const modelId = `${endpoint.model}@${dimension}`;
    const calibrationFile =
      folder === undefined
        ? undefined
        : join(folder, `calibration-${encodeURIComponent(modelId)}.json`);
    const measured =
      calibrationFile === undefined ? undefined : await readCalibration(calibrationFile, modelId);
    return {
      modelId,
      dimension,
      calibration: measured ?? assumedCalibration,
      isCalibrated: measured !== undefined,
      calibrationFile,
      embed: (texts, signal) => source.embed(texts, signal),
      close: () => source.close(),
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Vectors from the cache, or else from the endpoint. */
class VectorSource {
  readonly #options: OpenAiEmbedderOptions;
  readonly #cache: VectorCache;
  readonly #queue: BatchQueue;
  #dimension: number | undefined;

  constructor(options: OpenAiEmbedderOptions, cache: VectorCache) {
    this.#options = options;
    this.#cache = cache;
    this.#dimension = options.endpoint.dimensions;
    this.#queue = new BatchQueue({
      maxBatchTexts: maxRequestTexts,
      maxRunningBatches: maxRunningRequests,
      maxWaitingTexts,
      run: (texts, signal) => this.#request(texts, signal),
    });
  }

  async learnDimension(): Promise<number> {
    const [vector] = await this.embed([probe], new AbortController().signal).catch(
      (error: unknown) => {
        const { cause } = error as Error;
        throw cause instanceof EndpointFailure
          ? cause.toStartError(this.#options.endpoint.url)
          : error;
      },
    );
    this.#dimension = vector?.length ?? 0;
    return this.#dimension;
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    signal.throwIfAborted();
    const known = await Promise.all(texts.map((text) => this.#known(text)));
    const asked = texts.flatMap((text, index) =>
      known[index] === undefined ? [{ index, text, parts: partsOf(text) }] : [],
    );
    const made = await this.#queue.embed(
      asked.flatMap(({ parts }) => parts),
      signal,
    );
    const vectors = known.map((vector) => vector ?? new Float32Array());
    let first = 0;
    for (const { index, text, parts } of asked) {
      const vector = meanOfParts(parts, made.slice(first, first + parts.length));
      first += parts.length;
      vectors[index] = vector;
      await this.#cache.put(this.#cacheKey(text), vector);
    }
    return vectors;
  }

  async close(): Promise<void> {
    this.#queue.close(
      new VademecumError("UNAVAILABLE", "EMBEDDER_UNAVAILABLE", "the embedder is closed"),
    );
    await this.#cache.close();
  }

  /** The vector of a text if nobody has to be asked for it. Endpoints refuse texts of white space alone. */
  async #known(text: string): Promise<Float32Array | undefined> {
    return text.trim() === ""
      ? new Float32Array(this.#dimension ?? 0)
      : this.#cache.get(this.#cacheKey(text));
  }

  /** A text is known by its hash: the cache holds no texts. */
  #cacheKey(text: string): Buffer {
    const { url, model, dimensions } = this.#options.endpoint;
    return createHash("sha256")
      .update(JSON.stringify([url, model, dimensions, text]))
      .digest();
  }

  /** Vectors of some texts. Where the endpoint refuses some, halving finds which, and the others get theirs. */
  async #request(
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (Float32Array | Error)[]> {
    const { endpoint, retryPolicy = defaultRetryPolicy, log } = this.#options;
    try {
      const vectors = await withRetries(
        () => requestEmbeddings(endpoint, texts, signal),
        retryPolicy,
        signal,
        log,
      );
      for (const vector of vectors) this.#requireDimension(vector);
      return vectors;
    } catch (error) {
      if (!(error instanceof EndpointFailure)) throw error;
      if (error.remedy !== "text") throw error.toError();
      if (texts.length === 1) return [error.toError()];
      const middle = texts.length >> 1;
      return [
        ...(await this.#request(texts.slice(0, middle), signal)),
        ...(await this.#request(texts.slice(middle), signal)),
      ];
    }
  }

  #requireDimension({ length }: Float32Array): void {
    const { dimensions } = this.#options.endpoint;
    const wanted = this.#dimension ?? Math.min(length, maxDimension);
    if (length === wanted) return;
    const gave = `the embedding endpoint gave a vector of ${length} numbers where ${wanted} ${this.#dimension === undefined ? "are the most" : "were expected"}`;
    const whatToDo =
      this.#dimension === undefined || dimensions !== undefined
        ? "check --openai-model and --openai-dimensions, which not every model can follow"
        : "if it has another model behind the same name, stop the server, delete embeddings/cache in the data folder, start it again and reindex the namespaces; else check --openai-model";
    throw new VademecumError(
      "FAILED_PRECONDITION",
      "EMBEDDER_MISCONFIGURED",
      `${gave}; ${whatToDo}`,
    );
  }
}
