import type { Command } from "commander";
import {
  type Block,
  BlockSchema,
  type BlockVersion,
  BlockVersionSchema,
} from "#gen/vademecum/v1/block_pb.js";
import {
  DeleteBlockResponseSchema,
  DeleteBlocksResponseSchema,
  GetBlockResponseSchema,
  PutBlockResponseSchema,
  RenameBlockResponseSchema,
  RenderBlocksResponseSchema,
  RestoreBlockResponseSchema,
} from "#gen/vademecum/v1/block_service_pb.js";
import { countPhrase } from "../core/text/count-phrase.js";
import { readContent } from "./add.js";
import { callServer, groupCommand, printReply, userCommand, userOf } from "./client-command.js";
import { CommandFailure, type CommandIo, printLine } from "./command-io.js";
import { instantText } from "./memory-text.js";
import { wholeNumber } from "./option-values.js";
import { addPageOptions, type PageFlags, printPages } from "./print-pages.js";
import { indentLines, printable, printableLine } from "./printable.js";

const examples = `
Examples:
  $ vademecum block put --user ada profile "Likes tea"
  $ vademecum block get --user ada profile > profile.txt
  $ vademecum block versions --user ada profile
  $ vademecum block restore --user ada profile 1
  $ vademecum block rename --user ada profile about_ada
  $ vademecum block delete --user ada --prefix project/rome/ --dry-run`;

/** Creates the command `block`, which reads and writes the blocks of a user. */
export function blockCommand(io: CommandIo): Command {
  const commands = [get, put, list, versions, restore, rename, render, remove].map((create) =>
    create(io),
  );
  return groupCommand("block", "Read and write the blocks of a user.", commands, examples);
}

function get(io: CommandIo): Command {
  const command = userCommand("get", "Print the text of a block.").argument(
    "<label>",
    "The label of the block.",
  );
  return command.action(async (label: string) => {
    const userId = userOf(command, io);
    await callServer(command, io, async (call) => {
      const reply = await call.connection.blocks.getBlock({ userId, label }, call.options);
      // A pipe gets the text as it is stored. A terminal would obey its control characters.
      if (call.json || io.stdout.isTTY === true)
        await printReply(io, call, GetBlockResponseSchema, reply, reply.block?.body ?? "");
      else await printLine(io.stdout, reply.block?.body ?? "");
    });
  });
}

function put(io: CommandIo): Command {
  const command = userCommand("put", "Write a block. An existing one gets a new version.")
    .argument("<label>", "The label of the block.")
    .argument("[body]", "The text. Default: standard input, without its last line break.")
    .option("--title <title>", "The title. Default: the title that the block has.")
    .option(
      "--expected-version <number>",
      "Write only if the block has this version; 0: only if there is no block.",
      wholeNumber,
    );
  return command.action(async (label: string, argument: string | undefined) => {
    const { title, expectedVersion } = command.opts<{ title?: string; expectedVersion?: number }>();
    const userId = userOf(command, io);
    const body = argument ?? (await readContent(io));
    const request = {
      userId,
      label,
      body,
      ...(title !== undefined && { title }),
      ...(expectedVersion !== undefined && { expectedVersion: BigInt(expectedVersion) }),
    };
    await callServer(command, io, async (call) => {
      const reply = await call.connection.blocks.putBlock(request, call.options);
      await printReply(io, call, PutBlockResponseSchema, reply, versionText(label, reply.block));
    });
  });
}

function list(io: CommandIo): Command {
  const command = addPageOptions(
    userCommand("list", "List the blocks of a user."),
    "blocks",
  ).option("--prefix <text>", "List only blocks whose labels begin with this text.", "");
  return command.action(async () => {
    const userId = userOf(command, io);
    const { limit, prefix: labelPrefix, ...pages } = command.opts<PageFlags & { prefix: string }>();
    await callServer(command, io, async ({ connection, options, json }) =>
      printPages(
        io,
        { json, ...pages },
        {
          schema: BlockSchema,
          toText: blockText,
          none: "No blocks.",
          read: async (pageToken) => {
            const request = { userId, limit, pageToken, labelPrefix };
            const { blocks, nextPageToken } = await connection.blocks.listBlocks(request, options);
            return { items: blocks, nextPageToken };
          },
        },
      ),
    );
  });
}

function versions(io: CommandIo): Command {
  const command = addPageOptions(
    userCommand("versions", "List the versions of a block, newest first.").argument(
      "<label>",
      "The label of the block.",
    ),
    "versions",
  );
  return command.action(async (label: string) => {
    const userId = userOf(command, io);
    const { limit, ...pages } = command.opts<PageFlags>();
    await callServer(command, io, async ({ connection, options, json }) =>
      printPages(
        io,
        { json, ...pages },
        {
          schema: BlockVersionSchema,
          toText: blockVersionText,
          none: "No versions.",
          read: async (pageToken) => {
            const request = { userId, label, limit, pageToken };
            const page = await connection.blocks.listBlockVersions(request, options);
            return { items: page.versions, nextPageToken: page.nextPageToken };
          },
        },
      ),
    );
  });
}

