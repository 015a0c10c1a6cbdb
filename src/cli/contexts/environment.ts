import type { Command } from "commander";
import { type Environment, readSettings } from "../../config/config.js";
import { contextChoice, contextSettings, withContext } from "../../config/contexts.js";
import type { CommandIo } from "../command-io.js";
import { readFlagTexts } from "../setting-options.js";
import { contextOf, readContexts } from "./context-file.js";

/**
 * Returns the environment of a command. For a command with `--context`, this includes the settings
 * of the context.
 *
 * @throws CommandFailure when there is no context of the given name, or the file cannot be used
 */
export async function environmentOf(
  command: Command,
  { environment }: CommandIo,
): Promise<Environment> {
  const { flag } = contextChoice.context;
  if (!command.options.some(({ long }) => long === `--${flag}`)) return environment;
  const choice = readFlagTexts(command, contextChoice);
  const { context: name } = readSettings(contextChoice, choice, environment);
  const contexts = await readContexts(environment);
  const used = name ?? contexts.current;
  if (used === undefined) return environment;
  return withContext(
    environment,
    contextOf(contexts, used),
    readFlagTexts(command, contextSettings),
  );
}
