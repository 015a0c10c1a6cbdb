import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { ErrorInfoSchema, RetryInfoSchema } from "#gen/google/rpc/error_details_pb.js";

/** Maximum number of moves that one call follows. Data that moved away and back needs two. */
const followsMax = 3;

/** Fields by which requests name a user. */
interface UserRequest {
  readonly namespace?: { readonly userId?: string };
  readonly search?: { readonly namespace?: { readonly userId?: string } };
  readonly userId?: string;
}

/**
 * Wraps the transport to a server. Calls about a user carry the header `x-vademecum-user`, so that
 * proxies can send all calls about this user to one server.
 *
 * Repeats a call that fails with one of two errors, unless the call streams requests:
 *
 * - MOVED, because its user or run has moved: repeats the call at the new address.
 * - WRITES_HELD, because a move holds the writes: repeats the call after the delay that the server
 *   names, but not beyond the deadline of the call.
 *
 * Each new call goes to the server of `home` first, because users move one by one.
 *
 * @param openAt returns the transport to the server at an address, which may lack the scheme. It
 *   throws when the credentials may not be sent there; the call then fails with MOVED.
 */
export function followMoves(home: Transport, openAt: (address: string) => Transport): Transport {
  return {
    unary: (method, signal, timeoutMs, header, input, values) =>
      following(home, openAt, { signal, timeoutMs }, (to, remainingMs) =>
        to.unary(method, signal, remainingMs, withUser(header, input), input, values),
      ),
    async stream(method, signal, timeoutMs, header, input, values) {
      if (method.methodKind !== "server_streaming")
        return home.stream(method, signal, timeoutMs, header, input, values);
      const first = await input[Symbol.asyncIterator]().next();
      if (first.done === true) throw new ConnectError("a request is missing", Code.Internal);
      const request = first.value;
      const headers = withUser(header, request);
      return following(home, openAt, { signal, timeoutMs }, async (to, remainingMs) => {
        const requests = (async function* () {
          yield request;
        })();
        const reply = await to.stream(method, signal, remainingMs, headers, requests, values);
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

async function following<T>(
  home: Transport,
  openAt: (address: string) => Transport,
  { signal, timeoutMs }: CallEnd,
  call: (to: Transport, remainingMs: number | undefined) => Promise<T>,
): Promise<T> {
  const startMs = performance.now();
  // Protocols send whole milliseconds, and zero would mean no limit. So at least 1 ms is left.
  const remainingMs = () =>
    timeoutMs && Math.max(1, Math.floor(timeoutMs - (performance.now() - startMs)));
  let to = home;
  let follows = 0;
  for (;;) {
    try {
      return await call(to, remainingMs());
    } catch (cause) {
      const address = newAddressOf(cause);
      const heldMs = heldMsOf(cause);
      if (address !== undefined && follows++ < followsMax) to = connected(address, openAt, cause);
      else if (heldMs !== undefined && heldMs < (remainingMs() || Infinity))
        await delay(heldMs, undefined, signal && { signal });
      else throw cause;
    }
  }
}

/** Opens the transport to another server, or throws the error that named its address. */
function connected(
  address: string,
  openAt: (address: string) => Transport,
  moved: unknown,
): Transport {
  try {
    return openAt(address);
  } catch {
    throw moved;
  }
}

function newAddressOf(cause: unknown): string | undefined {
  if (!(cause instanceof ConnectError)) return undefined;
  const info = cause.findDetails(ErrorInfoSchema)[0];
  return info?.reason === "MOVED" ? info.metadata["address"] : undefined;
}

/** Returns how long to wait before a held write is repeated, in milliseconds. */
function heldMsOf(cause: unknown): number | undefined {
  if (!(cause instanceof ConnectError)) return undefined;
  if (cause.findDetails(ErrorInfoSchema)[0]?.reason !== "WRITES_HELD") return undefined;
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
