import { type DescField, type MessageInitShape, ScalarType } from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import { type Command, Option } from "commander";
import { FilterSchema } from "#gen/vademecum/v1/filter_pb.js";
import {
  collectValues,
  decimalNumber,
  enumOption,
  instant,
  jsonObject,
  repeatedEnumOption,
} from "./option-values.js";

/** The placeholder and the help of a condition whose name does not say enough. */
const texts: Readonly<Record<string, readonly [placeholder: string, help: string]>> = {
  tags_any: ["tag", "Only memories with at least one of these tags."],
  tags_all: ["tag", "Only memories with all of these tags."],
  metadata: [
    "json",
    "Only memories whose metadata has these entries, with equal types and values.",
  ],
  importance_min: ["number", "Only memories of at least this importance, 0 to 1."],
  thread_id: ["id", "Only memories with exactly this thread id."],
  external_id: ["id", "Only the memory with exactly this external id."],
  content_contains: [
    "text",
    "Only memories whose content contains this text, in upper or lower case.",
  ],
  expression: [
    "cel",
    "Only memories for which this CEL expression is true, " +
      "such as 'importance > 0.7 && \"wine\" in tags'.",
  ],
};

const bounds = [
  new Option(
    "--start-time <instant>",
    "Only memories at or after this instant, by event time, else by create time.",
  ).argParser(instant),
  new Option("--end-time <instant>", "Only memories before this instant.").argParser(instant),
] as const;

/** Adds the options for the conditions of a `Filter`. */
export function addFilterOptions(command: Command): Command {
  command.optionsGroup("Filter:");
  for (const field of FilterSchema.fields)
    for (const option of isTimeRange(field) ? bounds : [optionOf(field)]) command.addOption(option);
  command.optionsGroup("Options:");
  return command;
}

/** Builds the filter from a command's options. */
export function filterOf(command: Command): MessageInitShape<typeof FilterSchema> {
  const chosen = (option: Option): unknown => command.getOptionValue(option.attributeName());
  const [start, end] = bounds.map(chosen);
  const timeRange = start === undefined && end === undefined ? undefined : { start, end };
  return Object.fromEntries<unknown>(
    FilterSchema.fields.map((field) => [
      field.localName,
      isTimeRange(field) ? timeRange : chosen(optionOf(field)),
    ]),
  );
}

function isTimeRange({ name }: DescField): boolean {
  return name === "time_range";
}

/** Creates the option of a condition: `--memory-type` for `memory_types`. */
function optionOf(field: DescField): Option {
  const isList = field.fieldKind === "list";
  const words = field.name.split("_").map((word) => (isList ? word.replace(/s$/, "") : word));
  const last = words.at(-1) ?? "";
  const exactly =
    isList || field.enum !== undefined ? `of this ${last}` : `with exactly this ${words.join(" ")}`;
  const [placeholder, help] = texts[field.name] ?? [last, `Only memories ${exactly}.`];
  const flags = `--${words.join("-")} <${placeholder}>`;
  if (field.enum !== undefined)
    return (isList ? repeatedEnumOption : enumOption)(flags, help, field.enum);
  if (isList) return new Option(flags, `${help} Can be repeated.`).argParser(collectValues);
  const option = new Option(flags, help);
  if (field.message?.typeName === StructSchema.typeName) return option.argParser(jsonObject);
  return field.scalar === ScalarType.STRING ? option : option.argParser(decimalNumber);
}
