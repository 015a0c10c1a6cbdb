import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";

/** The fields of a request that a caller gives, all optional here: the server says what is missing. Without `Known`, which the handle fills in. */
export type Fields<Schema extends DescMessage, Known extends string = never> = Omit<
  MessageInitShape<Schema>,
  Known | "$typeName" | "$unknown"
>;

/** Throws a TypeError for a `Date`, which a message takes for the first instant of 1970. The types refuse it, but JavaScript has none. */
export function refuseDates(value: unknown, path = ""): void {
  if (value instanceof Date)
    throw new TypeError(`${path}: must be a Timestamp, as timestampFromDate gives it, not a Date`);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return;
  for (const [name, item] of Object.entries(value))
    refuseDates(item, path === "" ? name : `${path}.${name}`);
}
