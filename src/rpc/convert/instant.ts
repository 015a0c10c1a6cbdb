import { create } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import type { Instant } from "../../core/model/instant.js";

/** REQUIRES: within the years 1 to 9999, as validation sees to. */
export function toInstant(timestamp: Timestamp | undefined): Instant | undefined {
  return timestamp && { seconds: Number(timestamp.seconds), nanos: timestamp.nanos };
}

export function fromInstant({ seconds, nanos }: Instant): Timestamp {
  return create(TimestampSchema, { seconds: BigInt(seconds), nanos });
}

export function fromOptionalInstant(instant: Instant | undefined): Timestamp | undefined {
  return instant && fromInstant(instant);
}
