import { Command } from "commander";
import { readConfig, serverSettings } from "../config/config.js";
import { type CommandIo, printLine } from "./command-io.js";
import { firstEndSignal } from "./end-signal.js";
import { readyJson, readyText } from "./ready-message.js";
import { addSettings, givenFlags } from "./setting-options.js";

const examples = `
Examples:
  $ vademecum serve
  $ vademecum serve --data /var/lib/vademecum --log-level warn
  $ vademecum serve --grpc 0.0.0.0:50051 --tls-cert server.pem --tls-key server.key --insecure

SIGTERM or SIGINT (Ctrl-C) ends it: health checks answer NOT_SERVING, calls in flight may end, the data
folder is closed. A second signal ends it at once; what was acknowledged is kept either way.`;

/** `serve`: runs the server until a signal ends it. */
export function serveCommand(io: CommandIo): Command {
  const command = new Command("serve")
    .description("Run the server, until SIGTERM or SIGINT.")
    .option(
      "--json",
      "Tell where it listens as one line of JSON, as it does anyway where nobody is watching.",
    )
    .addHelpText("after", examples);
  addSettings(command, serverSettings);
  return command.action(async () => {
    const config = readConfig(givenFlags(command, serverSettings), io.environment);
    const json = command.opts<{ json?: boolean }>().json === true || io.stdout.isTTY !== true;
    // Loaded here: the other commands need neither the model nor the store.
    const { startServer } = await import("../server/start-server.js");
    const server = await startServer(config, io.stderr);
    const ended = firstEndSignal();
    await printLine(
      io.stdout,
      json ? readyJson(config, server) : readyText(config, server, io.invocation),
    );
    server.log.info({ signal: await ended }, "stopping");
    await server.stop();
  });
}
