import type { Command } from "commander";
import { namespaceCommand, namespaceOf, type ServerCall, userIdOf } from "./client-command.js";
import { CommandFailure, type CommandIo } from "./command-io.js";
import { findMemory } from "./find-memory.js";

/** The fields of a request that name one memory. */
export interface NamedMemory {
  readonly namespace?: { readonly userId: string; readonly agentId: string };
  /** The user, in place of the namespace. */
  readonly userId?: string;
  /** Empty: `externalId` names the memory. */
  readonly id: string;
  readonly externalId?: string;
}

/** Creates a command for one memory: a namespace command with an id or `--external-id`. */
export function memoryCommand(name: string, description: string): Command {
  return namespaceCommand(name, description)
    .argument("[id]", "The memory's id.")
    .option("--external-id <id>", "The memory's external id, in place of its id.")
    .option("--any-agent", "Find the id among all agents of the user that you may name.");
}

/**
 * Returns the memory that the command line names.
 *
 * @throws CommandFailure when it names none, or names it twice
 */
export function namedMemoryOf(
  command: Command,
  io: CommandIo,
  id: string | undefined,
): NamedMemory {
  const { externalId } = command.opts<{ externalId?: string }>();
  if ((id === undefined) === (externalId === undefined))
    throw new CommandFailure("give the memory's id, or --external-id", 2);
  const named = { id: id ?? "", ...(externalId !== undefined && { externalId }) };
  const { anyAgent } = command.opts<{ anyAgent?: boolean }>();
  // A shortened id is looked up in one namespace.
  return anyAgent === true
    ? { ...named, userId: userIdOf(command, io) }
    : { ...named, namespace: namespaceOf(command, io) };
}

/**
 * Returns the memory with its whole id, if its id is shortened.
 *
 * @throws CommandFailure as `findMemory`
 */
export async function withWholeId(call: ServerCall, named: NamedMemory): Promise<NamedMemory> {
  if (named.id === "" || named.namespace === undefined) return named;
  return { ...named, id: await findMemory(call, named.namespace, named.id) };
}

/** Returns the name of a memory in a message for people. */
export function memoryNameText({ id, externalId }: NamedMemory): string {
  return externalId ?? id;
}
