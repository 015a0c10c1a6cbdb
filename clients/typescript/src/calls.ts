import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { Code, ConnectError, createContextValues } from "@connectrpc/connect";
import { errorOfCall, type VademecumError } from "./errors.js";
import { refuseDates } from "./request-fields.js";
import { waitForRetry } from "./retry.js";
import type { OpenTransport } from "./transport-options.js";

/** What one call may have beside its fields. */
export interface CallOptions {
  /** Milliseconds until the call is given up. Default: the client's. */
  readonly timeoutMs?: number;
  /** Ends the call when it is aborted; the server stops working on it. */
  readonly signal?: AbortSignal;
}

/** The messages of a call, as they come. Leaving the loop before its end ends the call. */
export type ResponseStream<Response> = AsyncIterable<Response>;

/** A day: the service takes no longer ones. */
const longestTimeoutMs = 86_400_000;

/** Makes calls with the client's key and deadline, repeats them where that may help, and turns failures into `VademecumError`. */
export class Calls {
  readonly #open: OpenTransport;
  readonly #headers: HeadersInit;
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
    refuseDates(request);
    const { call, signal, remainingMs } = this.#begin(options);
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          const values = createContextValues();
          return (
            await this.#open.transport.unary(
              method,
              signal,
              remainingMs(),
              this.#headers,
              request,
              values,
            )
          ).message;
        } catch (thrown) {
          const error = this.#errorOf(thrown);
          if (!(await waitForRetry(error, attempt, signal))) throw this.#lastError(error, signal);
        }
      }
    } finally {
      this.#running.delete(call);
    }
  }

  /** A call is repeated until its first message has come. */
  async *stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    refuseDates(request);
    const { call, signal, remainingMs } = this.#begin(options);
    try {
      for (let attempt = 1; ; attempt++) {
        let hasBegun = false;
        try {
          const { message } = await this.#open.transport.stream(
            method,
            signal,
            remainingMs(),
            this.#headers,
            once(request),
            createContextValues(),
          );
          for await (const response of message) {
            hasBegun = true;
            yield response;
          }
          return;
        } catch (thrown) {
          const error = this.#errorOf(thrown);
          if (hasBegun || !(await waitForRetry(error, attempt, signal)))
            throw this.#lastError(error, signal);
        }
      }
    } finally {
      this.#running.delete(call);
      call.abort();
    }
  }

  /** Ends the connections, and all calls that are running or still to come. */
  close(): void {
    this.#isClosed = true;
    for (const call of this.#running) call.abort(closed());
    this.#open.close();
  }

  #errorOf(thrown: unknown): VademecumError {
    return errorOfCall(thrown, this.#open.isConnectionFailure);
  }

  /** What a call ends with that is not repeated: the abort, if that is why. */
  #lastError(error: VademecumError, { aborted, reason }: AbortSignal): VademecumError {
    return aborted && error.code === Code.Unavailable
      ? this.#errorOf(ConnectError.from(reason, Code.Canceled))
      : error;
  }

  /** The deadline counts for all attempts together. */
  #begin({ timeoutMs = this.#timeoutMs, signal }: CallOptions) {
    if (this.#isClosed) throw this.#errorOf(closed());
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

function closed(): ConnectError {
  return new ConnectError("the client was closed", Code.Canceled);
}

async function* once<T>(value: T): AsyncGenerator<T, void, undefined> {
  yield value;
}