function restore(io: CommandIo): Command {
  const command = userCommand("restore", "Write an earlier version of a block again.")
    .argument("<label>", "The label of the block.")
    .argument("<version>", "The number of the version.", wholeNumber);
  return command.action(async (label: string, version: number) => {
    const request = { userId: userOf(command, io), label, version: BigInt(version) };
    await callServer(command, io, async (call) => {
      const reply = await call.connection.blocks.restoreBlock(request, call.options);
      await printReply(
        io,
        call,
        RestoreBlockResponseSchema,
        reply,
        versionText(label, reply.block),
      );
    });
  });
}

function rename(io: CommandIo): Command {
  const command = userCommand("rename", "Give a block another label. Versions and proposals stay.")
    .argument("<label>", "The label of the block.")
    .argument("<new-label>", "The new label.");
  return command.action(async (label: string, newLabel: string) => {
    const request = { userId: userOf(command, io), label, newLabel };
    await callServer(command, io, async (call) => {
      const reply = await call.connection.blocks.renameBlock(request, call.options);
      const text = `Block '${printableLine(label)}' is now '${printableLine(newLabel)}'.`;
      await printReply(io, call, RenameBlockResponseSchema, reply, text);
    });
  });
}

function render(io: CommandIo): Command {
  const command = userCommand("render", "Print blocks as one text for a prompt.")
    .argument("[label...]", "The labels of the blocks. Default: all blocks.")
    .option("--budget-tokens <tokens>", "The most tokens of the text.", wholeNumber);
  return command.action(async (labels: string[]) => {
    const { budgetTokens } = command.opts<{ budgetTokens?: number }>();
    const budget = budgetTokens === undefined ? {} : { budgetTokens };
    const request = { userId: userOf(command, io), labels, ...budget };
    await callServer(command, io, async (call) => {
      const reply = await call.connection.blocks.renderBlocks(request, call.options);
      await printReply(
        io,
        call,
        RenderBlocksResponseSchema,
        reply,
        printable(reply.text.trimEnd()),
      );
    });
  });
}

function remove(io: CommandIo): Command {
  const command = userCommand("delete", "Delete a block with all of its versions.")
    .argument("[label]", "The label of the block.")
    .option("--prefix <text>", "Delete all blocks whose labels begin with this text.")
    .option("--dry-run", "With --prefix: count the blocks, and delete none.");
  return command.action(async (label: string | undefined) => {
    const { prefix, dryRun = false } = command.opts<{ prefix?: string; dryRun?: boolean }>();
    const userId = userOf(command, io);
    if ((label === undefined) === (prefix === undefined))
      throw new CommandFailure("give either a label or --prefix", 2);
    if (label === undefined && prefix !== undefined) {
      const request = { userId, labelPrefix: prefix, dryRun };
      await callServer(command, io, async (call) => {
        const reply = await call.connection.blocks.deleteBlocks(request, call.options);
        const text = `${dryRun ? "Would delete" : "Deleted"} ${countPhrase(reply.deleted, "block")}.`;
        await printReply(io, call, DeleteBlocksResponseSchema, reply, text);
      });
      return;
    }
    await deleteOne(command, io, userId, label ?? "");
  });
}

async function deleteOne(command: Command, io: CommandIo, userId: string, label: string) {
  const request = { userId, label };
  await callServer(command, io, async (call) => {
    const reply = await call.connection.blocks.deleteBlock(request, call.options);
    const name = `block '${printableLine(label)}'`;
    const text = reply.deleted ? `Deleted ${name}.` : `Nothing to delete: there is no ${name}.`;
    await printReply(io, call, DeleteBlockResponseSchema, reply, text);
  });
}

function versionText(label: string, block: Block | undefined): string {
  return `Block '${printableLine(label)}' is now at version ${block?.version ?? ""}.`;
}

function blockText({ label, title, body, version, tokenCount, updateTime }: Block): string {
  const facts = [`version ${version}`, `${tokenCount} tokens`, instantText(updateTime)];
  const head = title === "" ? label : `${label}: ${title}`;
  return printable(`${printableLine(head)}\n    ${indentLines(body)}\n  ${facts.join(" · ")}`);
}

function blockVersionText(version: BlockVersion): string {
  const { body, writtenBy, writeTime, proposalId, restoredFrom } = version;
  const facts = [
    `by ${printableLine(writtenBy)}`,
    instantText(writeTime),
    ...(proposalId === undefined ? [] : [`proposal ${proposalId}`]),
    ...(restoredFrom === undefined ? [] : [`restored from version ${restoredFrom}`]),
  ];
  return printable(`version ${version.version}\n    ${indentLines(body)}\n  ${facts.join(" · ")}`);
}
