import { EndpointFailure } from "./endpoint-failure.js";

/** An endpoint with OpenAI's embeddings API, and the parameters of requests to it. */
export interface EmbeddingsEndpoint {
  /** Base URL without a slash at its end, such as `https://api.openai.com/v1`. */
  readonly url: string;
  readonly model: string;
  /** Dimension to request from the endpoint; `undefined`: the model's own dimension. */
  readonly dimensions: number | undefined;
  /** API key; `undefined` for an endpoint that needs none. */
  readonly key: string | undefined;
  /** Timeout of one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/**
 * Maximum bytes of a response. The largest expected response, 32 vectors of 4,096 numbers as JSON,
 * has about 3 MB. The limit is ten times that size.
 */
const maxAnswerBytes = 32 * 1024 * 1024;

/**
 * Makes one request. Returns the vector of each text, in the order of the texts. The numbers are
 * those of the endpoint, as 32-bit floats. Throws `EndpointFailure`, or the signal's reason.
 */
export async function requestEmbeddings(
  endpoint: EmbeddingsEndpoint,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const { url, model, dimensions, key, requestTimeoutMs } = endpoint;
  try {
    const response = await fetch(`${url}/embeddings`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model,
        input: texts,
        encoding_format: "float",
        ...(dimensions !== undefined && { dimensions }),
      }),
      // The key must go to the configured endpoint only.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
    });
    const answer = await readAnswer(response);
    if (!response.ok) throw EndpointFailure.ofStatus(response, answer);
    if (response.headers.get("content-type")?.startsWith("text/html") === true)
      throw EndpointFailure.ofPage(response);
    return vectorsOf(answer, texts.length);
  } catch (error) {
    signal.throwIfAborted();
    throw EndpointFailure.of(error);
  }
}

/** Parses the body as JSON; `undefined` if it is not JSON. */
async function readAnswer({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytesLeft = maxAnswerBytes;
  for await (const chunk of body ?? []) {
    const bytes = chunk as Uint8Array;
    bytesLeft -= bytes.length;
    if (bytesLeft < 0)
      throw EndpointFailure.ofAnswer(`its response has more than ${maxAnswerBytes} bytes`);
    chunks.push(bytes);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns the vectors of a response, sorted by their `index`. */
function vectorsOf(answer: unknown, count: number): readonly Float32Array[] {
  const data =
    typeof answer === "object" && answer !== null && "data" in answer && Array.isArray(answer.data)
      ? (answer.data as unknown[])
      : [];
  const vectors: Float32Array[] = [];
  for (const entry of data) {
    const { index, embedding } = (entry ?? {}) as {
      readonly index?: unknown;
      readonly embedding?: unknown;
    };
    if (typeof index === "number" && isVector(embedding))
      vectors[index] = Float32Array.from(embedding);
  }
  const isComplete =
    vectors.length === count && Array.from(vectors).every((vector) => vector !== undefined);
  if (!isComplete) throw EndpointFailure.ofAnswer(`its response holds no list of ${count} vectors`);
  return vectors;
}

function isVector(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((number) => typeof number === "number" && Number.isFinite(Math.fround(number)))
  );
}
