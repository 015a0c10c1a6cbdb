import { createHash } from "node:crypto";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";

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
 * proxies can send all calls about this user to one server. Repeats a call at the new address if
 * its user or run has moved (MOVED), unless the call streams requests.
 *
 * Each call asks the server of `home` first, because users move one by one.
 *
 * @param openAt returns the transport to the server at an address, which may lack the scheme. It
 *   throws when the credentials may not be sent there; the call then fails with MOVED.
 */
export function followMoves(home: Transport, openAt: (address: string) => Transport): Transport {
  return {
    unary: (method, signal, timeoutMs, header, input, values) =>
      following(home, openAt, (to) =>
        to.unary(method, signal, timeoutMs, withUser(header, input), input, values),
      ),
    async stream(method, signal, timeoutMs, header, input, values) {
      if (method.methodKind !== "server_streaming")
        return home.stream(method, signal, timeoutMs, header, input, values);
      const first = await input[Symbol.asyncIterator]().next();
      if (first.done === true) throw new ConnectError("a request is missing", Code.Internal);
      const request = first.value;
      const headers = withUser(header, request);
      return following(home, openAt, async (to) => {
        const requests = (async function* () {
          yield request;
        })();
        const reply = await to.stream(method, signal, timeoutMs, headers, requests, values);
        return { ...reply, message: await begun(reply.message) };
      });
    },
  };
}

async function following<T>(
  home: Transport,
  openAt: (address: string) => Transport,
  call: (to: Transport) => Promise<T>,
): Promise<T> {
  let to = home;
  for (let follows = 0; ; follows++) {
    try {
      return await call(to);
    } catch (cause) {
      const address = newAddressOf(cause);
      if (address === undefined || follows === followsMax) throw cause;
      to = connected(address, openAt, cause);
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

/** Waits for the first message, because the error of a stream comes when it is read. */
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
