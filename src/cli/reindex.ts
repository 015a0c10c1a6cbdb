import { type MessageInitShape, toJsonString } from "@bufbuild/protobuf";
import type { Command } from "commander";
import {
  ReindexCollection,
  ReindexPhase,
  type ReindexProgress,
  type ReindexRequestSchema,
  type ReindexResponse,
  ReindexResponseSchema,
  type ReindexSummary,
} from "#gen/vademecum/v1/admin_pb.js";
import { namespaceSettings } from "../config/config.js";
import { callServer, namespaceCommand, namespaceOf } from "./client-command.js";
import { CommandFailure, type CommandIo, type Output, printable, printLine } from "./command-io.js";
import { createProgressLine } from "./progress-line.js";
import { givenFlags } from "./setting-options.js";

const examples = `
Examples:
  $ vademecum reindex --all
  $ vademecum reindex --user ada --agent sommelier

Start the server with the new embedder first. It answers by the old vectors until a namespace has all of its new
ones. Stopping the command stops the work: what is done stays done, and the same command does what is left.
--all leaves out namespaces that are up to date, and those whose vectors callers have sent.`;

/** `reindex`: gives memories new vectors by the server's model. It takes the time that it takes. */
export function reindexCommand(io: CommandIo): Command {
  const command = namespaceCommand(
    "reindex",
    "Give memories and skills new vectors after the server's embedder was changed, while it serves.",
  )
    .option("--all", "All namespaces of all users that are not up to date.")
    .addHelpText("after", examples);
  return command.action(async () => {
    const request = reindexRequest(command, io);
    await callServer(command, io, async ({ connection, json }) => {
      const responses = connection.admin.reindex(request);
      if (json) await printJson(responses, io.stdout);
      else await printText(responses, io);
    });
  });
}

function reindexRequest(
  command: Command,
  io: CommandIo,
): MessageInitShape<typeof ReindexRequestSchema> {
  const named = givenFlags(command, namespaceSettings);
  if (command.opts<{ all?: boolean }>().all !== true) {
    return { target: { case: "namespace", value: namespaceOf(command, io) } };
  }
  if (named.size > 0)
    throw new CommandFailure(
      "--all: given beside a namespace. Give --all, or --user and --agent.",
      2,
    );
  return { target: { case: "all", value: true } };
}

async function printJson(responses: AsyncIterable<ReindexResponse>, stdout: Output): Promise<void> {
  for await (const response of responses)
    await printLine(stdout, toJsonString(ReindexResponseSchema, response));
}

async function printText(
  responses: AsyncIterable<ReindexResponse>,
  { stdout, stderr }: CommandIo,
): Promise<void> {
  const line = createProgressLine(stderr);
  let summary: ReindexSummary | undefined;
  try {
    for await (const { event } of responses) {
      if (event.case === "progress") line.show(progressText(event.value));
      else if (event.case === "summary") summary = event.value;
    }
  } finally {
    line.clear();
  }
  if (summary !== undefined) await printLine(stdout, printable(summaryText(summary)));
}

const phaseTexts: Readonly<Record<ReindexPhase, string>> = {
  [ReindexPhase.UNSPECIFIED]: "working",
  [ReindexPhase.CLEARING]: "removing what is left of an earlier run",
  [ReindexPhase.EMBEDDING]: "embedding",
  [ReindexPhase.REMOVING]: "removing the old vectors",
  [ReindexPhase.DONE]: "done",
};

function progressText({
  namespace,
  collection,
  phase,
  memoriesDone,
  memoriesTotal,
}: ReindexProgress): string {
  const records = collection === ReindexCollection.SKILLS ? "skills" : "memories";
  const percent =
    memoriesTotal === 0n ? 0 : Math.floor((100 * Number(memoriesDone)) / Number(memoriesTotal));
  return `${percent} % (${memoriesDone} of ${memoriesTotal} ${records}) ${phaseTexts[phase]}: ${namespace?.userId}, ${namespace?.agentId}`.replaceAll(
    "\n",
    " ",
  );
}

function summaryText(summary: ReindexSummary): string {
  const { modelId, namespacesChanged, namespacesUnchanged, memoriesEmbedded } = summary;
  const others = namespacesUnchanged === 0n ? "" : ` ${namespacesUnchanged} had nothing to change.`;
  return `${counted(namespacesChanged, "namespace")} changed to ${modelId}, ${counted(memoriesEmbedded, "text")} embedded.${others}${refusedText(summary)}`;
}

function counted(count: bigint, noun: string): string {
  return `${count} ${noun}${count === 1n ? "" : "s"}`;
}

function refusedText({ memoriesRefused, firstRefused }: ReindexSummary): string {
  if (memoriesRefused === 0n) return "";
  const named = firstRefused
    .map(({ namespace, id }) => `\n  ${namespace?.userId}, ${namespace?.agentId}: ${id}`)
    .join("");
  const more = memoriesRefused - BigInt(firstRefused.length);
  return `\nWithout a vector, because the embedder does not take the text (found by keywords): ${memoriesRefused}${named}${more === 0n ? "" : `\n  and ${more} more`}`;
}
