import { isAbsolute, join } from "node:path";
import { connectionSettings, namespaceSettings } from "./client-settings.js";
import type { Environment, FlagTexts } from "./config.js";
import { environmentName, optionalSetting, type Settings } from "./setting.js";
import { InvalidSettingValue } from "./setting-values.js";

/** Settings of one server under a name: texts by flag, as a user would type them. */
export type Context = FlagTexts;

/** The contexts of a user of this machine. */
export interface Contexts {
  /** The name of the context for commands that name none. Absent: there is no such context. */
  readonly current?: string | undefined;
  /** In the order in which they were added. */
  readonly byName: ReadonlyMap<string, Context>;
}

/** No contexts. */
export const noContexts: Contexts = { byName: new Map() };

/** The settings that a context holds. */
export const contextSettings = {
  ...connectionSettings,
  ...namespaceSettings,
} as const satisfies Settings;

/** The setting that names a context. */
export const contextChoice = {
  context: optionalSetting({
    flag: "context",
    placeholder: "context",
    parse: parseContextName,
    help:
      "The context with the address, the key, the user and the agent: see `vademecum context`. " +
      "Flags and variables win over it. Default: the one of `vademecum context use`.",
  }),
} as const satisfies Settings;

/** Parses the name of a context. */
export function parseContextName(text: string): string {
  if (/^[a-z\d][a-z\d._-]{0,63}$/i.test(text)) return text;
  throw new InvalidSettingValue(
    "1 to 64 letters, digits, dots, hyphens and underscores, with a letter or a digit first",
  );
}

/**
 * Returns the file of the contexts: `vademecum/contexts.json` in the folder for configuration,
 * which is XDG_CONFIG_HOME, else `.config` in the home folder, and APPDATA on Windows. `undefined`
 * if the environment names no such folder.
 */
export function contextsPath(environment: Environment): string | undefined {
  const { XDG_CONFIG_HOME: folder = "", HOME: home = "", APPDATA: roaming = "" } = environment;
  const parents = [folder, home === "" ? "" : join(home, ".config"), roaming];
  const parent = parents.find((it) => isAbsolute(it));
  return parent === undefined ? undefined : join(parent, "vademecum", "contexts.json");
}

const [keyFlag, keyFileFlag] = [connectionSettings.apiKey.flag, connectionSettings.apiKeyFile.flag];

/**
 * Adds a context to an environment, as variables that the environment does not set itself.
 *
 * The key, the certificates and the address of a context belong together: if a flag or a variable
 * gives another address, the context gives none of them, so that no server gets the key of another.
 * A key or key file of a flag or a variable takes the place of either in the context.
 */
export function withContext(
  environment: Environment,
  context: Context,
  flagTexts: FlagTexts,
): Environment {
  const isGiven = (flag: string) => flagTexts.has(flag) || environment[environmentName(flag)];
  const ofConnection: ReadonlySet<string> = new Set(
    isGiven(connectionSettings.server.flag)
      ? Object.values(connectionSettings).map(({ flag }) => flag)
      : isGiven(keyFlag) || isGiven(keyFileFlag)
        ? [keyFlag, keyFileFlag]
        : [],
  );
  const added = [...context].filter(([flag]) => !ofConnection.has(flag) && !isGiven(flag));
  return {
    ...environment,
    ...Object.fromEntries(added.map(([flag, text]) => [environmentName(flag), text])),
  };
}

const flags: ReadonlySet<string> = new Set(Object.values(contextSettings).map(({ flag }) => flag));

/**
 * Parses the file of the contexts.
 *
 * @throws InvalidSettingValue when it has another form
 */
export function parseContexts(text: string): Contexts {
  const wrong = new InvalidSettingValue("a file that `vademecum context add` wrote");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong;
  }
  if (!isObject(value) || !isObject(value["contexts"])) throw wrong;
  const { current, contexts } = value;
  const byName = new Map(
    Object.entries(contexts).map(([name, context]) => {
      if (!isObject(context)) throw wrong;
      const texts = Object.entries(context).map(([flag, it]): [string, string] => {
        if (!flags.has(flag) || typeof it !== "string") throw wrong;
        return [flag, it];
      });
      return [parseContextName(name), new Map(texts)];
    }),
  );
  if (current === undefined) return { byName };
  if (typeof current !== "string" || !byName.has(current)) throw wrong;
  return { current, byName };
}

/** Formats contexts as `parseContexts` reads them. */
export function formatContexts({ current, byName }: Contexts): string {
  const contexts = Object.fromEntries(
    [...byName].map(([name, context]) => [name, Object.fromEntries(context)]),
  );
  return `${JSON.stringify({ current, contexts }, null, 2)}\n`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
