import type {
  DescMessage,
  DescMethod,
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { Code, ConnectError, createContextValues } from "@connectrpc/connect";
import { type CallTarget, toVademecumError, VademecumError } from "./errors.js";
import { checkFields } from "./request-fields.js";
import { Retries } from "./retries.js";
import { routingHeaders } from "./routing.js";
import type { OpenTransport } from "./transport-options.js";

/** Options of one call. */
export interface CallOptions {
  /** Timeout of the call in milliseconds. Default: the timeout of the client. */
  readonly timeoutMs?: number;
  /** Aborting this signal cancels the call, also on the server. */
  readonly signal?: AbortSignal;
}

/** The messages of a call as they arrive. Read the stream once. Leaving the loop ends the call. */
export type ResponseStream<Response> = AsyncIterable<Response>;

/** One day, the longest timeout that the server accepts. */
const longestTimeoutMs = 86_400_000;

/**
 * Makes the calls of a client:
 *
 * - sends the client's key with each call, and sets the deadline
 * - retries a failed call if that is safe
 * - turns failures into `VademecumError`
 */
export class Calls {
  readonly #open: OpenTransport;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;
  readonly #running = new Set<AbortController>();
  #isClosed = false;

  constructor(open: OpenTransport, key: string | undefined, timeoutMs: number) {
    this.#open = open;
    this.#headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    this.#timeoutMs = timeoutMs;
  }

  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): Promise<MessageShape<O>> {
    const call = this.#start(method, request, options);
    const { transport } = this.#open;
    try {
      const headers = { ...this.#headers, ...routingHeaders(request) };
      for (;;) {
        try {
          const values = createContextValues();
          const { signal } = call;
          return (
            await transport.unary(method, signal, call.remainingMs(), headers, request, values)
          ).message;
        } catch (cause) {
          const error = toVademecumError(cause, call.target);
          if (!(await call.retries.waitAfter(error))) throw error;
        }
      }
    } finally {
      this.#running.delete(call.controller);
    }
  }

  /** Makes a call with a stream of replies. Retries a failed call only before the first message. */
  async *stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const call = this.#start(method, request, options);
    const { transport } = this.#open;
    try {
      const headers = { ...this.#headers, ...routingHeaders(request) };
      for (;;) {
        let hasStarted = false;
        try {
          const { message } = await transport.stream(
            method,
            call.signal,
            call.remainingMs(),
            headers,
            singleMessage(request),
            createContextValues(),
          );
          for await (const response of message) {
            hasStarted = true;
            yield response;
          }
          return;
        } catch (cause) {
          const error = toVademecumError(cause, call.target);
          if (hasStarted || !(await call.retries.waitAfter(error))) throw error;
        }
      }
    } finally {
      this.#running.delete(call.controller);
      call.controller.abort();
    }
  }

  /** The host and port of the server. */
  get host(): string {
    return new URL(this.#open.baseUrl).host;
  }

  /** Closes the connections. Running calls and later calls fail with CANCELLED. */
  close(): void {
    this.#isClosed = true;
    for (const call of this.#running) call.abort(clientClosedError());
    this.#open.close();
  }

  /** Starts a call. The deadline limits all attempts together. */
  #start(
    { input, name, parent }: DescMethod,
    request: object,
    { timeoutMs = this.#timeoutMs, signal }: CallOptions,
  ): RunningCall {
    checkFields(input, request);
    if (this.#isClosed) throw new VademecumError(clientClosedError());
    const limitMs = Math.min(timeoutMs, longestTimeoutMs);
    const deadlineMs = performance.now() + limitMs;
    const controller = new AbortController();
    this.#running.add(controller);
    const ending =
      signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]);
    const remainingMs = () => Math.max(1, Math.ceil(deadlineMs - performance.now()));
    return {
      controller,
      signal: ending,
      remainingMs,
      retries: new Retries(ending, remainingMs),
      target: { ...this.#open, call: `${parent.name}.${name}`, limitMs },
    };
  }
}

/** A call with all its attempts. */
interface RunningCall {
  readonly controller: AbortController;
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
  readonly retries: Retries;
  readonly target: CallTarget;
}

function clientClosedError(): ConnectError {
  return new ConnectError("the client was closed", Code.Canceled);
}

async function* singleMessage<T>(value: T): AsyncGenerator<T, void, undefined> {
  yield value;
}
