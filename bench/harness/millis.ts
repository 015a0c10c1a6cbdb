import type { Duration } from "@bufbuild/protobuf/wkt";

/** A duration in milliseconds, with fractions. @throws RangeError where there is none */
export function millisOf(duration: Duration | undefined): number {
  if (duration === undefined) throw new RangeError("a reply without its duration");
  return Number(duration.seconds) * 1_000 + duration.nanos / 1_000_000;
}
