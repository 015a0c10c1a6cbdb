import type { Duration } from "@bufbuild/protobuf/wkt";

/**
 * Converts a duration to milliseconds, with fractions.
 *
 * @throws RangeError when the duration is missing
 */
export function millisOf(duration: Duration | undefined): number {
  if (duration === undefined) throw new RangeError("the reply has no duration");
  return Number(duration.seconds) * 1_000 + duration.nanos / 1_000_000;
}
