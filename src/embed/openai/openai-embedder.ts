import { createHash } from "node:crypto";
import { join } from "node:path";
import { VademecumError } from "../../core/model/errors.js";
import type { Log } from "../../core/ports/log.js";
import { BatchQueue } from "../batch-queue.js";
import {
  type CalibratedEmbedder,
  embedderClosed,
  readCalibratedModel,
} from "../calibrated-embedder.js";
import { type EmbeddingsEndpoint, requestEmbeddings } from "./embeddings-request.js";
import { EndpointFailure } from "./endpoint-failure.js";
import { defaultRetryPolicy, type RetryPolicy, withRetries } from "./retries.js";
import { meanOfParts, splitText } from "./text-parts.js";
import { noVectorCache, openVectorCache, type VectorCache } from "./vector-cache.js";
import { VectorsInFlight } from "./vectors-in-flight.js";

export interface OpenAiEmbedderOptions {
  readonly endpoint: EmbeddingsEndpoint;
  /** Folder for cached vectors and calibrations; `undefined`: neither is kept. */
  readonly folder: string | undefined;
  /** Maximum bytes of cached vectors; 0: no cache. */
  readonly cacheMaxBytes: number;
  readonly retryPolicy?: RetryPolicy;
  readonly log: Log;
}

/** An embedder that holds connections and a cache. */
export type OpenAiEmbedder = CalibratedEmbedder<string | undefined>;

/**
 * Maximum number of texts in a request. So even the longest texts stay below OpenAI's limit of
 * 300,000 tokens in a request.
 */
const maxRequestTexts = 32;
const maxRunningRequests = 4;
const maxWaitingTexts = 1000;

/** Maximum dimension, the same as for vectors that callers send. */
const maxDimension = 4096;

/**
 * The text whose vector shows the dimension. Once the vector is cached, the server starts without
 * network.
 */
const probe = "The quick brown fox jumps over the lazy dog.";

/**
 * Opens an embedder that sends texts to an OpenAI-compatible endpoint. Texts leave this machine.
 * Embeds one text immediately, to learn the dimension and to check the settings. If the vector of
 * this text is cached, sends no request. Wrong settings then show only at a later request.
 *
 * @throws FAILED_PRECONDITION (EMBEDDER_KEY_REFUSED) when the endpoint refuses the key
 * @throws FAILED_PRECONDITION (EMBEDDER_MISCONFIGURED) when the endpoint refuses the settings, or
 *   returns a vector of another length than expected
 * @throws FAILED_PRECONDITION (CALIBRATION_UNREADABLE) when the calibration file holds no
 *   calibration
 * @throws UNAVAILABLE (EMBEDDER_UNAVAILABLE) when the endpoint cannot be reached, or fails for the
 *   time being
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
    return {
      ...(await readCalibratedModel(modelId, calibrationFile)),
      dimension,
      embed: (texts, signal) => source.embed(texts, signal),
      emptyCache: () => cache.empty(),
      close: () => source.close(),
    };
  } catch (error) {
    await source.close();
    throw error;
  }
}

/** Returns vectors from the cache, or else from the endpoint. */
class VectorSource {
  readonly #options: OpenAiEmbedderOptions;
  readonly #cache: VectorCache;
  readonly #queue: BatchQueue;
  readonly #inFlight = new VectorsInFlight((texts, signal) => this.#make(texts, signal));
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

  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    return this.#inFlight.embed(texts, signal);
  }

  /** Makes the vector of each text from the cache or the endpoint, and caches it. */
  #make(texts: readonly string[], signal: AbortSignal): readonly Promise<Float32Array>[] {
    const made = Promise.all(texts.map((text) => this.#knownVector(text))).then((known) => {
      const unknown = texts.filter((_, at) => known[at] === undefined);
      const lists = this.#queue.embedEach(unknown.map(splitText), signal);
      const requested = new Map(unknown.map((text, at) => [text, lists[at]]));
      return texts.map(async (text, at) => {
        const vector = known[at];
        return vector ?? this.#keep(text, (await requested.get(text)) ?? []);
      });
    });
    return texts.map(async (_, at) => (await made)[at] as Promise<Float32Array>);
  }

  /** Combines the vectors of the parts of a text, and caches the result. */
  async #keep(text: string, partVectors: readonly Float32Array[]): Promise<Float32Array> {
    const vector = meanOfParts(splitText(text), partVectors);
    await this.#cache.put(this.#cacheKey(text), vector);
    return vector;
  }

  async close(): Promise<void> {
    this.#queue.close(embedderClosed());
    await this.#cache.close();
  }

  /**
   * Returns the vector of a text if no request is needed: the cached vector, or zeros for a text of
   * white space alone, which endpoints refuse. Returns `undefined` for any other text.
   */
  async #knownVector(text: string): Promise<Float32Array | undefined> {
    return text.trim() === ""
      ? new Float32Array(this.#dimension ?? 0)
      : this.#cache.get(this.#cacheKey(text));
  }

  /** Returns a hash, so that the cache holds no texts. */
  #cacheKey(text: string): Buffer {
    const { url, model, dimensions } = this.#options.endpoint;
    return createHash("sha256")
      .update(JSON.stringify([url, model, dimensions, text]))
      .digest();
  }

  /**
   * Requests the vectors of texts. If the endpoint refuses a text, requests each half of the batch
   * by itself, until only the refused text has no vector.
   */
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
    const expected = this.#dimension ?? Math.min(length, maxDimension);
    if (length === expected) return;
    const limit = this.#dimension === undefined ? "are the limit" : "were expected";
    const remedy =
      this.#dimension === undefined || dimensions !== undefined
        ? "check --openai-model and --openai-dimensions, which not every model supports"
        : "if another model has taken the name, stop the server, delete embeddings/cache in the " +
          "data folder, start the server again and reindex; else check --openai-model";
    throw new VademecumError(
      "FAILED_PRECONDITION",
      "EMBEDDER_MISCONFIGURED",
      `the embedding endpoint returned a vector of ${length} numbers where ${expected} ${limit}; ` +
        remedy,
    );
  }
}
