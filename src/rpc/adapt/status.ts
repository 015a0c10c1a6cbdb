import {
  create,
  type DescMessage,
  type JsonObject,
  type Message,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { Code as ConnectCode, ConnectError } from "@connectrpc/connect";
import type { Logger } from "pino";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  QuotaFailureSchema,
  RetryInfoSchema,
} from "#gen/google/rpc/error_details_pb.js";
import { type Status, StatusSchema } from "#gen/google/rpc/status_pb.js";
import {
  type Code,
  errorText,
  type FieldViolation,
  VademecumError,
} from "../../core/model/errors.js";
import type { Outcome } from "../../core/ports/ended-call.js";
import { fromMillis } from "../convert/duration.js";
import { errorFieldMaxBytes, errorFieldsMaxBytes, errorMessageMaxBytes } from "../limits.js";

/** The domain of all reasons in `ErrorInfo`. */
const errorDomain = "vademecum";

/** The code on the wire for each code of the core. Connect and gRPC use the same numbers. */
const wireCodes: Record<Code, ConnectCode> = {
  CANCELLED: ConnectCode.Canceled,
  INVALID_ARGUMENT: ConnectCode.InvalidArgument,
  DEADLINE_EXCEEDED: ConnectCode.DeadlineExceeded,
  NOT_FOUND: ConnectCode.NotFound,
  UNAUTHENTICATED: ConnectCode.Unauthenticated,
  PERMISSION_DENIED: ConnectCode.PermissionDenied,
  RESOURCE_EXHAUSTED: ConnectCode.ResourceExhausted,
  FAILED_PRECONDITION: ConnectCode.FailedPrecondition,
  ALREADY_EXISTS: ConnectCode.AlreadyExists,
  ABORTED: ConnectCode.Aborted,
  OUT_OF_RANGE: ConnectCode.OutOfRange,
  INTERNAL: ConnectCode.Internal,
  UNAVAILABLE: ConnectCode.Unavailable,
  DATA_LOSS: ConnectCode.DataLoss,
};

/** The codes of the core, by their numbers on the wire. */
export const codesByNumber: ReadonlyMap<number, Code> = new Map(
  Object.entries(wireCodes).map(([code, number]) => [number, code as Code]),
);

/** Turns anything thrown in a call into the error that the caller sees. */
export type ErrorReporter = (error: unknown, call: NamedCall) => VademecumError;

/** What the log says of a call that failed. */
export interface NamedCall {
  /** Path of the RPC. */
  readonly path: string;
  readonly requestId: string;
}

/**
 * Creates the reporter of all calls. It returns a `VademecumError` unchanged. It logs any other
 * error with the request id, and the caller sees only this id.
 */
export function createErrorReporter(log: Pick<Logger, "error">): ErrorReporter {
  return (error, { path: method, requestId }) => {
    if (error instanceof VademecumError) return error;
    log.error({ err: error, requestId, method }, "the call failed with an unexpected error");
    return new VademecumError(
      "INTERNAL",
      "INTERNAL_ERROR",
      `internal error; the server log has its cause, with the request id ${requestId}`,
      { metadata: { request_id: requestId } },
    );
  };
}

/** Converts an error to `google.rpc.Status`, with the details of the error. */
export function toStatus(error: VademecumError): Status {
  const details = detailsOf(error).map(({ desc, value }) => anyPack(desc, value));
  return create(StatusSchema, { code: wireCodes[error.code], message: messageOf(error), details });
}

/** Converts the error for Connect, which sends it over each of its protocols with all details. */
export function toConnectError(error: VademecumError): ConnectError {
  const result = new ConnectError(messageOf(error), wireCodes[error.code]);
  // The details are encoded here, not by Connect: Connect would list every empty field of a detail
  // in its readable form (`debug`).
  for (const { desc, value } of detailsOf(error)) {
    const debug = toJson(desc, value) as JsonObject;
    result.details.push({ type: desc.typeName, value: toBinary(desc, value), debug });
  }
  return result;
}

/** Returns the outcome that a number on the wire stands for. */
export function codeOf(number: number): Outcome["code"] {
  if (number === 0) return "OK";
  if (number === ConnectCode.Unimplemented) return "UNIMPLEMENTED";
  return codesByNumber.get(number) ?? "INTERNAL";
}

/** Returns the code and the reason of an error of Connect. */
export function outcomeOf({ code, details }: ConnectError): Outcome {
  const info = details.find(
    (detail) => "type" in detail && detail.type === ErrorInfoSchema.typeName,
  );
  const reason =
    info !== undefined && "debug" in info ? (info.debug as JsonObject)["reason"] : undefined;
  return {
    code: codeOf(code),
    reason: typeof reason === "string" ? reason : undefined,
  };
}

function messageOf(error: VademecumError): string {
  return shorten(errorText(error), errorMessageMaxBytes);
}

function detailsOf({
  reason,
  fields,
  quotas,
  metadata,
  retryAfterMs,
}: VademecumError): readonly { readonly desc: DescMessage; readonly value: Message }[] {
  const details: { readonly desc: DescMessage; readonly value: Message }[] = [
    {
      desc: ErrorInfoSchema,
      value: create(ErrorInfoSchema, { reason, domain: errorDomain, metadata: { ...metadata } }),
    },
  ];
  if (fields.length > 0) {
    details.push({
      desc: BadRequestSchema,
      value: create(BadRequestSchema, { fieldViolations: firstThatFit(fields) }),
    });
  }
  if (quotas.length > 0) {
    details.push({
      desc: QuotaFailureSchema,
      value: create(QuotaFailureSchema, { violations: [...quotas] }),
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

function firstThatFit(fields: readonly FieldViolation[]): FieldViolation[] {
  const result: FieldViolation[] = [];
  let bytesLeft = errorFieldsMaxBytes;
  for (const { field, description } of fields) {
    const violation = {
      field: shorten(field, errorFieldMaxBytes),
      description: shorten(description, errorFieldMaxBytes),
    };
    bytesLeft -= Buffer.byteLength(violation.field) + Buffer.byteLength(violation.description);
    if (bytesLeft < 0) break;
    result.push(violation);
  }
  return result;
}

/**
 * Returns the longest start of a text that has at most `maxBytes` bytes of UTF-8. A text that was
 * cut ends with an ellipsis, which counts towards `maxBytes`. The result is well-formed, because
 * headers must be.
 */
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
