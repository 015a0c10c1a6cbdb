import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";

const steps = [
  [1000 * 60, 1000, "s"],
  [1000 * 3600, 1000 * 60, "min"],
  [1000 * 86_400, 1000 * 3600, "h"],
  [Infinity, 1000 * 86_400, "d"],
] as const;

/** Returns a span of time in its largest unit, such as `3 d`. */
export function spanOf(ms: number): string {
  const positive = Math.max(0, ms);
  const [, unitMs, unit] = steps.find(([below]) => positive < below) ?? steps[3];
  return `${Math.floor(positive / unitMs)} ${unit}`;
}

/** Returns how long ago a moment was, or in how long it comes. */
export function relativeOf(time: Timestamp, nowMs: number): string {
  const ms = nowMs - timestampMs(time);
  if (Math.abs(ms) < 1000) return "now";
  // Half a minute more, so that a month from now is 30 days and not 29.
  return ms > 0 ? `${spanOf(ms)} ago` : `in ${spanOf(30_000 - ms)}`;
}

/** Returns a moment as date and time of day, in the zone of the person or in UTC. */
export function absoluteOf(time: Timestamp, isUtc: boolean): string {
  const date = new Date(timestampMs(time));
  if (isUtc) return `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
