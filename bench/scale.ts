/**
 * What does a namespace cost as it grows? Measures a search, an Add, RAM, disk, and the first
 * search after a restart, on a real server over gRPC. Compares them with a general library and a
 * plain scan.
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import MiniSearch from "minisearch";
import { costOf } from "./harness/cost.js";
import { fillStore } from "./harness/fill-store.js";
import { measurePlainScan } from "./harness/plain-scan.js";
import {
  factor,
  printLine,
  printMachine,
  printTable,
  saveResults,
  writeResults,
} from "./harness/report.js";
import { sampleMemories } from "./harness/sample-memories.js";
import { sampleQueries, sampleTexts } from "./harness/sample-texts.js";
import { sampleVectors } from "./harness/sample-vectors.js";
import { startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";
import { measureAdds, reportAdds } from "./scale/adds.js";
import { type BeforeFigures, compareWithBefore, reportBefore } from "./scale/before.js";
import {
  firstSearch,
  graphThreshold,
  namespace,
  type Percentiles,
  type SearchFigures,
  searchAll,
  sharedShare,
} from "./scale/searches.js";

const usage = `Usage: npm run bench:scale -- [--sizes 1000,10000,100000] [--million] [--keep <folder>]
                              [--before <folder>]

--million  also measures 1,000,000 memories, without the library. Their graph takes more than an hour
           to build. The run needs 8 GB of RAM and 5 GB of disk.
--keep     stores the data folder of each size in this folder, and reuses the folders of earlier runs
           with their memories and graphs
--before   compares only the time of searches with the built server of another checkout`;

const dimension = 256;
const queryCount = 1_000;
/** The size of the largest namespace that adds are measured in. */
const addsSizeMax = 100_000;
/**
 * The size of the largest namespace for the general library. The library takes a second for a query
 * at this size, and ten seconds at the next size.
 */
const librarySizeMax = 100_000;
const largeIndex = ["--index-max-bytes", "8GiB"];

/** The measurements of one namespace size. Times are milliseconds. */
interface Figures {
  readonly memories: number;
  readonly index: string;
  readonly server: Percentiles;
  readonly client: Percentiles;
  /**
   * A server without graphs, which compares all vectors. `undefined` when the namespace has no
   * graph anyway.
   */
  readonly serverWithoutGraph: Percentiles | undefined;
  /** The share of the exact hits that a search by the graph returns too. */
  readonly sharedHits: number | undefined;
  readonly library: number | undefined;
  readonly plainScan: number;
  readonly memoryBytes: number;
  readonly recordBytes: number;
  readonly graphFileBytes: number;
  /** The duration of the first search after a start. */
  readonly coldMs: number;
  /** The time from that search until the graph is ready: built anew, or read from disk. */
  readonly graphBuiltMs: number | undefined;
  readonly graphReadMs: number | undefined;
}

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,10000,100000" },
    million: { type: "boolean", default: false },
    keep: { type: "string" },
    before: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) printLine(usage);
else {
  printMachine();
  using temporary = values.keep === undefined ? createTemporaryFolder() : undefined;
  const folder = temporary?.path ?? values.keep ?? "";
  const sizes = [...values.sizes.split(",").map(Number), ...(values.million ? [1_000_000] : [])];
  if (values.before === undefined) await measureSizes(folder, sizes);
  else await compareSizes(folder, sizes, values.before);
}

async function measureSizes(folder: string, sizes: readonly number[]): Promise<void> {
  const results: Figures[] = [];
  for (const size of sizes) {
    results.push(await measure(size, join(folder, String(size))));
    // Writes the figures of each size immediately, so that an interrupted run keeps them.
    writeResults("scale", { results });
  }
  report(results);
  const addsSize = Math.min(addsSizeMax, Math.max(...sizes));
  const adds = await measureAdds(addsSize, join(folder, String(addsSize)));
  reportAdds(adds);
  saveResults("scale", { results, adds });
}

async function compareSizes(
  folder: string,
  sizes: readonly number[],
  project: string,
): Promise<void> {
  const results: BeforeFigures[] = [];
  for (const size of sizes) {
    const data = join(folder, String(size));
    if (!existsSync(data)) await fill(data, size);
    const queries = queriesOfBench();
    results.push(await compareWithBefore({ project, data, size, queries, flags: largeIndex }));
  }
  reportBefore(results);
  saveResults("scale-before", { results });
}

function queriesOfBench(): readonly string[] {
  return sampleQueries(sampleTexts(queryCount, 1), 2);
}

