import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { Instant } from "../../core/model/instant.js";

/** Converts a timestamp. Requires: it lies in the years 1 to 9999, which validation checks. */
export function toInstant(timestamp: Timestamp | undefined): Instant | undefined {
  return timestamp && { seconds: Number(timestamp.seconds), nanos: timestamp.nanos };
}

/** Converts an instant to a timestamp. */
export function fromInstant({ seconds, nanos }: Instant): Timestamp {
  return { $typeName: "google.protobuf.Timestamp", seconds: BigInt(seconds), nanos };
}

/** Converts an instant to a timestamp, if there is an instant. */
export function fromOptionalInstant(instant: Instant | undefined): Timestamp | undefined {
  return instant && fromInstant(instant);
}
