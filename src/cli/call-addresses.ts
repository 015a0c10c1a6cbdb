import { ConnectError, type Transport } from "@connectrpc/connect";

const addresses = new WeakMap<ConnectError, string>();

/** Returns the address of the server whose call failed; `undefined` if it is not known. */
export function failedAddress(error: ConnectError): string | undefined {
  return addresses.get(error);
}

/** Returns a transport that remembers the address of its server for `failedAddress`. */
export function trackFailures(transport: Transport, address: string): Transport {
  const note = (error: unknown): unknown => {
    // Keeps the first address. In a move, an error of the source also ends the call to the target.
    if (error instanceof ConnectError && !addresses.has(error)) addresses.set(error, address);
    return error;
  };
  async function* tracked<T>(messages: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* messages;
    } catch (error) {
      throw note(error);
    }
  }
  return {
    async unary(...call) {
      try {
        return await transport.unary(...call);
      } catch (error) {
        throw note(error);
      }
    },
    async stream(...call) {
      try {
        const reply = await transport.stream(...call);
        return { ...reply, message: tracked(reply.message) };
      } catch (error) {
        throw note(error);
      }
    },
  };
}
