import {
  createRegistry,
  type DescMessage,
  type MessageShape,
  toJsonString,
} from "@bufbuild/protobuf";
import type { CallOptions } from "@connectrpc/connect";
import { ConnectError } from "@connectrpc/connect";
import { Command } from "commander";
import { file_google_rpc_error_details } from "#gen/google/rpc/error_details_pb.js";
import {
  type ConnectionConfig,
  connectionSettings,
  namespaceSettings,
  runSettings,
  userSettings,
} from "../config/client-settings.js";
import { readSettings } from "../config/config.js";
import { contextChoice } from "../config/contexts.js";
import { environmentName } from "../config/setting.js";
import { callFailureJson, callFailureText } from "./call-failure.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { type Connection, openPatientConnection, type TransportConfig } from "./connection.js";
import { printable } from "./printable.js";
import { addSettings, readFlagTexts } from "./setting-options.js";

/**
 * How long a command waits for its call, in milliseconds. Equal to the server's default deadline.
 */
const callTimeoutMs = 30_000;

/** The connection of a command to its server, and how to use it. */
export interface ServerCall {
  readonly connection: Connection;
  readonly options: CallOptions;
  /** Whether `--json` was given. */
  readonly json: boolean;
}

/** Creates a command that calls a server, with the options of the connection. */
export function connectedCommand(name: string, description: string): Command {
  const command = new Command(name).description(description);
  addSettings(command, { ...contextChoice, ...connectionSettings });
  return command;
}

/** Creates a command that calls a server, with the options of the connection and `--json`. */
export function clientCommand(name: string, description: string): Command {
  return connectedCommand(name, description).option(
    "--json",
    "Print replies as protobuf JSON, one record or reply per line, and errors as JSON to standard error.",
  );
}

/**
 * Creates a command for the memories of one namespace: a client command with `--user` and
 * `--agent`.
 */
export function namespaceCommand(name: string, description: string): Command {
  const command = clientCommand(name, description);
  addSettings(command, namespaceSettings);
  return command;
}

/**
 * Creates a command for the records of one user, whatever the agent: a client command with
 * `--user`.
 */
export function userCommand(name: string, description: string): Command {
  const command = clientCommand(name, description);
  addSettings(command, userSettings);
  return command;
}

/**
 * Adds `--user` and `--all-users` to a command for the records of all users whom the caller may
 * name, or of one of them.
 */
export function addUserChoice(command: Command): Command {
  addSettings(command, userSettings);
  return command.option(
    "--all-users",
    `All users whom you may name, even if ${environmentName("user")} is set. The default without --user.`,
  );
}

/**
 * Returns the user that the command line or the environment names; `undefined` for all users.
 *
 * @throws CommandFailure when the command line has both --user and --all-users
 */
export function optionalUserOf(command: Command, io: CommandIo): string | undefined {
  const flagTexts = readFlagTexts(command, userSettings);
  if (command.opts<{ allUsers?: boolean }>().allUsers !== true)
    return readSettings(userSettings, flagTexts, io.environment).userId;
  if (flagTexts.size === 0) return undefined;
  throw new CommandFailure("--all-users: give either --user or --all-users", 2);
}

/**
 * Returns the user that the command line or the environment names.
 *
 * @throws CommandFailure when neither names a user
 */
export function userOf(command: Command, io: CommandIo): string {
  return required(
    readSettings(userSettings, readFlagTexts(command, userSettings), io.environment).userId,
    "user",
    "Blocks and proposals belong to a user",
  );
}

/**
 * Returns the namespace that the command line or the environment names.
 *
 * @throws CommandFailure when the user or the agent is missing
 */
export function namespaceOf(command: Command, io: CommandIo): { userId: string; agentId: string } {
  const { userId, agentId } = readSettings(
    namespaceSettings,
    readFlagTexts(command, namespaceSettings),
    io.environment,
  );
  const reason = "Memories belong to a user and an agent";
  return {
    userId: required(userId, "user", reason),
    agentId: required(agentId, "agent", reason),
  };
}

/**
 * Returns the user of a command for a namespace, whatever the agent.
 *
 * @throws CommandFailure when the user is missing
 */
export function userIdOf(command: Command, io: CommandIo): string {
  const flagTexts = readFlagTexts(command, namespaceSettings);
  const { userId } = readSettings(namespaceSettings, flagTexts, io.environment);
  return required(userId, "user", "Memories belong to a user and an agent");
}

/** Creates a command for the notes of one run: a client command with `--run`. */
export function runCommand(name: string, description: string): Command {
  const command = clientCommand(name, description);
  addSettings(command, runSettings);
  return command;
}

/**
 * Returns the run that the command line or the environment names.
 *
 * @throws CommandFailure when neither names a run
 */
export function runOf(command: Command, io: CommandIo): string {
  const { runId } = readSettings(runSettings, readFlagTexts(command, runSettings), io.environment);
  return required(runId, "run", "Notes belong to a run");
}

/** Creates a command that only groups others. */
export function groupCommand(
  name: string,
  description: string,
  commands: readonly Command[],
  examples: string,
): Command {
  const group = new Command(name).description(description);
  for (const command of commands) group.addCommand(command);
  return group.addHelpText("after", examples);
}

/** The types of error details in replies. */
const detailTypes = createRegistry(file_google_rpc_error_details);

/** Prints a reply as protobuf JSON or as a text, whose hidden characters are made visible. */
export async function printReply<Schema extends DescMessage>(
  { stdout }: CommandIo,
  { json }: ServerCall,
  schema: Schema,
  reply: MessageShape<Schema>,
  text: string,
): Promise<void> {
  await printLine(
    stdout,
    json ? toJsonString(schema, reply, { registry: detailTypes }) : printable(text),
  );
}

function required(value: string | undefined, flag: string, reason: string): string {
  if (value !== undefined) return value;
  throw new CommandFailure(
    `--${flag}: missing. ${reason}. Give --${flag} ID, or set ${environmentName(flag)}.`,
    2,
  );
}

/** Returns the connection settings of the command line and the environment. */
export function connectionConfigOf(command: Command, io: CommandIo): ConnectionConfig {
  const flagTexts = readFlagTexts(command, connectionSettings);
  return readSettings(connectionSettings, flagTexts, io.environment);
}

/** How a command calls its server. */
export interface CallServerOptions {
  /** How long the command waits for its call, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
  /** The server to call. Default: the server of the command line and the environment. */
  readonly config?: TransportConfig;
}

/**
 * Runs `call` with a connection to the command's server, and closes the connection.
 *
 * @throws CommandFailure when the call fails, as text or, with `--json`, as JSON
 */
export async function callServer(
  command: Command,
  io: CommandIo,
  call: (server: ServerCall) => Promise<void>,
  { timeoutMs = callTimeoutMs, config = connectionConfigOf(command, io) }: CallServerOptions = {},
): Promise<void> {
  const json = command.opts<{ json?: boolean }>().json === true;
  const connection = openPatientConnection(config);
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
