import { type Command, Option } from "commander";
import type { FlagTexts } from "../config/config.js";
import { environmentName, type Settings } from "../config/setting.js";

/**
 * Adds one option for each setting that is not secret, with its help, default and environment
 * variable.
 */
export function addSettings(command: Command, settings: Settings): void {
  for (const { flag, isSecret, isList, placeholder, defaultText, help } of Object.values(
    settings,
  )) {
    if (isSecret) continue;
    const origin = `${environmentName(flag)}${defaultText === undefined ? "" : `, default ${defaultText}`}`;
    const option = new Option(
      placeholder === undefined ? `--${flag}` : `--${flag} <${placeholder}>`,
      `${help} [${origin}]`,
    );
    if (isList)
      option.argParser((value, previous: string | undefined) =>
        previous === undefined ? value : `${previous},${value}`,
      );
    command.addOption(option);
  }
}

/** Returns the settings of the command line as text, by flag. */
export function readFlagTexts(command: Command, settings: Settings): FlagTexts {
  const flags = new Set(Object.values(settings).map(({ flag }) => flag));
  const texts = command.options.flatMap((option): [string, string][] => {
    const name = option.long?.slice(2) ?? "";
    if (!flags.has(name)) return [];
    const value = command.getOptionValue(option.attributeName()) as string | true | undefined;
    return value === undefined ? [] : [[name, String(value)]];
  });
  return new Map(texts);
}
