import { parseSwitch } from "./setting-values.js";

/** One thing that the operator can decide: by its flag, else by its environment variable, else the default holds. */
export interface Setting<T> {
  /** Name of the flag without its dashes. The environment variable is `environmentName` of it. */
  readonly flag: string;
  /** There is no such flag, only the environment variable: other users of the machine can read command lines. Its value is never shown. */
  readonly isSecret?: true;
  /** The flag may be given several times: its values are joined with commas. */
  readonly isList?: true;
  /** What the flag's value is, for the help. Absent: the flag is a switch and takes no value. */
  readonly placeholder?: string;
  /** The default as one would type it. Absent: none. */
  readonly defaultText?: string;
  readonly help: string;
  /** The value that a text stands for. Throws `NotAllowed`. */
  readonly parse: (text: string) => T;
  /** The value when nothing was given. */
  readonly fallback: () => T;
}

type SettingText = Pick<Setting<unknown>, "flag" | "help">;

/** A setting with a default. */
export function setting<T>(
  given: SettingText & { placeholder: string; defaultText: string; parse: (text: string) => T },
): Setting<T> {
  return { ...given, fallback: () => given.parse(given.defaultText) };
}

/** A setting that may be absent. */
export function optionalSetting<T>(
  given: SettingText & { placeholder: string; parse: (text: string) => T },
): Setting<T | undefined> {
  return { ...given, fallback: () => undefined };
}

/** A setting of several values, by default none. */
export function listSetting<T>(
  given: SettingText & { placeholder: string; parse: (text: string) => readonly T[] },
): Setting<readonly T[]> {
  return { ...given, isList: true, fallback: () => [] };
}

/** A setting that only the environment gives. */
export function secretSetting<T>(
  given: SettingText & { parse: (text: string) => T },
): Setting<T | undefined> {
  return { ...given, placeholder: "value", isSecret: true, fallback: () => undefined };
}

/** A setting that is on or off, by default off. */
export function switchSetting(given: SettingText): Setting<boolean> {
  return { ...given, parse: parseSwitch, fallback: () => false };
}
