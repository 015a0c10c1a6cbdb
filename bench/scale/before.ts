import { existsSync, renameSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { addAll, connectTo } from "../harness/client.js";
import { percentile } from "../harness/cost.js";
import { factor, printLine, printTable } from "../harness/report.js";
import { sampleTexts } from "../harness/sample-texts.js";
import { type ServerProcess, startServer } from "../harness/server-process.js";
import { graphThreshold, namespace, searchAll, waitForGraph } from "./searches.js";

/** Both servers answer all queries in each round. */
const rounds = 3;

/** What a comparison of two builds needs. */
export interface BeforeOptions {
  /** Folder of the other checkout, with its built server. */
  readonly project: string;
  /** Data folder of this checkout's server, with the memories of `sampleTexts(size, 1)`. */
  readonly data: string;
  readonly size: number;
  readonly queries: readonly string[];
  readonly flags: readonly string[];
}

/** Medians of the server time of a search, in milliseconds, for one size of the namespace. */
export interface BeforeFigures {
  readonly memories: number;
  readonly before: number;
  readonly now: number;
}

/**
 * Measures the same searches on the servers of two checkouts, in alternating rounds. The other
 * checkout stores its memories itself, because it may be unable to read the data of this checkout.
 */
export async function compareWithBefore(options: BeforeOptions): Promise<BeforeFigures> {
  const { data, size, queries, flags } = options;
  const project = resolve(options.project);
  const otherData = `${data}-before`;
  if (!existsSync(otherData)) await fill(otherData, size, project);
  await using before = await startServer(otherData, flags, { project });
  await using now = await startServer(data, flags);
  if (size >= graphThreshold)
    for (const server of [before, now]) await graphOf(server, queries, size);
  const medians: { readonly before: number[]; readonly now: number[] } = { before: [], now: [] };
  const sides = [
    { server: before, p50s: medians.before },
    { server: now, p50s: medians.now },
  ];
  for (let round = 0; round < rounds; round++) {
    for (const { server, p50s } of sides) p50s.push((await searchAll(server, queries)).server.p50);
    // Each round begins with the other server.
    sides.reverse();
  }
  return {
    memories: size,
    before: percentile(medians.before, 50),
    now: percentile(medians.now, 50),
  };
}

/** Fills a folder under another name, so that an interrupted run leaves no half-filled folder. */
async function fill(data: string, size: number, project: string): Promise<void> {
  const part = `${data}.part`;
  rmSync(part, { recursive: true, force: true });
  await addSamples(part, size, project);
  renameSync(part, data);
}

async function addSamples(data: string, size: number, project: string): Promise<void> {
  await using server = await startServer(data, [], { project });
  using client = connectTo(server.grpcAddress);
  await addAll(
    client,
    sampleTexts(size, 1).map((content) => ({ namespace, content })),
  );
}

async function graphOf(
  { grpcAddress }: ServerProcess,
  [query = ""]: readonly string[],
  size: number,
): Promise<void> {
  using client = connectTo(grpcAddress);
  await waitForGraph(client, query, size);
}

/** Prints the medians of both builds. */
export function reportBefore(all: readonly BeforeFigures[]): void {
  printLine(
    `Median server time of a search in milliseconds, medians of ${rounds} alternating rounds`,
  );
  printTable(
    ["memories", "before", "now", "now / before"],
    all.map(({ memories, before, now }) => [
      memories.toLocaleString("en"),
      before.toFixed(2),
      now.toFixed(2),
      factor(now, before),
    ]),
  );
}
