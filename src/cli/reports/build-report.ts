import { readdir, stat, statfs } from "node:fs/promises";
import { arch, cpus, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { toJson } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { HealthCheckResponse_ServingStatus } from "#gen/grpc/health/v1/health_pb.js";
import { GetServerResponseSchema } from "#gen/vademecum/v1/server_pb.js";
import { serverSettings } from "../../config/server-settings.js";
import { environmentName } from "../../config/setting.js";
import { unknownVariables } from "../../config/unknown-variables.js";
import { productVersion } from "../../edge/version.js";
import type { Connection } from "../connection.js";
import { pathSetting, type SettingTexts, shownSettings } from "./process-settings.js";

/** How long the report waits for each of its sources, in milliseconds. */
const timeoutMs = 5_000;

/** Maximum pages of users that are counted. */
const pagesMax = 1_000;

/**
 * Collects what helps with a bug report: versions, settings without names, paths and secrets,
 * counts, sizes and metrics. A source that fails is in the report with the code of its failure.
 */
export async function buildReport(
  settings: SettingTexts,
  connection: Connection,
): Promise<Record<string, unknown>> {
  return {
    report: "vademecum report",
    createTime: new Date().toISOString(),
    version: productVersion(),
    machine: {
      node: process.version,
      platform: platform(),
      release: release(),
      arch: arch(),
      processors: cpus().length,
      memoryBytes: totalmem(),
    },
    settings: shownSettings(settings),
    unknownVariables: unknownVariables(settings.environment).length,
    health: await orFailure(() => healthOf(connection)),
    server: await orFailure(() => serverOf(connection)),
    counts: await orFailure(() => countsOf(connection)),
    folder: await orFailure(() => sizesOf(pathSetting(settings, serverSettings.dataFolder))),
    metrics: await orFailure(() => metricsOf(settings)),
  };
}

async function orFailure<T>(read: () => Promise<T>): Promise<T | { readonly failure: string }> {
  try {
    return await read();
  } catch (error) {
    return { failure: failureName(error) };
  }
}

/** Returns the code of a failure. Messages may contain names and addresses. */
function failureName(error: unknown): string {
  if (error instanceof ConnectError) {
    const [info] = error.findDetails(ErrorInfoSchema);
    return info === undefined ? (Code[error.code] ?? "") : `${Code[error.code]} (${info.reason})`;
  }
  if (error instanceof Error && "code" in error) return String(error.code);
  return error instanceof Error ? error.name : "unknown";
}

async function healthOf({ health }: Connection): Promise<string | undefined> {
  const { status } = await health.check({}, { timeoutMs });
  return HealthCheckResponse_ServingStatus[status];
}

/** The facts of GetServer that name no user, no model of the operator's own and no job. */
const serverFacts = [
  ...["version", "startTime", "provider", "format", "dimension", "credentialsInUse", "writes"],
  ...["residentBytes", "dataBytes", "freeBytes", "indexBytes", "indexMaxBytes", "hotCollections"],
  ...["lastMinute", "lastBackupTime", "lastPruneTime"],
];

async function serverOf({ admin }: Connection): Promise<Record<string, unknown>> {
  const reply = toJson(GetServerResponseSchema, await admin.getServer({}, { timeoutMs })) as Record<
    string,
    unknown
  >;
  return Object.fromEntries(
    serverFacts.flatMap((name) => (name in reply ? [[name, reply[name]]] : [])),
  );
}

async function countsOf({ admin }: Connection): Promise<Record<string, number>> {
  const counts = { users: 0, agents: 0, memories: 0, blocks: 0, pendingProposals: 0 };
  let pageToken = "";
  for (let page = 0; page < pagesMax; page++) {
    const reply = await admin.listUsers({ limit: 1000, pageToken }, { timeoutMs });
    for (const { agents, memories, blocks, pendingProposals } of reply.users) {
      counts.users += 1;
      counts.agents += agents;
      counts.memories += Number(memories);
      counts.blocks += blocks;
      counts.pendingProposals += Number(pendingProposals);
    }
    pageToken = reply.nextPageToken;
    if (pageToken === "") break;
  }
  return counts;
}

/** Returns the bytes of each entry of the data folder, and the free space. */
async function sizesOf(folder: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    sizes[entry.name] = entry.isDirectory() ? await bytesBelow(path) : (await stat(path)).size;
  }
  const { bavail, bsize } = await statfs(folder);
  return { ...sizes, freeBytes: bavail * bsize };
}

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}

async function metricsOf({ flags, environment }: SettingTexts): Promise<readonly string[]> {
  const { flag } = serverSettings.metricsAddress;
  const address = flags.get(flag) ?? environment[environmentName(flag)] ?? "";
  if (address === "") return [];
  const response = await fetch(`http://${address}/metrics`, {
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}
