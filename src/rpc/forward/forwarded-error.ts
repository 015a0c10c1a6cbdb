import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { anyUnpack, durationMs } from "@bufbuild/protobuf/wkt";
import { type ServiceError, status } from "@grpc/grpc-js";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  QuotaFailureSchema,
  RetryInfoSchema,
} from "#gen/google/rpc/error_details_pb.js";
import { StatusSchema } from "#gen/google/rpc/status_pb.js";
import { VademecumError } from "../../core/model/errors.js";
import { statusDetailsName } from "../adapt/grpc-status.js";
import { codesByNumber } from "../adapt/status.js";

/**
 * Returns the error of a forwarded call as the caller sees it: the error of the other server with
 * all its details. If the error does not come from a Vademecum server, returns DEADLINE_EXCEEDED or
 * UNAVAILABLE (NOT_SERVING).
 *
 * @param address of the other server
 */
export function forwardedError(error: ServiceError, address: string): VademecumError {
  const [packed] = error.metadata?.get(statusDetailsName) ?? [];
  const details = packed instanceof Buffer ? fromBinary(StatusSchema, packed).details : [];
  const find = <T extends DescMessage>(schema: T): MessageShape<T> | undefined => {
    for (const detail of details) {
      const found = anyUnpack(detail, schema);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const info = find(ErrorInfoSchema);
  const code = codesByNumber.get(error.code);
  if (info === undefined || code === undefined) return unexplained(error, address);
  const delay = find(RetryInfoSchema)?.retryDelay;
  return new VademecumError(code, info.reason, error.details, {
    fields: find(BadRequestSchema)?.fieldViolations ?? [],
    quotas: find(QuotaFailureSchema)?.violations ?? [],
    metadata: info.metadata,
    ...(delay === undefined ? {} : { retryAfterMs: durationMs(delay) }),
  });
}

function unexplained(error: ServiceError, address: string): VademecumError {
  const outcome =
    "a change may or may not be stored; try again in a second, with the same idempotency_key";
  if (error.code === status.DEADLINE_EXCEEDED)
    return new VademecumError(
      "DEADLINE_EXCEEDED",
      "DEADLINE_EXCEEDED",
      `${address}, where the data has moved, did not answer before the deadline of the call; ` +
        outcome,
      { cause: error },
    );
  return new VademecumError(
    "UNAVAILABLE",
    "NOT_SERVING",
    `the data has moved to ${address}, and this server got no answer from there; ${outcome}`,
    { retryAfterMs: 1000, cause: error },
  );
}
