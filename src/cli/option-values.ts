import { type DescEnum, fromJson, type JsonObject } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { type Argument, InvalidArgumentError, Option } from "commander";
import { durationParser } from "../config/setting-values.js";
import { errorText } from "../core/model/errors.js";
import { dayAndHourExist } from "../core/model/instant.js";
import { inexactFault, scanJson } from "../core/text/scan-json.js";

/** Parses a whole number. */
export function wholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

/** Parses a decimal number. */
export function decimalNumber(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new InvalidArgumentError("It must be a number, such as 0.7.");
  return value;
}

/** Parses a JSON object. */
export function jsonObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(
      `It must be a JSON object, such as '{"topic":"wine"}' (${errorText(error)}).`,
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidArgumentError(`It must be a JSON object, such as '{"topic":"wine"}'.`);
  }
  const { duplicateKey, inexact } = scanJson(Buffer.from(text));
  if (duplicateKey !== undefined)
    throw new InvalidArgumentError(`It has the name ${JSON.stringify(duplicateKey)} twice.`);
  const [number] = inexact;
  if (number !== undefined)
    throw new InvalidArgumentError(`${number.path.join(".")} ${inexactFault(number)}.`);
  return value as JsonObject;
}

/** Parses an RFC 3339 instant. */
export function instant(text: string): Timestamp {
  if (!dayAndHourExist(text))
    throw new InvalidArgumentError(
      "It must be an instant that exists, such as 2026-05-01T09:30:00Z.",
    );
  try {
    return fromJson(TimestampSchema, text);
  } catch {
    throw new InvalidArgumentError(
      "It must be an instant such as 2026-05-01T09:30:00Z or 2026-05-01T11:30:00+02:00.",
    );
  }
}

/** Makes the parser of a setting one of an argument or an option. */
export function settingParser<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new InvalidArgumentError(`It must be ${errorText(error)}.`);
    }
  };
}

/** Parses a duration of one minute to ten years, such as `24h` or `90d`, into milliseconds. */
export const lifetime: (text: string) => number = settingParser(
  durationParser(3_650 * 24 * 3_600_000, 60_000),
);

/**
 * Parses the lifetime of a key: a duration as in `lifetime`, or `never` for a key that does not
 * expire.
 */
export function keyLifetime(text: string): number {
  return text === "never" ? Infinity : lifetime(text);
}

/** Collects the values of an option that can be repeated. */
export function collectValues(
  value: string,
  previous: readonly string[] | undefined,
): readonly string[] {
  return [...(previous ?? []), value];
}

/**
 * Creates an option whose value is the name of an enum value, in lower case and without its prefix.
 * The option parses the name into the number of the enum value.
 */
export function enumOption(flags: string, description: string, schema: DescEnum): Option {
  return new EnumOption(flags, description, schema).argParser((text) => enumNumber(schema, text));
}

/** Creates an `enumOption` that can be repeated. */
export function repeatedEnumOption(flags: string, description: string, schema: DescEnum): Option {
  const option = new EnumOption(flags, description, schema);
  option.description += " Can be repeated.";
  return option.argParser((text, previous: readonly number[] | undefined) => [
    ...(previous ?? []),
    enumNumber(schema, text),
  ]);
}

/** An option whose value is one of some names. */
class EnumOption extends Option {
  readonly names: readonly string[];
  constructor(flags: string, description: string, schema: DescEnum) {
    const names = enumNames(schema);
    super(flags, `${description} One of: ${names.join(", ")}.`);
    this.names = names;
  }
}

/** Returns the names that an option or an argument takes; `undefined` if it takes other values. */
export function valueNames(of: Option | Argument): readonly string[] | undefined {
  return of instanceof EnumOption ? of.names : of.argChoices;
}

/** Returns the placeholder of the value of an option or an argument; empty for a switch. */
export function placeholderOf(of: Option | Argument): string {
  return of instanceof Option ? (/<([^.>]+)/.exec(of.flags)?.[1] ?? "") : of.name();
}

/** Returns the name of an enum value in the form that `enumOption` parses. */
export function enumName(schema: DescEnum, number: number): string {
  return schema.value[number]?.localName.toLowerCase() ?? String(number);
}

function enumNames(schema: DescEnum): string[] {
  return schema.values
    .filter(({ number }) => number !== 0)
    .map(({ number }) => enumName(schema, number));
}

function enumNumber(schema: DescEnum, text: string): number {
  const value = schema.values.find(
    ({ number, localName }) => number !== 0 && localName.toLowerCase() === text,
  );
  if (value === undefined)
    throw new InvalidArgumentError(`It must be one of: ${enumNames(schema).join(", ")}.`);
  return value.number;
}
