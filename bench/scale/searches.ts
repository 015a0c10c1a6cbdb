import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { SearchIndex, type SearchSummary } from "#gen/vademecum/v1/search_pb.js";
import { type BenchClient, connectTo } from "../harness/client.js";
import { percentile } from "../harness/cost.js";
import { millisOf } from "../harness/millis.js";
import type { ServerProcess } from "../harness/server-process.js";

/** Where the memories are. */
export const namespace = { userId: "scale", agentId: "bench" };

/** From so many memories on a namespace has a graph, unless the server is told otherwise. */
export const graphThreshold = 50_000;

/** Until the compiler is done with what a call runs through. */
const warmUpQueries = 1_000;
/** How long a search may take, in milliseconds: a slow machine must not end the run. */
const timeoutMs = 1_200_000;
const pollMs = 500;

/** In milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

/** What one search after another came to. */
export interface SearchFigures {
  /** The tier that the last one used. */
  readonly index: string;
  /** `query_duration`. */
  readonly server: Percentiles;
  readonly client: Percentiles;
  /** Ids, by query. */
  readonly hits: readonly (readonly string[])[];
}

/** The first search after a start, and how long it takes from then on until the graph is there; `undefined` where there will be none. */
export async function firstSearch(server: ServerProcess, query: string, size: number) {
  using client = connectTo(server.grpcAddress);
  // Connects, so that the first search is only that.
  await client.memories.getAll({ namespace: { ...namespace, agentId: "another" } });
  const began = performance.now();
  await search(client, query);
  const coldMs = performance.now() - began;
  if (size < graphThreshold) return { coldMs, graphMs: undefined };
  await graphThere(client, query, size);
  return { coldMs, graphMs: performance.now() - began };
}

/** Waits until searches of a namespace of so many memories go by the graph. */
export async function graphThere(client: BenchClient, query: string, size: number): Promise<void> {
  // A search that compares all vectors takes its time from the thread that feeds the graph.
  const pauseMs = Math.max(pollMs, size / 200);
  while ((await search(client, query)).summary.index !== SearchIndex.GRAPH) await delay(pauseMs);
}

/** One search after another, over one connection. */
export async function searchAll(
  server: ServerProcess,
  queries: readonly string[],
): Promise<SearchFigures> {
  using client = connectTo(server.grpcAddress);
  for (const query of queries.slice(0, warmUpQueries)) await search(client, query);
  const clientMs: number[] = [];
  const serverMs: number[] = [];
  const hits: (readonly string[])[] = [];
  let index = "";
  for (const query of queries) {
    const began = performance.now();
    const { summary, ids } = await search(client, query);
    clientMs.push(performance.now() - began);
    hits.push(ids);
    serverMs.push(millisOf(summary.queryDuration));
    index = SearchIndex[summary.index];
  }
  return { index, hits, server: percentilesOf(serverMs), client: percentilesOf(clientMs) };
}

/** The share of all expected hits that were found. */
export function sharedShare(expected: SearchFigures["hits"], found: SearchFigures["hits"]): number {
  const shared = expected.flatMap((ids, at) => ids.filter((id) => found[at]?.includes(id)));
  return shared.length / expected.flat().length;
}

async function search({ memories }: BenchClient, query: string) {
  let summary: SearchSummary | undefined;
  const ids: string[] = [];
  for await (const message of memories.search({ namespace, query }, { timeoutMs })) {
    summary = message.summary ?? summary;
    for (const { memory } of message.hits) if (memory !== undefined) ids.push(memory.id);
  }
  if (summary === undefined) throw new Error("a search came without its summary");
  return { summary, ids };
}

function percentilesOf(figures: readonly number[]): Percentiles {
  return { p50: percentile(figures, 50), p99: percentile(figures, 99) };
}
