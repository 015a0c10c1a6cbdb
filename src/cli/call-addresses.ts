import { ConnectError, type Transport } from "@connectrpc/connect";
import { withConnectionFailure } from "./connection-failures.js";

const addresses = new WeakMap<ConnectError, string>();

/** Returns the address of the server whose call failed; `undefined` if it is not known. */
export function failedAddress(error: ConnectError): string | undefined {
  return addresses.get(error);
}

/**
 * Returns a transport whose errors carry the address of its server for `failedAddress`. If the
 * connection of a call failed, the error has the code of `withConnectionFailure`.
 */
export function trackFailures(transport: Transport, address: string): Transport {
  const note = (error: unknown, signal: AbortSignal | undefined): unknown => {
    // Keeps the first address. In a move, an error of the source also ends the call to the target,
    // so it passes through the transports of both.
    if (!(error instanceof ConnectError) || addresses.has(error)) return error;
    const failure = withConnectionFailure(error, signal);
    addresses.set(failure, address);
    return failure;
  };
  async function* tracked<T>(
    messages: AsyncIterable<T>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<T> {
    try {
      yield* messages;
    } catch (error) {
      throw note(error, signal);
    }
  }
  return {
    async unary(method, signal, ...call) {
      try {
        return await transport.unary(method, signal, ...call);
      } catch (error) {
        throw note(error, signal);
      }
    },
    async stream(method, signal, ...call) {
      try {
        const reply = await transport.stream(method, signal, ...call);
        return { ...reply, message: tracked(reply.message, signal) };
      } catch (error) {
        throw note(error, signal);
      }
    },
  };
}
