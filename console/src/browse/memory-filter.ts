import type { MessageInitShape } from "@bufbuild/protobuf";
import type { FilterSchema } from "#gen/vademecum/v1/filter_pb.js";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";

/** The names of the types of memories, as the pages write them. */
export const typeNames: Readonly<Record<MemoryType, string>> = {
  [MemoryType.UNSPECIFIED]: "",
  [MemoryType.EPISODIC]: "episodic",
  [MemoryType.SEMANTIC]: "semantic",
  [MemoryType.WORKING]: "working",
  [MemoryType.SCRATCH_PAGE]: "scratch page",
  [MemoryType.CONVERSATION]: "conversation",
  [MemoryType.TRACE]: "trace",
};

/** The fields of the filter bar, as they are in the address. */
export const filterFields = [
  "type",
  "tag",
  "kind",
  "thread",
  "author",
  "contains",
  "importance",
  "cel",
] as const;
export type FilterField = (typeof filterFields)[number];

/**
 * Returns the filter of an address. Empty fields, types that do not exist and an importance that is
 * no number are no conditions.
 */
export function filterOf(
  query: Readonly<Record<string, string>>,
): MessageInitShape<typeof FilterSchema> {
  const { type = "", tag = "", kind = "", thread = "", author = "" } = query;
  const { contains = "", importance = "", cel = "" } = query;
  const memoryType = Object.entries(typeNames).find(([, name]) => name === type && name !== "");
  const least = Number(importance);
  return {
    ...(memoryType !== undefined && { memoryTypes: [Number(memoryType[0])] }),
    ...(tag !== "" && { tagsAll: tag.split(",").map((each) => each.trim()) }),
    ...(kind !== "" && { kinds: [kind] }),
    ...(thread !== "" && { threadId: thread }),
    ...(author !== "" && { author }),
    ...(contains !== "" && { contentContains: contains }),
    ...(importance !== "" && Number.isFinite(least) && { importanceMin: least }),
    ...(cel !== "" && { expression: cel }),
  };
}

/** Whether an address has a condition, so that its filter does not mean all memories. */
export function isFiltered(query: Readonly<Record<string, string>>): boolean {
  return Object.keys(filterOf(query)).length > 0;
}
