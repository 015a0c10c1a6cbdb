import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { JSX } from "preact";
import { nowMs } from "../now.js";
import { zone } from "../preferences.js";
import { absoluteOf, relativeOf } from "../times.js";

/** Shows how long ago a moment was. The date and the time of day are in the tooltip. */
export function Moment({ time }: { readonly time: Timestamp | undefined }): JSX.Element {
  if (time === undefined) return <span class="faint">–</span>;
  return (
    <time title={absoluteOf(time, zone.value === "utc")}>{relativeOf(time, nowMs.value)}</time>
  );
}

/** Shows the date and the time of day of a moment. */
export function Instant({ time }: { readonly time: Timestamp | undefined }): JSX.Element {
  if (time === undefined) return <span class="faint">–</span>;
  return (
    <time title={relativeOf(time, nowMs.value)}>{absoluteOf(time, zone.value === "utc")}</time>
  );
}
