import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "#gen/google/rpc/error_details_pb.js";

/** An invalid field of the request. */
export interface FieldViolation {
  /** The field's path in the definitions, such as `filter.time_range` or `tags[3]`. */
  readonly field: string;
  /** Says what is wrong and what is allowed. */
  readonly description: string;
}

/**
 * A failed call. Programs should check `code` and `reason`. The message is for people and may
 * change.
 */
export class VademecumError extends Error {
  override readonly name = "VademecumError";
  /** The canonical code. */
  readonly code: Code;
  /**
   * A stable name from docs/reference/errors.md. Empty if the error has none, such as a lost
   * connection.
   */
  readonly reason: string;
  /** The invalid fields, if any. */
  readonly violations: readonly FieldViolation[];
  /** Milliseconds to wait before a retry. `undefined` if the server named no time. */
  readonly retryAfterMs: number | undefined;
  /**
   * The address of the server to which the user or run has moved. Set only for the reason `MOVED`.
   * The client does not call this server by itself: the server that it knows forwards calls, or
   * says with this error that it does not. To use the other server, connect to its address.
   */
  readonly movedTo: string | undefined;

  constructor(cause: ConnectError) {
    const info = cause.findDetails(ErrorInfoSchema)[0];
    const reason = info?.reason ?? "";
    super(`${Code[cause.code]}${reason && ` (${reason})`}: ${cause.rawMessage}`, { cause });
    this.code = cause.code;
    this.reason = reason;
    this.movedTo =
      reason === "MOVED" ? info?.metadata["address"]?.replace(/^.*:\/\//, "") : undefined;
    this.violations = cause
      .findDetails(BadRequestSchema)
      .flatMap(({ fieldViolations }) =>
        fieldViolations.map(({ field, description }) => ({ field, description })),
      );
    const retryDelay = cause.findDetails(RetryInfoSchema)[0]?.retryDelay;
    this.retryAfterMs = retryDelay === undefined ? undefined : durationMs(retryDelay);
  }
}

/** What the message of a failed call names if the server has not answered it. */
export interface CallTarget {
  /** The call, such as `MemoryProvider.Add`. */
  readonly call: string;
  readonly baseUrl: string;
  /** What else to check if no server answers, as a sentence after a space, or an empty string. */
  readonly advice: string;
  /** The limit of the call with all its retries. */
  readonly limitMs: number;
  /** Whether the cause of a failed call is a missing or lost connection to the server. */
  readonly isConnectionFailure: (cause: unknown) => boolean;
}

/**
 * Converts an error of Connect. Changes the codes of two kinds of error, so that they are the same
 * in Node and in browsers:
 *
 * - A failed or lost connection becomes UNAVAILABLE.
 * - A request with a value that no message can hold becomes INVALID_ARGUMENT.
 *
 * An error without a reason does not come from a Vademecum server. Its message names the call, the
 * address and the limit, and says what to do.
 */
export function toVademecumError(cause: unknown, target: CallTarget): VademecumError {
  const error = ConnectError.from(cause);
  const { code, rawMessage } = error;
  const isFromTransport = code === Code.Aborted || code === Code.Unknown || code === Code.Internal;
  if (code === Code.Internal && rawMessage.startsWith(serializationErrorPrefix))
    return new VademecumError(
      new ConnectError(rawMessage.slice(serializationErrorPrefix.length), Code.InvalidArgument),
    );
  if (error.findDetails(ErrorInfoSchema).length > 0) return new VademecumError(error);
  const own = isFromTransport && target.isConnectionFailure(error.cause) ? Code.Unavailable : code;
  const explained = new ConnectError(explain(own, rawMessage.replace(/[\s:.]+$/, ""), target), own);
  explained.cause = error.cause ?? error;
  return new VademecumError(explained);
}

/** Returns the message of an error that does not come from a Vademecum server. */
function explain(
  code: Code,
  message: string,
  { call, baseUrl, limitMs, advice }: CallTarget,
): string {
  const { host, protocol } = new URL(baseUrl);
  const [hasTls, limit] = [protocol === "https:", `${limitMs / 1000} s`];
  const listener =
    `Check that a server runs there, that the port is its HTTP port (8080 by default), and that ` +
    (hasTls
      ? "it uses TLS with a certificate that the client trusts."
      : "it does not require TLS.") +
    advice;
  if (code === Code.DeadlineExceeded)
    return (
      `${call} got no reply from ${host} within its limit of ${limit}. A write may have taken ` +
      "effect: repeat it with the same idempotency key. Or give the call a longer timeout."
    );
  if (code === Code.Unavailable)
    return `${call} got no answer from ${host} ${hasTls ? "with" : "without"} TLS (limit ${limit}): ${message}. ${listener}`;
  return isHttpStatus.test(message)
    ? `${call} got an answer from ${host} that is not from a Vademecum server: ${message}. ${listener}`
    : message;
}

/** Connect's message for a reply in another protocol. */
const isHttpStatus = /^HTTP \d+/;

/** The start of Connect's message for a request that cannot be serialized. */
const serializationErrorPrefix = "serialize binary: ";