async function measure(size: number, data: string): Promise<Figures> {
  const queries = queriesOfBench();
  const [firstQuery = ""] = queries;
  if (!existsSync(data)) await fill(data, size);
  const hasGraph = size >= graphThreshold;
  const graphs = join(data, "graphs");
  // A file beside the data marks a complete graph, because an interrupted run can leave an
  // incomplete graph.
  const mark = `${data}.graph`;
  const [isBuilt, isBegun] = [existsSync(mark), existsSync(graphs)];
  await using server = await startServer(data, largeIndex);
  const before = server.residentBytes();
  const first = await firstSearch(server, firstQuery, size);
  const { hits, ...searchFigures } = await searchAll(server, queries);
  const memoryBytes = (server.residentBytes() - before) / size;
  await server[Symbol.asyncDispose]();
  if (hasGraph) writeFileSync(mark, "");
  const all = hasGraph ? await compareAll(data, queries, size) : undefined;
  return {
    memories: size,
    ...searchFigures,
    serverWithoutGraph: all?.server,
    sharedHits: all && sharedShare(all.hits, hits),
    ...measureBaselines(size, queries),
    memoryBytes,
    recordBytes: bytesBelow(join(data, "records")) / size,
    graphFileBytes: bytesBelow(graphs) / size,
    coldMs: first.coldMs,
    graphBuiltMs: isBuilt || isBegun ? undefined : first.graphMs,
    graphReadMs: isBuilt || !hasGraph ? first.graphMs : await graphRead(data, firstQuery, size),
  };
}

/**
 * Fills a folder under another name and renames it when complete. An interrupted run then leaves no
 * folder that looks complete.
 */
async function fill(data: string, size: number): Promise<void> {
  const part = `${data}.part`;
  rmSync(part, { recursive: true, force: true });
  await fillStore(part, namespace, sampleMemories(size, 1));
  renameSync(part, data);
}

async function compareAll(
  data: string,
  queries: readonly string[],
  size: number,
): Promise<SearchFigures> {
  // Below the threshold, the server loads no graph. It keeps the saved graph on disk while the
  // namespace has at least half of the threshold's memories.
  await using server = await startServer(data, [
    ...largeIndex,
    "--graph-threshold",
    String(Math.ceil(size * 1.5)),
  ]);
  return await searchAll(server, queries);
}

/** Starts the server again and measures the time from the first search until the graph is ready. */
async function graphRead(data: string, query: string, size: number): Promise<number | undefined> {
  await using server = await startServer(data, largeIndex);
  return (await firstSearch(server, query, size)).graphMs;
}

/** Measures the same queries by other means in this process. Returns medians in milliseconds. */
function measureBaselines(size: number, queries: readonly string[]) {
  const plainScan = measurePlainScan(size, sampleVectors(200, dimension, 3)).median / 1000;
  if (size > librarySizeMax) return { plainScan, library: undefined };
  const library = new MiniSearch({ fields: ["content"] });
  library.addAll(sampleTexts(size, 1).map((content, id) => ({ id, content })));
  return {
    plainScan,
    library: costOf((i) => library.search(queries[i % queries.length] ?? "").length).median / 1000,
  };
}

function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0;
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.reduce(
    (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size,
    0,
  );
}

function report(results: readonly Figures[]): void {
  printLine("Searches, one after another. Milliseconds.");
  printTable(
    [
      "memories",
      "index",
      "server p50",
      "p99",
      "client p50",
      "p99",
      "without graph p50",
      "same hits",
      "library p50",
      "plain scan p50",
      "library / server",
    ],
    results.map(
      ({ memories, index, server, client, serverWithoutGraph, sharedHits, library, plainScan }) => [
        memories.toLocaleString("en"),
        index,
        ...[server.p50, server.p99, client.p50, client.p99, serverWithoutGraph?.p50].map(cell),
        sharedHits?.toFixed(3) ?? "",
        ...[library, plainScan].map(cell),
        library === undefined ? "" : factor(library, server.p50),
      ],
    ),
  );
  printLine();
  printLine(
    "Bytes per memory; milliseconds of the first search after a start, and from it until the graph is ready",
  );
  printTable(
    ["memories", "RAM", "records", "graph on disk", "first search", "graph built", "graph read"],
    results.map(
      ({
        memories,
        memoryBytes,
        recordBytes,
        graphFileBytes,
        coldMs,
        graphBuiltMs,
        graphReadMs,
      }) => [
        memories.toLocaleString("en"),
        ...[memoryBytes, recordBytes, graphFileBytes, coldMs, graphBuiltMs, graphReadMs].map(
          (figure) => figure?.toFixed(0) ?? "",
        ),
      ],
    ),
  );
}

function cell(figure: number | undefined): string {
  return figure === undefined ? "" : figure.toFixed(figure < 10 ? 2 : 1);
}
