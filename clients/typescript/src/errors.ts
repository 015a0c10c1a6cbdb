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

/**
 * Converts an error of Connect. Changes the codes of two kinds of error, so that they are the same
 * in Node and in browsers:
 *
 * - A failed or lost connection becomes UNAVAILABLE.
 * - A request with a value that no message can hold becomes INVALID_ARGUMENT.
 */
export function toVademecumError(
  cause: unknown,
  isConnectionFailure: (cause: unknown) => boolean,
): VademecumError {
  const error = ConnectError.from(cause);
  const isFromTransport =
    error.code === Code.Aborted || error.code === Code.Unknown || error.code === Code.Internal;
  if (isFromTransport && isConnectionFailure(error.cause))
    return new VademecumError(new ConnectError(error.rawMessage, Code.Unavailable));
  if (error.code === Code.Internal && error.rawMessage.startsWith(serializationErrorPrefix))
    return new VademecumError(
      new ConnectError(
        error.rawMessage.slice(serializationErrorPrefix.length),
        Code.InvalidArgument,
      ),
    );
  return new VademecumError(error);
}

/** The start of Connect's message for a request that cannot be serialized. */
const serializationErrorPrefix = "serialize binary: ";
