import type { Duration } from "@bufbuild/protobuf/wkt";

const units = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** Returns a number of bytes in the largest fitting unit of 1,000, such as `1.2 GB`. */
export function bytesText(bytes: bigint | number): string {
  let value = Number(bytes);
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** Returns the milliseconds of a duration. An absent one has 0. */
export function msOf(duration: Duration | undefined): number {
  return duration === undefined ? 0 : Number(duration.seconds) * 1000 + duration.nanos / 1e6;
}

/** Returns milliseconds as text, or seconds from 10 seconds on. */
export function msText(ms: number): string {
  return ms < 10_000
    ? `${ms < 100 ? ms.toFixed(1) : Math.round(ms)} ms`
    : `${Math.round(ms / 1000)} s`;
}

/** Returns a duration as `msText` does. */
export function durationText(duration: Duration | undefined): string {
  return msText(msOf(duration));
}
