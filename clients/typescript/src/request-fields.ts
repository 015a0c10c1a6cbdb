import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";

/**
 * The fields of a request that a caller passes. The handle fills in the fields in `Known`, so they
 * are missing here. Fields and oneofs in `Mandatory` are required; the others are optional.
 */
export type Fields<
  Schema extends DescMessage,
  Known extends string = never,
  Mandatory extends keyof MessageInitShape<Schema> = never,
> = Omit<MessageInitShape<Schema>, Known | Mandatory | "$typeName" | "$unknown"> & {
  [Name in Mandatory]-?: Exclude<MessageInitShape<Schema>[Name], undefined | UnsetOneof>;
};

/** A oneof of which no field is set. */
interface UnsetOneof {
  case: undefined;
  value?: undefined;
}

/**
 * Throws a TypeError if a request has a `Date` instead of a `Timestamp`. Protobuf would read the
 * `Date` as the start of 1970. The compiler finds this mistake in TypeScript, but not in
 * JavaScript.
 *
 * @param path the path of `value` in the request
 */
export function rejectDates(value: unknown, path = ""): void {
  if (value instanceof Date)
    throw new TypeError(
      `${path}: is a Date and must be a Timestamp; convert it with timestampFromDate`,
    );
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return;
  for (const [name, item] of Object.entries(value))
    rejectDates(item, path === "" ? name : `${path}.${name}`);
}
