import { fromBinary } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { StatusSchema } from "#gen/google/rpc/status_pb.js";

/** Converts a gRPC status to Connect's error. `packed` is `grpc-status-details-bin`. */
export function errorOfStatus(
  code: number,
  message: string,
  packed: Uint8Array | undefined,
): ConnectError {
  const error = new ConnectError(message, code);
  if (packed !== undefined) {
    error.details = fromBinary(StatusSchema, packed).details.map(({ typeUrl, value }) => ({
      type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1),
      value,
    }));
  }
  return error;
}
