import type { Config } from "../config/server-settings.js";
import { unknownVariables } from "../config/unknown-variables.js";
import type { RunningServer } from "../server/start-server.js";
import { type CommandIo, printLine } from "./command-io.js";
import { firstEndSignal } from "./end-signal.js";
import { type ReadyFacts, readyJson, readyText } from "./ready-message.js";

/** A server to run, and how to report its start. */
export interface ServerRun {
  readonly config: Config;
  readonly io: CommandIo;
  /** Prints the addresses as JSON, on a terminal too. */
  readonly json: boolean;
  readonly start: () => Promise<RunningServer>;
  readonly facts?: ReadyFacts;
}

/** Starts a server, prints its addresses, and stops it at SIGTERM or SIGINT. */
export async function serveUntilSignal({
  config,
  io,
  json,
  start,
  facts = {},
}: ServerRun): Promise<void> {
  const server = await start();
  for (const unknown of unknownVariables(io.environment))
    server.log.warn({ ...unknown }, "no setting reads this environment variable");
  const ended = firstEndSignal();
  process.on("SIGHUP", () => void server.refreshTrust());
  await printLine(
    io.stdout,
    json || io.stdout.isTTY !== true
      ? readyJson(config, server, facts)
      : readyText(config, server, io.invocation, facts),
  );
  const signal = await ended;
  server.log.info({ signal }, "stopping");
  await server.stop();
}
