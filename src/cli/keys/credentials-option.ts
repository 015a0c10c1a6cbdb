import type { Command } from "commander";
import { readSettings } from "../../config/config.js";
import { credentialSettings } from "../../config/server-settings.js";
import { errorText } from "../../core/model/errors.js";
import type { Credentials } from "../../credentials/credentials.js";
import { changeCredentialsFile, readCredentialsFile } from "../../credentials/credentials-file.js";
import { CommandFailure, type CommandIo } from "../command-io.js";
import { addSettings, readFlagTexts } from "../setting-options.js";

/** Adds the option that names the credentials file. */
export function addCredentialsOption(command: Command): Command {
  addSettings(command, credentialSettings);
  return command;
}

/**
 * Returns the path of the credentials file.
 *
 * @throws CommandFailure when neither the option nor the variable names it
 */
export function credentialsPath(command: Command, { environment }: CommandIo): string {
  const flags = readFlagTexts(command, credentialSettings);
  const { credentials } = readSettings(credentialSettings, flags, environment);
  if (credentials === undefined)
    throw new CommandFailure(
      "--credentials: missing. Name the credentials file, or set VADEMECUM_CREDENTIALS.",
      2,
    );
  return credentials;
}

/** Reads the credentials file. */
export async function readCredentials(path: string): Promise<Credentials> {
  return readCredentialsFile(path).catch((error: unknown) => fail(path, error));
}

/** Changes the credentials file in one step; creates it if there is none. */
export async function changeCredentials(
  path: string,
  change: (credentials: Credentials) => Credentials,
): Promise<void> {
  await changeCredentialsFile(path, change).catch((error: unknown) => fail(path, error));
}

const fileErrors: ReadonlySet<string> = new Set(["InvalidCredentials", "UnusableFile"]);

function fail(path: string, error: unknown): never {
  if (error instanceof Error && (fileErrors.has(error.name) || "syscall" in error))
    throw new CommandFailure(`cannot use the credentials file ${path}: ${errorText(error)}`);
  throw error;
}
