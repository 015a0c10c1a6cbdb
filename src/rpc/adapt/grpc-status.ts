import type { OutgoingHttpHeaders } from "node:http2";
import { toBinary } from "@bufbuild/protobuf";
import { Metadata, type StatusObject } from "@grpc/grpc-js";
import { StatusSchema } from "#gen/google/rpc/status_pb.js";
import type { VademecumError } from "../../core/model/errors.js";
import { toStatus } from "./status.js";

/** Name of the metadata entry that holds the details of a status. */
export const statusDetailsName = "grpc-status-details-bin";

/**
 * Metadata with binary values in base64 without padding, as gRPC recommends. grpc-js would add
 * padding.
 */
class UnpaddedMetadata extends Metadata {
  /** grpc-js sends a clone of the metadata, so the clone must have this class too. */
  override clone(): Metadata {
    const copy = new UnpaddedMetadata(this.getOptions());
    copy.merge(this);
    return copy;
  }

  override toHttp2Headers(): OutgoingHttpHeaders {
    const headers = super.toHttp2Headers();
    const withoutPadding = (value: unknown) => String(value).replace(/=+$/, "");
    for (const name of Object.keys(headers).filter((it) => it.endsWith("-bin")))
      headers[name] = [headers[name]].flat().map(withoutPadding);
    return headers;
  }
}

/** Converts an error to a status of grpc-js, with its details. */
export function toGrpcStatus(error: VademecumError): StatusObject {
  const status = toStatus(error);
  const metadata = new UnpaddedMetadata();
  metadata.set(statusDetailsName, Buffer.from(toBinary(StatusSchema, status)));
  return { code: status.code, details: status.message, metadata };
}
