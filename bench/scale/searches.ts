import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { SearchIndex, type SearchSummary } from "#gen/vademecum/v1/search_pb.js";
import { type BenchClient, connectTo } from "../harness/client.js";
import { percentile } from "../harness/cost.js";
import { millisOf } from "../harness/millis.js";
import type { ServerProcess } from "../harness/server-process.js";

/** The namespace of the memories. */
export const namespace = { userId: "scale", agentId: "bench" };

/** The server's default threshold: the number of memories from which a namespace has a graph. */
export const graphThreshold = 500_000;

/** Queries before each measurement, so that the measured code is compiled. */
const warmUpQueries = 1_000;
/** The timeout of a search, in milliseconds: long enough for a slow machine. */
const timeoutMs = 1_200_000;
const pollMs = 500;

/** Percentiles in milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

/** The measurements of searches, one after another. */
export interface SearchFigures {
  /** How the last search found vectors: by a graph, or by comparing all vectors. */
  readonly index: string;
  /** The latency by `query_duration`. */
  readonly server: Percentiles;
  readonly client: Percentiles;
  /** The ids of the hits, by query. */
  readonly hits: readonly (readonly string[])[];
}

/**
 * Measures the first search after a start, and the time from then until the graph is ready. The
 * latter is `undefined` when the namespace gets no graph.
 */
export async function firstSearch(server: ServerProcess, query: string, size: number) {
  using client = connectTo(server.grpcAddress);
  // This call opens the connection, so that the first search does not include that.
  await client.memories.getAll({ namespace: { ...namespace, agentId: "another" } });
  const began = performance.now();
  await search(client, query);
  const coldMs = performance.now() - began;
  if (size < graphThreshold) return { coldMs, graphMs: undefined };
  await waitForGraph(client, query, size);
  return { coldMs, graphMs: performance.now() - began };
}

/** Waits until searches of a namespace of `size` memories use the graph. */
export async function waitForGraph(
  client: BenchClient,
  query: string,
  size: number,
): Promise<void> {
  // A search that compares all vectors takes time from the thread that feeds the graph.
  const pauseMs = Math.max(pollMs, size / 200);
  while ((await search(client, query)).summary.index !== SearchIndex.NEAR) await delay(pauseMs);
}

/** Searches, one after another, over one connection. */
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

/** Returns the share of all expected hits that were found. */
export function sharedShare(
  expected: SearchFigures["hits"],
  actual: SearchFigures["hits"],
): number {
  const shared = expected.flatMap((ids, at) => ids.filter((id) => actual[at]?.includes(id)));
  return shared.length / expected.flat().length;
}

async function search({ memories }: BenchClient, query: string) {
  let summary: SearchSummary | undefined;
  const ids: string[] = [];
  for await (const message of memories.search({ namespace, query }, { timeoutMs })) {
    summary = message.summary ?? summary;
    for (const { memory } of message.hits) if (memory !== undefined) ids.push(memory.id);
  }
  if (summary === undefined) throw new Error("a search returned no summary");
  return { summary, ids };
}

function percentilesOf(figures: readonly number[]): Percentiles {
  return { p50: percentile(figures, 50), p99: percentile(figures, 99) };
}
