import { toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import {
  DeleteKeyResponseSchema,
  type KeyEntry,
  KeyEntrySchema,
  ReadKeyResponseSchema,
  WriteKeyResponseSchema,
} from "#gen/vademecum/v1/key_value_service_pb.js";
import { readContent } from "./add.js";
import { callServer, groupCommand, printReply, runCommand, runOf } from "./client-command.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { wholeNumber } from "./option-values.js";
import { printableLine } from "./printable.js";

const examples = `
Examples:
  $ vademecum notes put --run trip-7 hotel "Room 12"
  $ vademecum notes get --run trip-7 hotel
  $ vademecum notes list --run trip-7`;

/** Creates the command `notes`, which reads and writes the notes of a run. */
export function notesCommand(io: CommandIo): Command {
  const commands = [list(io), get(io), put(io), remove(io)];
  return groupCommand("notes", "Read and write the notes of a run.", commands, examples);
}

function list(io: CommandIo): Command {
  const command = runCommand("list", "List the keys of all notes.")
    .option("--prefix <text>", "Only keys that begin with this text.")
    .option("--values", "Print the values too, after their keys.");
  return command.action(async () => {
    const runId = runOf(command, io);
    const { prefix = "", values = false } = command.opts<{ prefix?: string; values?: boolean }>();
    await callServer(command, io, async ({ connection, options, json }) => {
      let pageToken = "";
      do {
        const request = { runId, limit: 1000, pageToken, prefix, includeValues: values };
        const page = await connection.keyValues.listKeys(request, options);
        const { keys, entries, nextPageToken } = page;
        for (const entry of entries) await printLine(io.stdout, entryText(entry, json));
        for (const key of values ? [] : keys)
          await printLine(io.stdout, json ? JSON.stringify(key) : printableLine(key));
        pageToken = nextPageToken;
      } while (pageToken !== "");
    });
  });
}

function entryText(entry: KeyEntry, json: boolean): string {
  if (json) return toJsonString(KeyEntrySchema, entry);
  return `${printableLine(entry.key)}: ${printableLine(entry.value)}`;
}

function get(io: CommandIo): Command {
  const command = runCommand("get", "Print a note.").argument("<key>", "The key of the note.");
  return command.action(async (key: string) => {
    const request = { runId: runOf(command, io), key };
    await callServer(command, io, async (call) => {
      const reply = await call.connection.keyValues.readKey(request, call.options);
      if (!reply.found && !call.json)
        throw new CommandFailure(`there is no note '${printableLine(key)}'`);
      await printReply(io, call, ReadKeyResponseSchema, reply, reply.value);
    });
  });
}

function put(io: CommandIo): Command {
  const command = runCommand("put", "Write a note.")
    .argument("<key>", "The key of the note.")
    .argument("[value]", "The text. Default: standard input, without its last line break.")
    .option(
      "--expected-version <number>",
      "Write only over this version; 0: a new key.",
      wholeNumber,
    );
  return command.action(async (key: string, argument: string | undefined) => {
    const { expectedVersion } = command.opts<{ expectedVersion?: number }>();
    const request = {
      ...{ runId: runOf(command, io), key, value: argument ?? (await readContent(io)) },
      ...(expectedVersion !== undefined && { expectedVersion: BigInt(expectedVersion) }),
    };
    await callServer(command, io, async (call) => {
      const reply = await call.connection.keyValues.writeKey(request, call.options);
      const text = `${reply.created ? "Wrote" : "Replaced"} '${printableLine(key)}'.`;
      await printReply(io, call, WriteKeyResponseSchema, reply, text);
    });
  });
}

function remove(io: CommandIo): Command {
  const command = runCommand("delete", "Delete a note.").argument("<key>", "The key of the note.");
  return command.action(async (key: string) => {
    const request = { runId: runOf(command, io), key };
    await callServer(command, io, async (call) => {
      const reply = await call.connection.keyValues.deleteKey(request, call.options);
      const name = `'${printableLine(key)}'`;
      const text = reply.deleted
        ? `Deleted ${name}.`
        : `Nothing to delete: there is no note ${name}.`;
      await printReply(io, call, DeleteKeyResponseSchema, reply, text);
    });
  });
}
