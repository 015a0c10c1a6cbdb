import type { DescField } from "@bufbuild/protobuf";
import {
  type Filter as FilterMessage,
  FilterSchema,
  type TimeRange,
} from "#gen/vademecum/v1/filter_pb.js";
import type { Filter } from "../../core/filter/matcher.js";
import { dropUndefined } from "./drop-undefined.js";
import { toInstant } from "./instant.js";

type Condition = Exclude<keyof FilterMessage, `$${string}`>;

/**
 * Converts a filter. An absent filter passes every memory, like an empty filter. A condition has
 * the same name in the message and in the core; one that the core does not have does not compile.
 */
export function toFilter(filter: FilterMessage | undefined): Filter {
  const conditions: Partial<Record<string, unknown>> = {};
  for (const field of filter === undefined ? [] : FilterSchema.fields)
    conditions[field.localName] = toCondition(field, filter?.[field.localName as Condition]);
  return dropUndefined(conditions) as { readonly [Name in Condition]?: Filter[Name] };
}

/** Converts the value of a field; `undefined` if it is no condition. */
function toCondition(field: DescField, value: unknown): unknown {
  if (field.fieldKind === "list") {
    const items = value as readonly unknown[];
    if (items.length === 0) return undefined;
    return field.listKind === "enum" ? items.map((item) => enumName(field, item)) : items;
  }
  if (field.fieldKind === "enum") return enumName(field, value);
  return field.name === "time_range" ? toTimeRange(value as TimeRange | undefined) : value;
}

/** Returns the name of an enum value in the core; `undefined` for an unspecified value. */
function enumName(field: DescField, number: unknown): string | undefined {
  return number === 0 ? undefined : field.enum?.value[number as number]?.localName;
}

function toTimeRange(range: TimeRange | undefined): Filter["timeRange"] {
  return (
    range &&
    dropUndefined<NonNullable<Filter["timeRange"]>>({
      start: toInstant(range.start),
      end: toInstant(range.end),
    })
  );
}
