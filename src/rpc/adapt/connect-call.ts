import { Code, ConnectError, createContextKey, type HandlerContext } from "@connectrpc/connect";
import type { HttpRequest } from "../http-messages.js";
import { defaultTimeoutMs } from "../limits.js";
import type { AdapterParts } from "./adapter-parts.js";
import { type Admission, AdmittedCall } from "./admitted-call.js";
import type { RpcCall, RpcMethod } from "./handler.js";

/** The Node request of a call. */
export const nodeRequestKey = createContextKey<HttpRequest | undefined>(undefined);
/** The admission of a call; `undefined` if the call was refused. */
export const admissionKey = createContextKey<Admission | undefined>(undefined);

/** A call over Connect, gRPC or gRPC-Web on the HTTP listener. */
export class ConnectCall extends AdmittedCall implements RpcCall {
  readonly #context: HandlerContext;
  readonly #waiting: { reject?: (error: unknown) => void };
  readonly deadlineMs: number;

  constructor(context: HandlerContext, method: RpcMethod, parts: AdapterParts) {
    const waiting: { reject?: (error: unknown) => void } = {};
    const clientTimeoutMs = context.timeoutMs();
    // Connect itself enforces a deadline that the client set. So only the default deadline is timed
    // here.
    const isTimed = !method.openEnded && method.kind !== "bidi_streaming";
    const timeoutMs = clientTimeoutMs === undefined && isTimed ? defaultTimeoutMs : Infinity;
    const admission = context.values.get(admissionKey);
    if (admission === undefined) throw new Error("the call was not admitted");
    super(method, parts, admission, timeoutMs, (error) => waiting.reject?.(error));
    this.#context = context;
    this.#waiting = waiting;
    this.deadlineMs = Date.now() + (clientTimeoutMs ?? timeoutMs);
    this.reply.setTimeout(clientTimeoutMs ?? timeoutMs);
    const { signal } = context;
    // Not told by the clock: a timer may fire a millisecond before its time.
    const onAbort = () => this.cancel(isDeadline(signal.reason));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  }

  metadata(name: string): string | undefined {
    return this.#context.requestHeader.get(name) ?? undefined;
  }

  /** Settles as the promise does, or rejects earlier when the call is cancelled. */
  async untilEnd<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.reject = reject;
      promise.then(resolve, reject);
      this.throwIfEnded();
    });
  }
}

/** Returns whether Connect ended a call at the deadline of its client. */
export function isDeadline(reason: unknown): boolean {
  return reason instanceof ConnectError && reason.code === Code.DeadlineExceeded;
}
