import { readFileSync, readlinkSync } from "node:fs";
import { resolve } from "node:path";
import type { Environment, FlagTexts } from "../../config/config.js";
import { serverSettings } from "../../config/server-settings.js";
import { environmentName, type Setting } from "../../config/setting.js";
import { errorText } from "../../core/model/errors.js";
import { CommandFailure } from "../command-io.js";

/** The settings of a server, as texts. */
export interface SettingTexts {
  readonly flags: FlagTexts;
  readonly environment: Environment;
  /** The folder in which relative paths begin. */
  readonly folder: string;
}

/**
 * Reads the settings of a running server from its process. Only on Linux, as the user of the server
 * or as root.
 *
 * @throws CommandFailure when the process cannot be read
 */
export function settingsOfProcess(pid: number): SettingTexts {
  if (pid < 1)
    throw new CommandFailure(
      `--pid: ${pid} is no process, so the server does not run; leave out --pid`,
      2,
    );
  const read = (name: string): string[] =>
    readFileSync(`/proc/${pid}/${name}`, "utf8")
      .split("\0")
      .filter((part) => part !== "");
  try {
    const pairs = read("environ").map((pair): [string, string] => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), pair.slice(at + 1)];
    });
    return {
      flags: flagsIn(read("cmdline")),
      environment: Object.fromEntries(pairs),
      folder: readlinkSync(`/proc/${pid}/cwd`),
    };
  } catch (error) {
    throw new CommandFailure(
      `--pid: cannot read the process ${pid} (${errorText(error)}); run the command as root, or as ` +
        "the user of the server",
      2,
    );
  }
}

function flagsIn(words: readonly string[]): FlagTexts {
  const texts = new Map<string, string>();
  for (const { flag, placeholder } of Object.values<Setting<unknown>>(serverSettings))
    for (const [index, word] of words.entries()) {
      if (word.startsWith(`--${flag}=`)) texts.set(flag, word.slice(flag.length + 3));
      if (word === `--${flag}`)
        texts.set(flag, placeholder === undefined ? "true" : (words[index + 1] ?? ""));
    }
  return texts;
}

/** What a value says of the server, and never of its users: numbers, switches and choices. */
const plainPlaceholders: ReadonlySet<string | undefined> = new Set([
  ...["count", "duration", "size", "level", "on/off", "on|off", "rule"],
  undefined,
]);
const plainFlags: ReadonlySet<string> = new Set(["provider", "embedder"]);

/**
 * Returns the settings that are given, for a report: numbers, switches and choices with their
 * values, and `set` for all others, such as paths, addresses, names and secrets.
 */
export function shownSettings({ flags, environment }: SettingTexts): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const { flag, placeholder, isSecret, parse } of Object.values<Setting<unknown>>(
    serverSettings,
  )) {
    const text = flags.get(flag) ?? environment[environmentName(flag)];
    if (text === undefined || text === "") continue;
    const isPlain = plainPlaceholders.has(placeholder) || plainFlags.has(flag);
    shown[flag] = isPlain && isSecret !== true && isAllowed(parse, text) ? text : "set";
  }
  return shown;
}

/** Whether the setting allows the text. A text that it does not allow may be anything. */
function isAllowed(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the text of a setting that is a path, as an absolute path. */
export function pathSetting(
  { flags, environment, folder }: SettingTexts,
  { flag, defaultText = "" }: Setting<string>,
): string {
  const text = flags.get(flag) ?? environment[environmentName(flag)] ?? "";
  return resolve(folder, text === "" ? defaultText : text);
}
