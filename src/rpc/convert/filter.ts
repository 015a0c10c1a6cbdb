import type { Filter as FilterMessage } from "#gen/vademecum/v1/filter_pb.js";
import type { Filter } from "../../core/filter/filter.js";
import { dropUndefined } from "./drop-undefined.js";
import { toInstant } from "./instant.js";
import { toMemoryStatus, toMemoryType } from "./memory.js";

/** Converts a filter. An absent filter passes every memory, like an empty filter. */
export function toFilter(filter: FilterMessage | undefined): Filter {
  if (filter === undefined) return {};
  return dropUndefined<Filter>({
    metadata: filter.metadata,
    tagsAny: unlessEmpty(filter.tagsAny),
    tagsAll: unlessEmpty(filter.tagsAll),
    memoryTypes: unlessEmpty(
      filter.memoryTypes.map(toMemoryType).filter((type) => type !== undefined),
    ),
    kinds: unlessEmpty(filter.kinds),
    timeRange:
      filter.timeRange &&
      dropUndefined<NonNullable<Filter["timeRange"]>>({
        start: toInstant(filter.timeRange.start),
        end: toInstant(filter.timeRange.end),
      }),
    importanceMin: filter.importanceMin,
    source: filter.source,
    status: toMemoryStatus(filter.status),
    author: filter.author,
    threadId: filter.threadId,
    expression: filter.expression,
  });
}

function unlessEmpty<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values;
}
