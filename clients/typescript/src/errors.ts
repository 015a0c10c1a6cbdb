import { durationMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "#gen/google/rpc/error_details_pb.js";

/** A field of the request that breaks a rule. */
export interface FieldViolation {
  /** Its path in the definitions, such as `filter.time_range` or `tags[3]`. */
  readonly field: string;
  /** What is wrong with it and what is allowed. */
  readonly description: string;
}

/** A call that failed. Decide by `code` and `reason`; the message is for people and may change. */
export class VademecumError extends Error {
  override readonly name = "VademecumError";
  /** The canonical code. */
  readonly code: Code;
  /** A name that stays the same from version to version, from docs/errors.md. Empty if the transport made the error. */
  readonly reason: string;
  /** The fields at fault, if any. */
  readonly violations: readonly FieldViolation[];
  /** Milliseconds after which a repeated call may do better. `undefined` if the service gave none. */
  readonly retryAfterMs: number | undefined;

  constructor(cause: ConnectError) {
    const reason = cause.findDetails(ErrorInfoSchema)[0]?.reason ?? "";
    super(`${Code[cause.code]}${reason && ` (${reason})`}: ${cause.rawMessage}`, { cause });
    this.code = cause.code;
    this.reason = reason;
    this.violations = cause
      .findDetails(BadRequestSchema)
      .flatMap(({ fieldViolations }) =>
        fieldViolations.map(({ field, description }) => ({ field, description })),
      );
    const retryDelay = cause.findDetails(RetryInfoSchema)[0]?.retryDelay;
    this.retryAfterMs = retryDelay === undefined ? undefined : durationMs(retryDelay);
  }
}

/** The failure of a call. A connection that cannot be made or is lost is UNAVAILABLE, however the platform reports it; a value that no message can hold is INVALID_ARGUMENT. */
export function errorOfCall(
  thrown: unknown,
  isConnectionFailure: (cause: unknown) => boolean,
): VademecumError {
  const error = ConnectError.from(thrown);
  const isLocal =
    error.code === Code.Aborted || error.code === Code.Unknown || error.code === Code.Internal;
  if (isLocal && isConnectionFailure(error.cause))
    return new VademecumError(new ConnectError(error.rawMessage, Code.Unavailable));
  if (error.code === Code.Internal && error.rawMessage.startsWith(unserializable))
    return new VademecumError(
      new ConnectError(error.rawMessage.slice(unserializable.length), Code.InvalidArgument),
    );
  return new VademecumError(error);
}

/** How Connect's message begins where a request cannot be written. */
const unserializable = "serialize binary: ";
