import type { Duration } from "@bufbuild/protobuf/wkt";

/** Converts milliseconds (at least 0) to a duration. Keeps fractions to the nanosecond. */
export function fromMillis(durationMs: number): Duration {
  const nanos = Math.round(durationMs * 1_000_000);
  const seconds = Math.floor(nanos / 1_000_000_000);
  return {
    $typeName: "google.protobuf.Duration",
    seconds: BigInt(seconds),
    nanos: nanos - seconds * 1_000_000_000,
  };
}
