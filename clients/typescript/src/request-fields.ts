import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";

/**
 * The fields of a request that a caller passes: all except `Known`, which the handle fills in.
 * Fields and oneofs in `Mandatory` must be set, the others are optional.
 */
export type Fields<
  Schema extends DescMessage,
  Known extends string = never,
  Mandatory extends keyof MessageInitShape<Schema> = never,
> = Omit<MessageInitShape<Schema>, Known | Mandatory | "$typeName" | "$unknown"> & {
  [Name in Mandatory]-?: Exclude<MessageInitShape<Schema>[Name], undefined | UnsetOneof>;
};

/** A oneof without a field. */
interface UnsetOneof {
  case: undefined;
  value?: undefined;
}

/**
 * Throws a TypeError for a `Date`, which a message would read as the first instant of 1970.
 * TypeScript rejects a `Date` at compile time, but JavaScript does not.
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
