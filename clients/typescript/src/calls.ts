import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { Code, ConnectError, createContextValues } from "@connectrpc/connect";
import { toVademecumError, type VademecumError } from "./errors.js";
import { rejectDates } from "./request-fields.js";
import { waitForRetry } from "./retry.js";
import { routingHeaders } from "./routing.js";
import type { OpenTransport } from "./transport-options.js";

/** Options of one call. */
export interface CallOptions {
  /** Timeout of the call in milliseconds. Default: the client's. */
  readonly timeoutMs?: number;
  /** Aborting this signal ends the call, also on the server. */
  readonly signal?: AbortSignal;
}

/** The messages of a call as they arrive. Leaving the loop early ends the call. */
export type ResponseStream<Response> = AsyncIterable<Response>;

/** One day, the longest timeout that the service accepts. */
const longestTimeoutMs = 86_400_000;

/**
 * Makes calls with the client's key and deadline, retries them when that is safe, and turns
 * failures into `VademecumError`.
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
    rejectDates(request);
    const headers = { ...this.#headers, ...routingHeaders(request) };
    const { call, signal, remainingMs } = this.#start(options);
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          const values = createContextValues();
          return (
            await this.#open.transport.unary(
              method,
              signal,
              remainingMs(),
              headers,
              request,
              values,
            )
          ).message;
        } catch (cause) {
          const error = this.#toError(cause);
          if (!(await waitForRetry(error, attempt, signal, remainingMs())))
            throw this.#finalError(error, signal);
        }
      }
    } finally {
      this.#running.delete(call);
    }
  }

  /** Retries until the first message has arrived. */
  async *stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    rejectDates(request);
    const headers = { ...this.#headers, ...routingHeaders(request) };
    const { call, signal, remainingMs } = this.#start(options);
    try {
      for (let attempt = 1; ; attempt++) {
        let hasStarted = false;
        try {
          const { message } = await this.#open.transport.stream(
            method,
            signal,
            remainingMs(),
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
          const error = this.#toError(cause);
          if (hasStarted || !(await waitForRetry(error, attempt, signal, remainingMs())))
            throw this.#finalError(error, signal);
        }
      }
    } finally {
      this.#running.delete(call);
      call.abort();
    }
  }

  /** Closes the connections. Ends running calls, and rejects later ones. */
  close(): void {
    this.#isClosed = true;
    for (const call of this.#running) call.abort(clientClosedError());
    this.#open.close();
  }

  #toError(cause: unknown): VademecumError {
    return toVademecumError(cause, this.#open.isConnectionFailure);
  }

  /** Returns the error for a call that is not retried: the abort, if that was the cause. */
  #finalError(error: VademecumError, { aborted, reason }: AbortSignal): VademecumError {
    return aborted && error.code === Code.Unavailable
      ? this.#toError(ConnectError.from(reason, Code.Canceled))
      : error;
  }

  /** The deadline covers all attempts together. */
  #start({ timeoutMs = this.#timeoutMs, signal }: CallOptions) {
    if (this.#isClosed) throw this.#toError(clientClosedError());
    const deadlineMs = performance.now() + Math.min(timeoutMs, longestTimeoutMs);
    const call = new AbortController();
    this.#running.add(call);
    return {
      call,
      signal: signal === undefined ? call.signal : AbortSignal.any([call.signal, signal]),
      remainingMs: () => Math.max(1, Math.ceil(deadlineMs - performance.now())),
    };
  }
}

function clientClosedError(): ConnectError {
  return new ConnectError("the client was closed", Code.Canceled);
}

async function* singleMessage<T>(value: T): AsyncGenerator<T, void, undefined> {
  yield value;
}
