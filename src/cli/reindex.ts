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
import { namespaceSettings } from "../config/client-settings.js";
import { countPhrase } from "../core/text/count-phrase.js";
import { callServer, namespaceCommand, namespaceOf } from "./client-command.js";
import { CommandFailure, type CommandIo, type Output, printLine } from "./command-io.js";
import { printable } from "./printable.js";
import { createProgressLine } from "./progress-line.js";
import { readFlagTexts } from "./setting-options.js";

const examples = `
Examples:
  $ vademecum reindex --all
  $ vademecum reindex --user ada --agent sommelier
  $ vademecum reindex --all --detach

Start the server with the new embedder first. The server searches with the old vectors of a
namespace until all new vectors are there. Stopping the command stops the work, unless the command
has --detach. Finished namespaces stay finished, and the same command continues with the rest.
--all skips namespaces that are up to date, and namespaces whose vectors come from callers.`;

/**
 * Creates the command `reindex`, which embeds memories and skills again with the server's model.
 * The call has no deadline.
 */
export function reindexCommand(io: CommandIo): Command {
  const command = namespaceCommand(
    "reindex",
    "Embed memories and skills again after the server's embedder has changed. The server stays up.",
  )
    .option("--all", "All namespaces of all users, except those that are up to date.")
    .option("--detach", "Leave when the work has begun. `vademecum jobs` shows its progress.")
    .addHelpText("after", examples);
  return command.action(async () => {
    const request = reindexRequest(command, io);
    const detached = command.opts<{ detach?: boolean }>().detach === true;
    await callServer(command, io, async ({ connection, json }) => {
      const stream = connection.admin.reindex({ ...request, detached });
      const responses = detached ? firstOf(stream) : stream;
      if (json) await printJson(responses, io.stdout);
      else await printText(responses, io);
    });
  });
}

function reindexRequest(
  command: Command,
  io: CommandIo,
): MessageInitShape<typeof ReindexRequestSchema> {
  const namespaceFlags = readFlagTexts(command, namespaceSettings);
  if (command.opts<{ all?: boolean }>().all !== true) {
    return { target: { case: "namespace", value: namespaceOf(command, io) } };
  }
  if (namespaceFlags.size > 0)
    throw new CommandFailure(
      "--all: cannot be combined with a namespace. Give --all, or --user and --agent.",
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
  const text = summary === undefined ? leftText : printable(summaryText(summary));
  await printLine(stdout, text);
}

/** Printed when the command leaves before the end of the work. */
const leftText =
  "The server has begun, and goes on by itself. `vademecum status` shows its progress.";

/** Yields the first message of a stream, and then leaves the call. */
async function* firstOf(
  responses: AsyncIterable<ReindexResponse>,
): AsyncGenerator<ReindexResponse> {
  for await (const response of responses) {
    yield response;
    return;
  }
}

const phaseTexts: Readonly<Record<ReindexPhase, string>> = {
  [ReindexPhase.UNSPECIFIED]: "working",
  [ReindexPhase.CLEARING]: "removing the rest of an earlier run",
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
  const count = `${memoriesDone} of ${memoriesTotal} ${records}`;
  const place = `${namespace?.userId}, ${namespace?.agentId}`;
  return `${percent} % (${count}) ${phaseTexts[phase]}: ${place}`.replaceAll("\n", " ");
}

function summaryText(summary: ReindexSummary): string {
  const { modelId, namespacesChanged, namespacesUnchanged, memoriesEmbedded } = summary;
  const changed = `${countPhrase(namespacesChanged, "namespace")} changed to ${modelId}`;
  const embedded = `${countPhrase(memoriesEmbedded, "text")} embedded`;
  const unchanged = namespacesUnchanged === 0n ? "" : ` Unchanged: ${namespacesUnchanged}.`;
  return `${changed}, ${embedded}.${unchanged}${refusedText(summary)}`;
}

function refusedText({ memoriesRefused, firstRefused }: ReindexSummary): string {
  if (memoriesRefused === 0n) return "";
  const lines = firstRefused.map(
    ({ namespace, id }) => `  ${namespace?.userId}, ${namespace?.agentId}: ${id}`,
  );
  const moreCount = memoriesRefused - BigInt(firstRefused.length);
  return [
    "",
    `Without a vector (the embedder refused the text; keywords still find it): ${memoriesRefused}`,
    ...lines,
    ...(moreCount === 0n ? [] : [`  and ${moreCount} more`]),
  ].join("\n");
}
