import type { CallOptions } from "@connectrpc/connect";
import { ConnectError } from "@connectrpc/connect";
import { Command } from "commander";
import {
  connectionSettings,
  environmentName,
  namespaceSettings,
  readSettings,
  userSettings,
} from "../config/config.js";
import { callFailureJson, callFailureText } from "./call-failure.js";
import { CommandFailure, type CommandIo } from "./command-io.js";
import { type Connection, openConnection } from "./connection.js";
import { addSettings, givenFlags } from "./setting-options.js";

/** How long a command waits for its call, in milliseconds: as long as the server works on a call without a deadline. */
const callTimeoutMs = 30_000;

/** What a command calls the server with. */
export interface ServerCall {
  readonly connection: Connection;
  readonly options: CallOptions;
  /** Whether `--json` was given. */
  readonly json: boolean;
}

/** A command that talks to a server: with `--server`, `--tls-ca` and `--json`. */
export function clientCommand(name: string, description: string): Command {
  const command = new Command(name).description(description);
  command.option(
    "--json",
    "Print the replies as protobuf JSON, one message a line; errors too, on standard error.",
  );
  addSettings(command, connectionSettings);
  return command;
}

/** A command about the memories of one namespace: with `--user` and `--agent` too. */
export function namespaceCommand(name: string, description: string): Command {
  const command = clientCommand(name, description);
  addSettings(command, namespaceSettings);
  return command;
}

/** A command about what belongs to a user, whichever the agent: with `--user` too. */
export function userCommand(name: string, description: string): Command {
  const command = clientCommand(name, description);
  addSettings(command, userSettings);
  return command;
}

/** The user that a command is about. Required. */
export function userOf(command: Command, io: CommandIo): string {
  return required(
    readSettings(userSettings, givenFlags(command, userSettings), io.environment).userId,
    "user",
    "Blocks and proposals belong to a user",
  );
}

/** The namespace that a command is about. Both parts are required. */
export function namespaceOf(command: Command, io: CommandIo): { userId: string; agentId: string } {
  const { userId, agentId } = readSettings(
    namespaceSettings,
    givenFlags(command, namespaceSettings),
    io.environment,
  );
  const belonging = "Memories belong to a user and an agent";
  return {
    userId: required(userId, "user", belonging),
    agentId: required(agentId, "agent", belonging),
  };
}

function required(value: string | undefined, flag: string, belonging: string): string {
  if (value !== undefined) return value;
  throw new CommandFailure(
    `--${flag}: not given. ${belonging}: give --${flag} ID or set ${environmentName(flag)}.`,
    2,
  );
}

/** Runs `call` with a connection to the command's server. A failed call becomes a `CommandFailure` in the form that was asked for. */
export async function callServer(
  command: Command,
  io: CommandIo,
  call: (server: ServerCall) => Promise<void>,
  timeoutMs: number = callTimeoutMs,
): Promise<void> {
  const config = readSettings(
    connectionSettings,
    givenFlags(command, connectionSettings),
    io.environment,
  );
  const json = command.opts<{ json?: boolean }>().json === true;
  const connection = openConnection(config);
  try {
    await call({ connection, options: { timeoutMs }, json });
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    if (json) throw new CommandFailure(callFailureJson(error), 1, "json");
    throw new CommandFailure(callFailureText(error, config.server));
  } finally {
    connection.close();
  }
}
