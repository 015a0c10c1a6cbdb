import { EndpointFailure } from "./endpoint-failure.js";

/** An endpoint that speaks OpenAI's embeddings API, and what is asked of it. */
export interface EmbeddingsEndpoint {
  /** Base URL without a slash at its end, such as `https://api.openai.com/v1`. */
  readonly url: string;
  readonly model: string;
  /** Numbers in a vector that the endpoint is asked for; `undefined`: as many as the model makes. */
  readonly dimensions: number | undefined;
  /** `undefined` for an endpoint that wants none. */
  readonly key: string | undefined;
  /** Time for one request, in milliseconds. */
  readonly requestTimeoutMs: number;
}

/** What an answer may have, in bytes: 32 vectors of 4,096 numbers as JSON are about 3 MB. */
const maxAnswerBytes = 32 * 1024 * 1024;

/** One request: a vector for each text, in the order of the texts, as the endpoint gave them. @throws EndpointFailure; the signal's reason */
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
      // The key goes to the endpoint that was named, and nowhere else.
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

/** The body as JSON; `undefined` if it is none. */
async function readAnswer({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytesLeft = maxAnswerBytes;
  for await (const chunk of body ?? []) {
    const bytes = chunk as Uint8Array;
    bytesLeft -= bytes.length;
    if (bytesLeft < 0)
      throw EndpointFailure.ofAnswer(`its answer has more than ${maxAnswerBytes} bytes`);
    chunks.push(bytes);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } catch {
    return undefined;
  }
}

/** The vectors of an answer by their `index`, which need not be the order in which they come. */
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
  if (!isComplete) throw EndpointFailure.ofAnswer(`its answer holds no list of ${count} vectors`);
  return vectors;
}

function isVector(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((number) => typeof number === "number" && Number.isFinite(Math.fround(number)))
  );
}
