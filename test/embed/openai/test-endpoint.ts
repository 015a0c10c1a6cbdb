import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

const defaultDimension = 64;

/** A received request. */
export interface EndpointRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly input: readonly string[];
    readonly dimensions?: number;
    readonly encoding_format: string;
  };
}

/** Answers one request. */
export type Answer = (response: ServerResponse, request: EndpointRequest) => unknown;

/**
 * An endpoint with OpenAI's embeddings API on a real port. Texts that share words have similar
 * vectors.
 */
export interface TestEndpoint {
  readonly url: string;
  /** All requests, in order. */
  readonly requests: readonly EndpointRequest[];
  /** Number of requests that are being answered. */
  readonly runningRequests: number;
  /** Maximum of `runningRequests` so far. */
  readonly maxRunningRequests: number;
  /** Sets the answers of the next requests, one answer for each request. */
  answerNext(...answers: readonly Answer[]): void;
  /** Sets the answer of all requests for which `answerNext` has no answer. Default: vectors. */
  answerAll(answer: Answer): void;
  /** Stops the endpoint. Does nothing if the endpoint has stopped already. */
  stop(): Promise<void>;
}

export async function startTestEndpoint(): Promise<TestEndpoint> {
  const requests: EndpointRequest[] = [];
  const next: Answer[] = [];
  let others: Answer = withVectors();
  let running = 0;
  let maxRunning = 0;
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    response.on("close", () => {
      running -= 1;
    });
    const body = JSON.parse(await text(incoming)) as EndpointRequest["body"];
    const request = { path: incoming.url ?? "", headers: incoming.headers, body };
    requests.push(request);
    await (next.shift() ?? others)(response, request);
  };
  const server = createServer((incoming, response) => void answer(incoming, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    get runningRequests() {
      return running;
    },
    get maxRunningRequests() {
      return maxRunning;
    },
    answerNext: (...answers) => void next.push(...answers),
    answerAll(given) {
      others = given;
    },
    async stop() {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Answers with vectors of the requested dimension, in the reverse order of the texts. */
export function withVectors(dimension?: number): Answer {
  return (response, { body }) => {
    const size = dimension ?? body.dimensions ?? defaultDimension;
    const data = body.input
      .map((input, index) => ({ object: "embedding", index, embedding: vectorOf(input, size) }))
      .reverse();
    return json(200, { object: "list", data, model: body.model })(response);
  };
}

/**
 * Answers with a status and an error body like OpenAI's. The body quotes the request, as endpoints
 * do.
 */
export function withError(
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return (response, { headers: given, body }) => {
    const message = `no: ${given.authorization} sent ${body.input.join(" ")}`;
    return json(status, { error: { message, type: "error", code } }, headers)(response);
  };
}

export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): (response: ServerResponse) => unknown {
  return (response) =>
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(body));
}

/** Adds up a fixed random vector for each word, and scales the sum to length 2. */
function vectorOf(input: string, dimension: number): number[] {
  const sum = new Array<number>(dimension).fill(0);
  for (const word of input.toLowerCase().match(/[\p{L}\p{N}]+|\S/gu) ?? [""]) {
    let hash = createHash("sha256").update(word).digest();
    for (let i = 0; i < dimension; i++) {
      if (i > 0 && i % 32 === 0) hash = createHash("sha256").update(hash).digest();
      sum[i] = (sum[i] ?? 0) + (hash[i % 32] ?? 0) / 127.5 - 1;
    }
  }
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => (2 * value) / length);
}
