import { randomUUID } from "node:crypto";
import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { Code as ConnectCode, ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "#gen/google/rpc/error_details_pb.js";
import { type Status, StatusSchema } from "#gen/google/rpc/status_pb.js";
import { type Code, type FieldViolation, VademecumError } from "../../core/model/errors.js";
import { fromMillis } from "../convert/duration.js";
import { errorFieldMaxBytes, errorFieldsMaxBytes, errorMessageMaxBytes } from "../limits.js";

/** The domain of all reasons in `ErrorInfo`. */
const errorDomain = "vademecum.dev";

/** The one table from the domain's codes to the wire. Connect and gRPC share the numbers. */
const wireCodes: Record<Code, ConnectCode> = {
  CANCELLED: ConnectCode.Canceled,
  INVALID_ARGUMENT: ConnectCode.InvalidArgument,
  DEADLINE_EXCEEDED: ConnectCode.DeadlineExceeded,
  NOT_FOUND: ConnectCode.NotFound,
  PERMISSION_DENIED: ConnectCode.PermissionDenied,
  RESOURCE_EXHAUSTED: ConnectCode.ResourceExhausted,
  FAILED_PRECONDITION: ConnectCode.FailedPrecondition,
  ABORTED: ConnectCode.Aborted,
  UNIMPLEMENTED: ConnectCode.Unimplemented,
  INTERNAL: ConnectCode.Internal,
  UNAVAILABLE: ConnectCode.Unavailable,
  DATA_LOSS: ConnectCode.DataLoss,
};

/** Turns whatever a handler threw into what the caller is told. `method` is the RPC, for the log. */
export type ErrorReporter = (error: unknown, method: string) => VademecumError;

/** Expected errors pass; any other is logged under an id, and the caller learns nothing but the id. */
export function createErrorReporter(log: Pick<Logger, "error">): ErrorReporter {
  return (error, method) => {
    if (error instanceof VademecumError) return error;
    const errorId = randomUUID();
    log.error({ err: error, errorId, method }, "call failed unexpectedly");
    return new VademecumError(
      "INTERNAL",
      "INTERNAL_ERROR",
      `internal error; the server's log tells more under ${errorId}`,
    );
  };
}

/** The error as `google.rpc.Status`, with its details packed. */
export function toStatus(error: VademecumError): Status {
  const details = detailsOf(error).map(({ desc, value }) => anyPack(desc, value));
  return create(StatusSchema, { code: wireCodes[error.code], message: messageOf(error), details });
}

/** The error as Connect sends it over each of its protocols, with the same details. */
export function toConnectError(error: VademecumError): ConnectError {
  return new ConnectError(messageOf(error), wireCodes[error.code], undefined, [
    ...detailsOf(error),
  ]);
}

function messageOf(error: VademecumError): string {
  return shorten(error.message, errorMessageMaxBytes);
}

function detailsOf({
  reason,
  fields,
  retryAfterMs,
}: VademecumError): readonly { readonly desc: DescMessage; readonly value: Message }[] {
  const details: { readonly desc: DescMessage; readonly value: Message }[] = [
    { desc: ErrorInfoSchema, value: create(ErrorInfoSchema, { reason, domain: errorDomain }) },
  ];
  if (fields.length > 0) {
    details.push({
      desc: BadRequestSchema,
      value: create(BadRequestSchema, { fieldViolations: fieldsThatFit(fields) }),
    });
  }
  if (retryAfterMs !== undefined) {
    details.push({
      desc: RetryInfoSchema,
      value: create(RetryInfoSchema, { retryDelay: fromMillis(retryAfterMs) }),
    });
  }
  return details;
}

function fieldsThatFit(fields: readonly FieldViolation[]): FieldViolation[] {
  const fitting: FieldViolation[] = [];
  let bytesLeft = errorFieldsMaxBytes;
  for (const { field, description } of fields) {
    const violation = {
      field: shorten(field, errorFieldMaxBytes),
      description: shorten(description, errorFieldMaxBytes),
    };
    bytesLeft -= Buffer.byteLength(violation.field) + Buffer.byteLength(violation.description);
    if (bytesLeft < 0) break;
    fitting.push(violation);
  }
  return fitting;
}

/** The longest beginning with at most `maxBytes` bytes of UTF-8, an ellipsis included where something was cut. Well-formed, as headers must be. */
function shorten(text: string, maxBytes: number): string {
  const wellFormed = text.toWellFormed();
  if (Buffer.byteLength(wellFormed) <= maxBytes) return wellFormed;
  const ellipsis = "…";
  const { read } = new TextEncoder().encodeInto(
    wellFormed,
    new Uint8Array(Math.max(0, maxBytes - Buffer.byteLength(ellipsis))),
  );
  return wellFormed.slice(0, read) + ellipsis;
}
