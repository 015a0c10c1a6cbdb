import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type Command, Option } from "commander";
import type { FilterSchema } from "#gen/vademecum/v1/filter_pb.js";
import {
  MemoryStatus,
  MemoryStatusSchema,
  type MemoryType,
  MemoryTypeSchema,
} from "#gen/vademecum/v1/memory_pb.js";
import {
  collectValues,
  decimalNumber,
  enumOption,
  instant,
  jsonObject,
  repeatedEnumOption,
} from "./option-values.js";

/** Values of the options that `addFilterOptions` adds. */
interface FilterOptions {
  readonly tagAny?: string[];
  readonly tagAll?: string[];
  readonly memoryType?: MemoryType[];
  readonly kind?: string[];
  readonly metadata?: JsonObject;
  readonly startTime?: Timestamp;
  readonly endTime?: Timestamp;
  readonly importanceMin?: number;
  readonly source?: string;
  readonly status?: MemoryStatus;
  readonly author?: string;
  readonly threadId?: string;
  readonly expression?: string;
}

/** Adds one option for each condition of a `Filter`. */
export function addFilterOptions(command: Command): Command {
  const conditions = [
    new Option(
      "--tag-any <tag>",
      "Only memories with at least one of these tags. Can be repeated.",
    ).argParser(collectValues),
    new Option(
      "--tag-all <tag>",
      "Only memories with all of these tags. Can be repeated.",
    ).argParser(collectValues),
    repeatedEnumOption("--memory-type <type>", "Only memories of this type.", MemoryTypeSchema),
    new Option("--kind <kind>", "Only memories of this kind. Can be repeated.").argParser(
      collectValues,
    ),
    new Option(
      "--metadata <json>",
      "Only memories whose metadata has these entries, with equal types and values.",
    ).argParser(jsonObject),
    new Option(
      "--start-time <instant>",
      "Only memories at or after this instant, by event time, else by create time.",
    ).argParser(instant),
    new Option("--end-time <instant>", "Only memories before this instant.").argParser(instant),
    new Option(
      "--importance-min <number>",
      "Only memories of at least this importance, 0 to 1.",
    ).argParser(decimalNumber),
    new Option("--source <source>", "Only memories with exactly this source."),
    enumOption("--status <status>", "Only memories of this status.", MemoryStatusSchema),
    new Option("--author <author>", "Only memories with exactly this author."),
    new Option("--thread-id <id>", "Only memories with exactly this thread id."),
    new Option(
      "--expression <cel>",
      "Only memories for which this CEL expression is true, " +
        "such as 'importance > 0.7 && \"wine\" in tags'.",
    ),
  ];
  command.optionsGroup("Filter:");
  for (const option of conditions) command.addOption(option);
  command.optionsGroup("Options:");
  return command;
}

/** Builds the filter from a command's options. */
export function filterOf(command: Command): MessageInitShape<typeof FilterSchema> {
  const { tagAny, tagAll, memoryType, kind, status, startTime, endTime, ...same } =
    command.opts<FilterOptions>();
  const { metadata, importanceMin, source, author, threadId, expression } = same;
  const bounds = { ...(startTime && { start: startTime }), ...(endTime && { end: endTime }) };
  return {
    tagsAny: tagAny ?? [],
    tagsAll: tagAll ?? [],
    memoryTypes: memoryType ?? [],
    kinds: kind ?? [],
    status: status ?? MemoryStatus.UNSPECIFIED,
    ...(Object.keys(bounds).length > 0 && { timeRange: bounds }),
    ...(metadata && { metadata }),
    importanceMin,
    source,
    author,
    threadId,
    expression,
  };
}
