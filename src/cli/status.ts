import { setTimeout as delay } from "node:timers/promises";
import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";
import { durationMs, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Command } from "commander";
import {
  type GetServerResponse,
  GetServerResponseSchema,
  ServerWrites,
  WebhookState,
} from "#gen/vademecum/v1/server_pb.js";
import { countPhrase } from "../core/text/count-phrase.js";
import { callServer, clientCommand, printReply } from "./client-command.js";
import type { CommandIo } from "./command-io.js";
import { jobText } from "./job-text.js";

const watchIntervalMs = 2000;

const examples = `
Examples:
  $ vademecum status
  $ vademecum status --watch
  $ vademecum status --json

Describes the server that answers. Figures of the process are those of all tenants; jobs, proposals
and backups are those of your tenant. Needs the role operator.`;

/** Creates the command `status`, which prints what a server is and how it does. */
export function statusCommand(io: CommandIo): Command {
  const command = clientCommand("status", "Show what a server is, and how it does.")
    .option("--watch", `Ask again every ${watchIntervalMs / 1000} seconds, until Ctrl-C.`)
    .addHelpText("after", examples);
  return command.action(async () => {
    const { watch = false } = command.opts<{ watch?: boolean }>();
    await callServer(command, io, async (call) => {
      for (;;) {
        const reply = await call.connection.admin.getServer({}, call.options);
        await printReply(io, call, GetServerResponseSchema, reply, statusText(reply));
        if (!watch) return;
        await delay(watchIntervalMs);
        if (!call.json) io.stdout.write("\n");
      }
    });
  });
}

/** Returns the lines of a status: a name and what holds of it. */
function statusText(server: GetServerResponse): string {
  const rows: readonly (readonly [name: string, text: string | undefined])[] = [
    ["server", `${server.version}, up ${upTime(server)}, format ${server.format}`],
    ["provider", server.provider],
    [
      "embedder",
      server.modelId === "" ? "none" : `${server.modelId}, ${server.dimension} dimensions`,
    ],
    [
      "callers",
      server.credentialsInUse ? "are checked" : "are NOT checked: everybody may do everything",
    ],
    ["writes", ServerWrites[server.writes]?.toLowerCase().replaceAll("_", " ")],
    ["calls", callsText(server)],
    ["holds", heldText(server)],
    ["data", dataText(server)],
    ["memory", `${bytesText(server.residentBytes)} resident`],
    ["indexes", indexText(server)],
    ["proposals", `${server.pendingProposals} pending`],
    ["backup", sinceText(server.lastBackupTime, server)],
    ["webhooks", webhookText(server)],
    ["pruning", sinceText(server.lastPruneTime, server)],
    ...server.jobs.map((job) => ["job", jobText(job)] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => `${name.padEnd(width)}  ${text}`)
    .join("\n");
}

function upTime({ startTime, time }: GetServerResponse): string {
  return startTime && time ? elapsedText(msOf(time) - msOf(startTime)) : "0 s";
}

function callsText({ lastMinute }: GetServerResponse): string | undefined {
  if (lastMinute === undefined) return undefined;
  const { callsPerSecond, failures, p50, p99 } = lastMinute;
  const rate = `${callsPerSecond.toFixed(1)} a second in the last minute`;
  const times = p50 && p99 ? [`p50 ${latencyText(p50)}`, `p99 ${latencyText(p99)}`] : [];
  const failed = failures > 0n ? [`${failures} failed`] : [];
  return [rate, ...times, ...failed].join(", ");
}

function heldText({ users, namespaces, memories, storedBytes }: GetServerResponse): string {
  const counts = [
    countPhrase(Number(users), "user"),
    countPhrase(Number(namespaces), "namespace"),
    countPhrase(Number(memories), "memory", "memories"),
  ];
  return `${counts.join(", ")}, ${bytesText(storedBytes)} of records`;
}

function dataText({ dataBytes, freeBytes }: GetServerResponse): string | undefined {
  if (dataBytes === undefined) return undefined;
  const free = freeBytes === undefined ? "" : `, ${bytesText(freeBytes)} free`;
  return `${bytesText(dataBytes)}${free}`;
}

function indexText({ indexBytes, indexMaxBytes, hotCollections }: GetServerResponse): string {
  const hot = countPhrase(hotCollections, "collection");
  return `${bytesText(indexBytes)} of ${bytesText(indexMaxBytes)}, ${hot} in RAM`;
}

function sinceText(ended: Timestamp | undefined, { time }: GetServerResponse): string {
  if (ended === undefined || time === undefined) return "none since the server was started";
  return `${timestampDate(ended).toISOString()}, ${elapsedText(msOf(time) - msOf(ended))} ago`;
}

function webhookText({ webhook, time }: GetServerResponse): string | undefined {
  if (webhook === undefined) return undefined;
  const { state, pendingUsers, delivered, lost, failure, failingSince } = webhook;
  const since =
    failingSince && time ? ` for ${elapsedText(msOf(time) - msOf(failingSince))}: ${failure}` : "";
  return [
    `${WebhookState[state]?.toLowerCase()}${since}`,
    `${delivered} delivered`,
    `${countPhrase(Number(pendingUsers), "user")} pending`,
    ...(lost > 0n ? [`${lost} lost`] : []),
  ].join(", ");
}

function msOf(time: Timestamp): number {
  return timestampDate(time).getTime();
}

function latencyText(duration: Duration): string {
  const ms = durationMs(duration);
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

/** Returns a time in its two largest units, such as `3 d 4 h`. */
function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const units = [
    [86_400, "d"],
    [3600, "h"],
    [60, "min"],
    [1, "s"],
  ] as const;
  const first = units.findIndex(([size]) => seconds >= size);
  if (first === -1) return "0 s";
  let left = seconds;
  return units
    .slice(first, first + 2)
    .map(([size, name]) => {
      const count = Math.floor(left / size);
      left -= count * size;
      return `${count} ${name}`;
    })
    .join(" ");
}

function bytesText(bytes: bigint): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let size = Number(bytes);
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${size < 10 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}
