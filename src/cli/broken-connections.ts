import { Code, ConnectError } from "@connectrpc/connect";

const broken = new WeakSet<ConnectError>();

/** Whether a call failed because its connection broke. */
export function isBrokenConnection(error: ConnectError): boolean {
  return broken.has(error);
}

/**
 * Returns an error with the code UNAVAILABLE if the connection of a call broke. Returns any other
 * error unchanged.
 *
 * Connect reports a connection that was reset as ABORTED, and one that was closed as CANCELED. The
 * server's own errors with these codes have details.
 *
 * @param signal the signal by which the caller can cancel the call
 */
export function unavailableIfBroken(
  error: ConnectError,
  signal: AbortSignal | undefined,
): ConnectError {
  const isBroken =
    [Code.Aborted, Code.Canceled].includes(error.code) &&
    error.details.length === 0 &&
    signal?.aborted !== true;
  if (!isBroken) return error;
  const { rawMessage, metadata, cause } = error;
  const unavailable = new ConnectError(rawMessage, Code.Unavailable, metadata, [], cause);
  broken.add(unavailable);
  return unavailable;
}
