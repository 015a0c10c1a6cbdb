import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { Code, ConnectError, createContextValues } from "@connectrpc/connect";
import { toVademecumError, VademecumError } from "./errors.js";
import { rejectDates } from "./request-fields.js";
import { waitForRetry } from "./retry.js";
import type { Routes } from "./routes.js";
import { routingHeaders, type Scope, scopeOf } from "./routing.js";

/** Options of one call. */
export interface CallOptions {
  /** Timeout of the call in milliseconds. Default: the timeout of the client. */
  readonly timeoutMs?: number;
  /** Aborting this signal ends the call, also on the server. */
  readonly signal?: AbortSignal;
}

/** The messages of a call as they arrive. Leaving the loop early ends the call. */
export type ResponseStream<Response> = AsyncIterable<Response>;

/** One day, the longest timeout that the service accepts. */
const longestTimeoutMs = 86_400_000;

/**
 * Makes calls with the client's key and deadline, retries them when that is safe, follows moves to
 * other servers, and turns failures into `VademecumError`.
 */
export class Calls {
  readonly #routes: Routes;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;
  readonly #running = new Set<AbortController>();
  #isClosed = false;

  constructor(routes: Routes, key: string | undefined, timeoutMs: number) {
    this.#routes = routes;
    this.#headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    this.#timeoutMs = timeoutMs;
  }

  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): Promise<MessageShape<O>> {
    const call = this.#start(request, options);
    try {
      const headers = { ...this.#headers, ...routingHeaders(request) };
      for (;;) {
        const open = this.#routes.of(call.scope);
        try {
          const values = createContextValues();
          const { signal } = call;
          return (
            await open.transport.unary(method, signal, call.remainingMs(), headers, request, values)
          ).message;
        } catch (cause) {
          const error = toVademecumError(cause, open.isConnectionFailure);
          if (!(await this.#isRepeated(error, call))) throw this.#finalError(error, call);
        }
      }
    } finally {
      this.#running.delete(call.controller);
    }
  }

  /** Retries until the first message has arrived. */
  async *stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions = {},
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const call = this.#start(request, options);
    try {
      const headers = { ...this.#headers, ...routingHeaders(request) };
      for (;;) {
        const open = this.#routes.of(call.scope);
        let hasStarted = false;
        try {
          const { message } = await open.transport.stream(
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
          const error = toVademecumError(cause, open.isConnectionFailure);
          if (hasStarted || !(await this.#isRepeated(error, call)))
            throw this.#finalError(error, call);
        }
      }
    } finally {
      this.#running.delete(call.controller);
      call.controller.abort();
    }
  }

  /** Closes the connections. Ends running calls, and rejects later ones. */
  close(): void {
    this.#isClosed = true;
    for (const call of this.#running) call.abort(clientClosedError());
    this.#routes.close();
  }

  /**
   * Resolves with whether to repeat the call. After a move, the call is repeated immediately at the
   * new server. Otherwise it is repeated at the same server, after a pause.
   */
  async #isRepeated(error: VademecumError, call: RunningCall): Promise<boolean> {
    if (this.#routes.follow(call.scope, error, call.moves.length)) {
      call.moves.push(error);
      return true;
    }
    call.attempts += 1;
    return waitForRetry(error, call.attempts, call.signal, call.remainingMs());
  }

  /**
   * Returns the error for a call that is not repeated. After an abort, this is the reason of the
   * abort. If the new server after a move does not answer, this is the error that named the new
   * server.
   */
  #finalError(error: VademecumError, { scope, signal, moves }: RunningCall): VademecumError {
    const isUnreachable = error.code === Code.Unavailable && error.reason === "";
    const move = moves.at(-1);
    if (signal.aborted && error.code === Code.Unavailable)
      return new VademecumError(ConnectError.from(signal.reason, Code.Canceled));
    if (!isUnreachable || move === undefined) return error;
    this.#routes.forget(scope);
    return move;
  }

  /** The deadline covers all attempts together. */
  #start(request: object, { timeoutMs = this.#timeoutMs, signal }: CallOptions): RunningCall {
    rejectDates(request);
    if (this.#isClosed) throw new VademecumError(clientClosedError());
    const deadlineMs = performance.now() + Math.min(timeoutMs, longestTimeoutMs);
    const controller = new AbortController();
    this.#running.add(controller);
    return {
      controller,
      signal:
        signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]),
      remainingMs: () => Math.max(1, Math.ceil(deadlineMs - performance.now())),
      scope: scopeOf(request),
      attempts: 0,
      moves: [],
    };
  }
}

/** A call with all its attempts. */
interface RunningCall {
  readonly controller: AbortController;
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
  readonly scope: Scope | undefined;
  /** Number of failed attempts, not counting moves. */
  attempts: number;
  /** The errors with reason `MOVED` that the call has followed. */
  readonly moves: VademecumError[];
}

function clientClosedError(): ConnectError {
  return new ConnectError("the client was closed", Code.Canceled);
}

async function* singleMessage<T>(value: T): AsyncGenerator<T, void, undefined> {
  yield value;
}
