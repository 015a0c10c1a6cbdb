import { Command } from "commander";
import { readConfig } from "../config/config.js";
import { serverSettings } from "../config/server-settings.js";
import type { CommandIo } from "./command-io.js";
import { serveUntilSignal } from "./serve-until-signal.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

const examples = `
Examples:
  $ vademecum serve
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
    .addHelpText("after", examples);
  addSettings(command, serverSettings);
  return command.action(async () => {
    const config = readConfig(readFlagTexts(command, serverSettings), io.environment);
    // A dynamic import, because most other commands need neither the model nor the store.
    const { startServer } = await import("../server/start-server.js");
    await serveUntilSignal({
      config,
      io,
      json: command.opts<{ json?: boolean }>().json === true,
      start: () => startServer(config, io.stderr),
    });
  });
}
