import { parseSwitch } from "./setting-values.js";

/**
 * A setting of the operator. Its flag wins over its environment variable, which wins over the
 * default.
 */
export interface Setting<T> {
  /** The flag without its dashes. `environmentName` derives the environment variable from it. */
  readonly flag: string;
  /**
   * The setting has no flag, because other users of the machine can read command lines. Its value
   * is never shown.
   */
  readonly isSecret?: true;
  /** A variable that other programs use too. It counts if the setting's own variable is not set. */
  readonly sharedVariable?: string;
  /** The flag can be repeated. Its values are joined by commas. */
  readonly isList?: true;
  /** The name of the flag's value in the help. Absent for a switch, which takes no value. */
  readonly placeholder?: string;
  /** The default as a user would type it. Absent when there is none. */
  readonly defaultText?: string;
  readonly help: string;
  /**
   * Parses a text.
   *
   * @throws InvalidSettingValue when the setting does not allow the text
   */
  readonly parse: (text: string) => T;
  /** Returns the value when neither flag nor variable is set. */
  readonly fallback: () => T;
}

/** Settings by the configuration property that they fill. */
export type Settings = Readonly<Record<string, Setting<unknown>>>;

/** The values of settings. */
export type ValuesOf<S extends Settings> = { readonly [K in keyof S]: ReturnType<S[K]["parse"]> };

/**
 * Returns the environment variable of a flag: `VADEMECUM_`, then the flag in capitals, `_` for `-`.
 */
export function environmentName(flag: string): string {
  return `VADEMECUM_${flag.toUpperCase().replaceAll("-", "_")}`;
}

type SettingText = Pick<Setting<unknown>, "flag" | "help" | "sharedVariable">;

/** Defines a setting with a default. */
export function setting<T>(
  definition: SettingText & {
    placeholder: string;
    defaultText: string;
    parse: (text: string) => T;
  },
): Setting<T> {
  return { ...definition, fallback: () => definition.parse(definition.defaultText) };
}

/** Defines a setting without a default. */
export function optionalSetting<T>(
  definition: SettingText & { placeholder: string; parse: (text: string) => T },
): Setting<T | undefined> {
  return { ...definition, fallback: () => undefined };
}

/** Defines a setting with several values. The default is an empty list. */
export function listSetting<T>(
  definition: SettingText & { placeholder: string; parse: (text: string) => readonly T[] },
): Setting<readonly T[]> {
  return { ...definition, isList: true, fallback: () => [] };
}

/** Defines a setting that only the environment can set. */
export function secretSetting<T>(
  definition: SettingText & { parse: (text: string) => T },
): Setting<T | undefined> {
  return { ...definition, placeholder: "value", isSecret: true, fallback: () => undefined };
}

/** Defines a setting that is on or off. The default is off. */
export function switchSetting(definition: SettingText): Setting<boolean> {
  return { ...definition, parse: parseSwitch, fallback: () => false };
}
