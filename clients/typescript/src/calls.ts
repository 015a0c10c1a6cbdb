import type { DescMessage, DescMethodServerStreaming, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createContextValues, type Transport } from "@connectrpc/connect";
import { errorOfCall } from "./errors.js";
import { waitForRetry } from "./retry.js";

/** What one call may have beside its fields. */
export interface CallOptions {
  /** Milliseconds until the call is given up. Default: the client's. */
  readonly timeoutMs?: number;
  /** Ends the call when it is aborted; the server stops working on it. */
  readonly signal?: AbortSignal;
}

/** The messages of a call, as they come. Leaving the loop before its end ends the call. */
export type ResponseStream<Response> = AsyncIterable<Response>;

/** Makes calls with the client's key and deadline, repeats them where that may help, and turns failures into `VademecumError`. */
export class Calls {
  readonly #transport: Transport;
  readonly #headers: HeadersInit;
  readonly #timeoutMs: number;
  readonly #running = new Set<AbortController>();

  constructor(transport: Transport, key: string | undefined, timeoutMs: number) {
    this.#transport = transport;
    this.#headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    this.#timeoutMs = timeoutMs;
  }

  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): Promise<MessageShape<O>> {
    const { call, signal, remainingMs } = this.#begin(options);
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          const values = createContextValues();
          return (await this.#transport.unary(method, signal, remainingMs(), this.#headers, request, values)).message;
        } catch (thrown) {
          const error = errorOfCall(thrown);
          if (!(await waitForRetry(error, attempt, signal))) throw error;
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
    const { call, signal, remainingMs } = this.#begin(options);
    try {
      for (let attempt = 1; ; attempt++) {
        let hasBegun = false;
        try {
          const { message } = await this.#transport.stream(
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
          const error = errorOfCall(thrown);
          if (hasBegun || !(await waitForRetry(error, attempt, signal))) throw error;
        }
      }
    } finally {
      this.#running.delete(call);
      call.abort();
    }
  }

  /** Ends all calls that are running. */
  cancelAll(): void {
    for (const call of this.#running) call.abort(new ConnectError("the client was closed", Code.Canceled));
  }

  /** The deadline counts for all attempts together. */
  #begin({ timeoutMs = this.#timeoutMs, signal }: CallOptions) {
    const deadlineMs = performance.now() + timeoutMs;
    const call = new AbortController();
    this.#running.add(call);
    return {
      call,
      signal: signal === undefined ? call.signal : AbortSignal.any([call.signal, signal]),
      remainingMs: () => Math.max(1, Math.ceil(deadlineMs - performance.now())),
    };
  }
}

async function* once<T>(value: T): AsyncGenerator<T, void, undefined> {
  yield value;
}
