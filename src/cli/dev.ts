import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { connectionSettings } from "../config/client-settings.js";
import { type Environment, readConfig, readSettings, variablesOf } from "../config/config.js";
import type { Config } from "../config/server-settings.js";
import { devSettings } from "../config/testing-settings.js";
import { roles } from "../core/model/principal.js";
import { createApiKey, parseApiKey } from "../credentials/api-key.js";
import { formatCredentials } from "../credentials/credentials.js";
import { CommandFailure, type CommandIo } from "./command-io.js";
import { serveUntilSignal } from "./serve-until-signal.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

const examples = `
Examples:
  $ vademecum dev
  $ vademecum dev --grpc 127.0.0.1:0 --http 127.0.0.1:0 --json

Everything is in RAM, and lost when the process ends. The server asks for an API key, as a server in
production does. The key may do everything. Each start makes a new key, unless VADEMECUM_API_KEY has
one. For data that stays, use \`serve\`.`;

/** Creates the command `dev`, which runs a server for the development of a program. */
export function devCommand(io: CommandIo): Command {
  const command = new Command("dev")
    .description("Run a server in RAM with an API key, to develop a program.")
    .option(
      "--json",
      "Print addresses and key as one line of JSON. The default unless the output is a terminal.",
    )
    .addHelpText("after", examples);
  addSettings(command, devSettings);
  return command.action(async () => {
    const key = keyOf(io.environment);
    const folder = await mkdtemp(join(tmpdir(), "vademecum-dev-"));
    try {
      const config = configOf(command, io, await writeCredentials(folder, key));
      const { startServer } = await import("../server/start-server.js");
      await serveUntilSignal({
        config,
        io,
        json: command.opts<{ json?: boolean }>().json === true,
        start: () => startServer(config, io.stderr),
        facts: { key },
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** Returns the key of the environment, so that a restart keeps it, or a new one. */
function keyOf(environment: Environment): string {
  const { apiKey } = readSettings({ apiKey: connectionSettings.apiKey }, new Map(), environment);
  if (apiKey === undefined) return createApiKey().text;
  if (parseApiKey(apiKey) !== undefined) return apiKey;
  throw new CommandFailure(
    "VADEMECUM_API_KEY: its value is not an API key; unset it, or give the key of an earlier start",
    2,
  );
}

/** Writes a credentials file with one principal, which may do everything. */
async function writeCredentials(folder: string, key: string): Promise<string> {
  const { id = "", secretSha256 } = parseApiKey(key) ?? {};
  const any = ["*"];
  const stored = {
    id,
    sha256: secretSha256?.toString("hex") ?? "",
    create_time: new Date().toISOString(),
  };
  const principal = { name: "dev", roles: [...roles], users: any, agents: any, runs: any };
  const file = join(folder, "credentials.json");
  await writeFile(
    file,
    formatCredentials({ principals: [{ ...principal, tools: any, keys: [stored] }] }),
    { mode: 0o600 },
  );
  return file;
}

function configOf(command: Command, io: CommandIo, credentials: string): Config {
  const fixed = { provider: "memory", credentials };
  const flags = new Map([...readFlagTexts(command, devSettings), ...Object.entries(fixed)]);
  return readConfig(flags, variablesOf(devSettings, io.environment));
}
