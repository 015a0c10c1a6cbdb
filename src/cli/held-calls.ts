import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { ErrorInfoSchema, RetryInfoSchema } from "#gen/google/rpc/error_details_pb.js";

/** Fields by which requests name a user. */
interface UserRequest {
  readonly namespace?: { readonly userId?: string };
  readonly search?: { readonly namespace?: { readonly userId?: string } };
  readonly userId?: string;
}

/** The reasons of errors that pass during a move of users to another server. */
const passingReasons: ReadonlySet<string> = new Set(["WRITES_HELD", "NOT_SERVING"]);

/**
 * Wraps the transport to a server. Calls about a user carry the header `x-vademecum-user`, so that
 * proxies can send all calls about this user to one server.
 *
 * Repeats a call that a move to another server holds up (WRITES_HELD, NOT_SERVING), unless the call
 * streams requests: after the delay that the server names, but not beyond the deadline of the call.
 */
export function repeatHeldCalls(transport: Transport): Transport {
  return {
    unary: (method, signal, timeoutMs, header, input, values) =>
      repeating({ signal, timeoutMs }, (remainingMs) =>
        transport.unary(method, signal, remainingMs, withUser(header, input), input, values),
      ),
    async stream(method, signal, timeoutMs, header, input, values) {
      if (method.methodKind !== "server_streaming")
        return transport.stream(method, signal, timeoutMs, header, input, values);
      const first = await input[Symbol.asyncIterator]().next();
      if (first.done === true) throw new ConnectError("a request is missing", Code.Internal);
      const request = first.value;
      const headers = withUser(header, request);
      return repeating({ signal, timeoutMs }, async (remainingMs) => {
        const requests = (async function* () {
          yield request;
        })();
        const reply = await transport.stream(
          method,
          signal,
          remainingMs,
          headers,
          requests,
          values,
        );
        return { ...reply, message: await begun(reply.message) };
      });
    },
  };
}

/** The limits of a call: its cancellation and its time. */
interface CallEnd {
  readonly signal: AbortSignal | undefined;
  /** The time for all attempts together. Absent or 0: no limit. */
  readonly timeoutMs: number | undefined;
}

async function repeating<T>(
  { signal, timeoutMs }: CallEnd,
  call: (remainingMs: number | undefined) => Promise<T>,
): Promise<T> {
  const startMs = performance.now();
  // Protocols send whole milliseconds, and zero would mean no limit. So at least 1 ms is left.
  const remainingMs = () =>
    timeoutMs && Math.max(1, Math.floor(timeoutMs - (performance.now() - startMs)));
  for (;;) {
    try {
      return await call(remainingMs());
    } catch (cause) {
      const heldMs = heldMsOf(cause);
      if (heldMs === undefined || heldMs >= (remainingMs() || Infinity)) throw cause;
      await delay(heldMs, undefined, signal && { signal });
    }
  }
}

/** Returns how long to wait before a held call is repeated, in milliseconds. */
function heldMsOf(cause: unknown): number | undefined {
  if (!(cause instanceof ConnectError)) return undefined;
  if (!passingReasons.has(cause.findDetails(ErrorInfoSchema)[0]?.reason ?? "")) return undefined;
  const after = cause.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return after && durationMs(after);
}

/** Waits for the first message, because a stream reports its error only when it is read. */
async function begun<T>(messages: AsyncIterable<T>): Promise<AsyncIterable<T>> {
  const iterator = messages[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  })();
}

function withUser(header: HeadersInit | undefined, input: unknown): Headers {
  const headers = new Headers(header);
  const { namespace, search, userId } = input as UserRequest;
  const user = namespace?.userId ?? search?.namespace?.userId ?? userId;
  if (user !== undefined && user !== "")
    headers.set("x-vademecum-user", createHash("sha256").update(user).digest("hex").slice(0, 16));
  return headers;
}
