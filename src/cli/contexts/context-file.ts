import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Environment } from "../../config/config.js";
import {
  type Context,
  type Contexts,
  contextsPath,
  formatContexts,
  noContexts,
  parseContexts,
} from "../../config/contexts.js";
import { InvalidSettingValue } from "../../config/setting-values.js";
import { changePrivateFile, readIfPresent, UnusableFile } from "../../credentials/private-file.js";
import { CommandFailure } from "../command-io.js";

/**
 * Reads the contexts of the user; none if there is no file.
 *
 * @throws CommandFailure when the file cannot be used
 */
export async function readContexts(environment: Environment): Promise<Contexts> {
  const path = contextsPath(environment);
  if (path === undefined) return noContexts;
  return parse(await readIfPresent(path).catch((error: unknown) => fail(path, error)), path);
}

/**
 * Changes the contexts of the user. The file and its folder are for the user alone.
 *
 * @throws CommandFailure when the file cannot be used. Rethrows errors of `change`
 */
export async function changeContexts(
  environment: Environment,
  change: (contexts: Contexts) => Contexts,
): Promise<void> {
  const path = contextsPath(environment);
  if (path === undefined)
    throw new CommandFailure("there is no place for contexts: set HOME or XDG_CONFIG_HOME", 2);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await changePrivateFile(path, (text) => formatContexts(change(parse(text, path))));
  } catch (error) {
    fail(path, error);
  }
}

/**
 * Returns the context of a name.
 *
 * @throws CommandFailure when there is none
 */
export function contextOf({ byName }: Contexts, name: string): Context {
  const context = byName.get(name);
  if (context !== undefined) return context;
  const names = [...byName.keys()];
  const others = names.length === 0 ? "there are none" : `there are ${names.join(", ")}`;
  throw new CommandFailure(
    `there is no context '${name}': ${others}; \`vademecum context add ${name}\` adds it`,
    2,
  );
}

function parse(text: string | undefined, path: string): Contexts {
  if (text === undefined) return noContexts;
  try {
    return parseContexts(text);
  } catch (error) {
    return fail(path, error);
  }
}

function fail(path: string, error: unknown): never {
  const isOfFile = error instanceof UnusableFile || (error instanceof Error && "syscall" in error);
  if (error instanceof InvalidSettingValue)
    throw new CommandFailure(`${path} is not ${error.allowed}; correct or remove it`, 2);
  if (isOfFile) throw new CommandFailure(`cannot use ${path}: ${error.message}`, 2);
  throw error;
}
