import { Command } from "commander";
import { readConfig, readSettings, variablesOf } from "../config/config.js";
import { testingSettings } from "../config/testing-settings.js";
import type { CommandIo } from "./command-io.js";
import { serveUntilSignal } from "./serve-until-signal.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

const examples = `
Examples:
  $ vademecum serve-testing
  $ vademecum serve-testing --grpc 127.0.0.1:0 --http 127.0.0.1:0 --json

For the tests of a program: one server, and an empty store for each bearer token. A test takes a
random token as its API key, and sees nothing of other tests. Everything is in RAM, and lost when
the process ends. docs/guides/test-your-program.md has an example.`;

/** Creates the command `serve-testing`, which runs a server with a store for each token. */
export function serveTestingCommand(io: CommandIo): Command {
  const command = new Command("serve-testing")
    .description("Run a server in RAM with an empty store for each token, to test programs.")
    .option(
      "--json",
      "Print the addresses as one line of JSON. The default unless the output is a terminal.",
    )
    .addHelpText("after", examples);
  addSettings(command, testingSettings);
  return command.action(async () => {
    const environment = variablesOf(testingSettings, io.environment);
    const flags = readFlagTexts(command, testingSettings);
    const { stores, storeBytes } = readSettings(testingSettings, flags, environment);
    const config = readConfig(new Map([...flags, ["provider", "memory"]]), environment);
    const { startTestingServer } = await import("../server/start-testing-server.js");
    await serveUntilSignal({
      config,
      io,
      json: command.opts<{ json?: boolean }>().json === true,
      start: () => startTestingServer(config, { storesMax: stores, storeBytes }, io.stderr),
      facts: { key: "$(openssl rand -hex 16)" },
    });
  });
}
