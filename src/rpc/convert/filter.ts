import type { Filter as FilterMessage } from "#gen/vademecum/v1/filter_pb.js";
import type { Filter } from "../../core/filter/filter.js";
import { toInstant } from "./instant.js";
import { toMemoryStatus, toMemoryType } from "./memory.js";
import { present } from "./present.js";

/** An absent filter lets everything pass, as an empty one does. */
export function toFilter(filter: FilterMessage | undefined): Filter {
  if (filter === undefined) return {};
  return present<Filter>({
    metadata: filter.metadata,
    tagsAny: ifAny(filter.tagsAny),
    tagsAll: ifAny(filter.tagsAll),
    memoryTypes: ifAny(filter.memoryTypes.map(toMemoryType).filter((type) => type !== undefined)),
    kinds: ifAny(filter.kinds),
    timeRange:
      filter.timeRange &&
      present<NonNullable<Filter["timeRange"]>>({
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

function ifAny<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length === 0 ? undefined : values;
}
