import { Code, ConnectError } from "@connectrpc/connect";

/**
 * What has happened to the connection of a failed call:
 * - `broken`: it was reset or closed
 * - `refused`: the server did not begin the call
 * - `throttled`: the server, or a proxy, refuses the calls of this client for a while
 */
export type ConnectionFailure = "broken" | "refused" | "throttled";

const failures = new WeakMap<ConnectError, ConnectionFailure>();

/**
 * Returns what has happened to the connection of a call; `undefined` if the call failed otherwise.
 */
export function connectionFailureOf(error: ConnectError): ConnectionFailure | undefined {
  return failures.get(error);
}

/**
 * Returns an error with the code that gRPC prescribes if the connection of a call failed. Returns
 * any other error unchanged.
 *
 * Connect reports ABORTED after a connection was reset, and CANCELED after it was closed. For the
 * error codes of HTTP/2, Connect often reports INTERNAL, and names the code only in the message.
 * Errors of Vademecum have details, so an error with details is never one of these.
 *
 * @param signal the signal by which the caller can cancel the call
 */
export function withConnectionFailure(
  error: ConnectError,
  signal: AbortSignal | undefined,
): ConnectError {
  const failure = error.details.length === 0 ? failureIn(error, signal) : undefined;
  if (failure === undefined) return error;
  const { rawMessage, metadata, cause } = error;
  // If the error already has UNAVAILABLE, it keeps this code: gRPC prescribes it for HTTP 429.
  const isExhausted = failure === "throttled" && error.code !== Code.Unavailable;
  const code = isExhausted ? Code.ResourceExhausted : Code.Unavailable;
  const changed = new ConnectError(rawMessage, code, metadata, [], cause);
  failures.set(changed, failure);
  return changed;
}

function failureIn(
  { code, rawMessage }: ConnectError,
  signal: AbortSignal | undefined,
): ConnectionFailure | undefined {
  if (/\berror code (NGHTTP2_)?REFUSED_STREAM\b/.test(rawMessage)) return "refused";
  // 11 is the number of ENHANCE_YOUR_CALM.
  if (/\berror code ((NGHTTP2_)?ENHANCE_YOUR_CALM|11)\b|^HTTP 429$/.test(rawMessage))
    return "throttled";
  const isBroken = [Code.Aborted, Code.Canceled].includes(code) && signal?.aborted !== true;
  return isBroken ? "broken" : undefined;
}
