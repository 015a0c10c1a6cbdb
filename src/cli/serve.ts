import { Command } from "commander";
import { readConfig } from "../config/config.js";
import { configFileChoice } from "../config/config-file.js";
import { serverSettings } from "../config/server-settings.js";
import type { CommandIo } from "./command-io.js";
import { namedSettingsFile } from "./configs/settings-file.js";
import { demoFolder, fillIfEmpty } from "./demo.js";
import { openInBrowser } from "./open-in-browser.js";
import { urlOnThisMachine } from "./own-server.js";
import { serveUntilSignal } from "./serve-until-signal.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

const settings = { ...configFileChoice, ...serverSettings };

const examples = `
Examples:
  $ vademecum serve
  $ vademecum serve --demo
  $ vademecum serve --config /etc/vademecum.yaml
  $ vademecum serve --data /var/lib/vademecum --log-level warn
  $ vademecum serve --grpc 0.0.0.0:50051 --tls-cert server.pem --tls-key server.key \\
      --credentials /etc/vademecum/credentials.json

SIGTERM or SIGINT (Ctrl-C) stops the server: health checks report NOT_SERVING, calls in flight get
time to finish, then the data folder is closed. A second signal ends the process immediately.
Acknowledged writes are durable either way. SIGHUP makes the server read changed credentials and
certificates immediately; it also looks for changes every 5 seconds.`;

/** Creates the command `serve`, which runs the server until a signal ends it. */
export function serveCommand(io: CommandIo): Command {
  const command = new Command("serve")
    .description("Run the server, until SIGTERM or SIGINT.")
    .option(
      "--json",
      "Print the addresses as one line of JSON. The default unless the output is a terminal.",
    )
    .option(
      "--demo",
      `Serve an example world in the folder ${demoFolder}, or in --data, which is filled if it is empty. ` +
        "Opens the web console.",
    )
    .addHelpText("after", examples);
  addSettings(command, settings);
  return command.action(async () => {
    const { demo = false, json = false } = command.opts<{ demo?: boolean; json?: boolean }>();
    const flags = new Map(readFlagTexts(command, settings));
    if (demo && !flags.has("data")) flags.set("data", demoFolder);
    const file = await namedSettingsFile(flags, io.environment);
    const config = readConfig(flags, io.environment, file);
    if (demo) await fillIfEmpty(config.dataFolder, io);
    // A dynamic import, because most other commands need neither the model nor the store.
    const { startServer } = await import("../server/start-server.js");
    await serveUntilSignal({
      config,
      io,
      json,
      start: async () => {
        const server = await startServer(config, io.stderr);
        const url = urlOnThisMachine(server.httpAddress, config.tlsCert !== undefined);
        if (demo && io.stdout.isTTY === true) openInBrowser(`${url}/console/`);
        return server;
      },
    });
  });
}
