import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Scalar } from "yaml";
import { ConfigError, type SettingsFile } from "./config.js";
import { nearestName } from "./nearest-name.js";
import { environmentName, optionalSetting, type Setting, type Settings } from "./setting.js";
import { parsePath } from "./setting-values.js";

/** The setting that names the configuration file. */
export const configFileChoice = {
  configFile: optionalSetting({
    flag: "config",
    placeholder: "file",
    parse: parsePath,
    help:
      "A YAML file with settings, under the names of their flags, such as `data: /var/lib/vademecum`. " +
      "Flags and variables win over it. `vademecum config check` shows what would hold.",
  }),
} as const satisfies Settings;

/**
 * Reads the text of a configuration file: a YAML map of settings by the names of their flags.
 *
 * @throws ConfigError when it is no such map, or names a setting that does not exist, or has a
 *   value of another type than text, number, true, false, or a list of these. The error lists all
 *   problems, each with its line
 */
export function parseSettingsFile(text: string, path: string, settings: Settings): SettingsFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const problems = document.errors.map(
    ({ linePos, message }) => `${path}:${linePos?.[0].line ?? 1}: ${message.split("\n")[0] ?? ""}`,
  );
  const { contents } = document;
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  if (!isEmpty && !isMap(contents))
    problems.push(`${path}:1: must be a map of settings, such as "data: /var/lib/vademecum"`);
  const byFlag = new Map(Object.values(settings).map((each) => [each.flag, each]));
  const found = new Map<string, { text: string; line: number }>();
  for (const { key, value } of isMap(contents) ? contents.items : []) {
    const line = lineOf(key, lines);
    const name = isScalar(key) ? String(key.value) : "a key that is no text";
    const setting = byFlag.get(name);
    const fault = setting === undefined ? unknownFault(name, byFlag) : faultOf(setting, value);
    if (fault !== undefined) problems.push(`${path}:${line}: ${name}: ${fault}`);
    else found.set(name, { text: textOf(value), line });
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return { path, settings: found };
}

function lineOf(key: unknown, lines: LineCounter): number {
  return isScalar(key) ? lines.linePos(key.range?.[0] ?? 0).line : 1;
}

function unknownFault(name: string, byFlag: ReadonlyMap<string, unknown>): string {
  const nearest = nearestName(name, byFlag.keys());
  return (
    `no setting has this name; allowed: the flags of \`vademecum serve\` without their dashes. ` +
    `Nearest: ${nearest}`
  );
}

/** Returns what is wrong with the type of a value. */
function faultOf({ flag, isSecret, isList }: Setting<unknown>, value: unknown): string | undefined {
  if (isSecret)
    return `a secret cannot stand in a file that others may read; set ${environmentName(flag)}`;
  if (isSingle(value)) return undefined;
  if (isSeq(value) && isList === true && value.items.every(isSingle)) return undefined;
  const allowed = "a text, a number, true or false";
  return isSeq(value) && isList !== true
    ? `is a list, and takes one value; allowed: ${allowed}`
    : `is ${kindOf(value)}; allowed: ${allowed}${isList === true ? ", or a list of these" : ""}`;
}

function kindOf(value: unknown): string {
  if (isMap(value)) return "a map";
  return isSeq(value) ? "a list with other values" : "empty";
}

function isSingle(value: unknown): value is Scalar {
  return isScalar(value) && ["string", "number", "boolean"].includes(typeof value.value);
}

/** Returns the text of a value, as it is written. The values of a list are joined by commas. */
function textOf(value: unknown): string {
  if (isSeq(value)) return value.items.map(textOf).join(",");
  if (!isScalar(value)) return "";
  return typeof value.value === "number" && value.source !== undefined
    ? value.source
    : String(value.value);
}
