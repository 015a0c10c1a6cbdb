/** What does a page of a listing cost when there are 10, 1,000 and 100,000 records? */
import { parseArgs } from "node:util";
import type { Filter } from "../src/core/filter/matcher.js";
import { createMemoryService } from "../src/core/memories/create-service.js";
import { insertMemory } from "../src/core/memories/records.js";
import type { MemoryService } from "../src/core/memories/service.js";
import { instantOfMillis } from "../src/core/model/instant.js";
import { type Namespace, type Scope, userScope } from "../src/core/model/namespace.js";
import { createOverviewService } from "../src/core/overview/create-service.js";
import { endlessCall } from "../src/core/ports/call.js";
import { createEmbedders } from "../src/core/ports/embedder.js";
import type { Store } from "../src/core/ports/store.js";
import type { Page } from "../src/core/requests/list-page.js";
import { createWakeUps } from "../src/core/requests/wake-ups.js";
import { defaultWeights } from "../src/core/search/query/search.js";
import { createWriteGate } from "../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../src/index/search-index.js";
import { memoryRecords } from "../src/store/codec/memory-records.js";
import { openLevelStore } from "../src/store/level/level-store.js";
import { systemClock } from "../src/system/clock.js";
import { createIdSource } from "../src/system/ids.js";
import { systemTimer } from "../src/system/timer.js";
import { createTokenCounter } from "../src/tokens/o200k-token-counter.js";
import { indexBytesMax } from "./harness/bench-service.js";
import { withCallers } from "./harness/callers.js";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleMemories } from "./harness/sample-memories.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";

const usage = "Usage: npm run bench:listings -- [--sizes 10,1000,100000] [--rounds 20]\n";

const explanation = `Milliseconds of CPU a page, in one process over LevelDB: the median of the rounds. A page of users, namespaces or runs
has 100 of them, a page of memories ten. "middle": the page after a page token from the middle of the list. The
memories have equal create times where it says so. Counts and pages with a filter use an index in RAM.`;

/** Filters, each with one condition. */
const filters: Readonly<Record<string, Filter>> = {
  everything: {},
  "a kind": { kinds: ["kind 3"] },
  "a tag": { tagsAny: ["tag 7"] },
  "an author": { author: "author 2" },
  "a source": { source: "source 5" },
  "an importance": { importanceMin: 0.8 },
  "a time": { timeRange: { start: instantOfMillis(1_800_000_005_000) } },
  metadata: { metadata: { place: "Oslo" } },
  words: { contentContains: "nothing like it" },
};

const anySearch = {
  order: "NEWEST_FIRST",
  weights: defaultWeights,
  includeSuperseded: false,
} as const;

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "10,1000,100000" },
    rounds: { type: "string", default: "20" },
    help: { type: "boolean" },
  },
});
if (values.help) printLine(usage);
else await measure(values.sizes.split(",").map(Number), Number(values.rounds));

/** The milliseconds of a page by its name. */
type Figures = Map<string, number>;

async function measure(sizes: readonly number[], rounds: number): Promise<void> {
  printMachine();
  printLine(explanation);
  printLine();
  const columns: Figures[] = [];
  for (const size of sizes) {
    const figures: Figures = new Map();
    await measureNames(size, rounds, figures);
    await measureMemories(size, rounds, figures);
    columns.push(figures);
  }
  const names = [...(columns.at(-1)?.keys() ?? [])];
  printTable(
    ["ms a page", ...sizes.map((size) => size.toLocaleString("en"))],
    names.map((name) => [name, ...columns.map((it) => it.get(name)?.toFixed(3) ?? "")]),
  );
  saveResults("listings", {
    sizes,
    ms: names.map((name) => [name, ...columns.map((it) => it.get(name))]),
  });
}

/** Measures pages of users with a namespace each, of one user's namespaces, and of runs. */
async function measureNames(size: number, rounds: number, figures: Figures): Promise<void> {
  using folder = createTemporaryFolder();
  const store = await openLevelStore({ folder: folder.path, clock: systemClock });
  const ids = Array.from({ length: size }, (_, i) => `name-${i}`);
  await withCallers(500, ids, async (id) => {
    await put(store, userScope(id), id, "agent");
    await put(store, { kind: "run", runId: id }, id, undefined);
  });
  await store.compact();
  const overview = createOverviewService({ store, clock: systemClock });
  const visible = { users: ["*"], agents: ["*"], runs: ["*"] };
  const query = { ...visible, prefix: "", limit: 100 };
  const all = endlessCall;
  const pages = {
    users: (pageToken: string) => overview.listUsers({ ...query, pageToken }, all),
    namespaces: (pageToken: string) => overview.listNamespaces({ ...query, pageToken }, all),
    runs: (pageToken: string) => overview.listRuns({ ...query, pageToken }, all),
    "users by prefix": (pageToken: string) =>
      overview.listUsers({ ...query, prefix: "name-9", pageToken }, all),
  };
  for (const [name, page] of Object.entries(pages)) {
    figures.set(name, await millisOf(rounds, () => page("")));
    const token = await tokenInTheMiddle(page, size / 200);
    if (token !== undefined)
      figures.set(`${name}, middle`, await millisOf(rounds, () => page(token)));
    else figures.set(`${name}, middle`, figures.get(name) as number);
  }
  await withCallers(500, ids, (id) => put(store, userScope("all"), "all", id));
  const own = { ...query, userId: "all" };
  figures.set(
    "namespaces of a user",
    await millisOf(rounds, () => overview.listNamespaces({ ...own, pageToken: "" }, all)),
  );
  await store.close();
}

/** Writes a small record of an agent, or a key of a run. */
async function put(store: Store, scope: Scope, id: string, agentId: string | undefined) {
  await store.update(scope, async (tx) => {
    if (agentId !== undefined) tx.put("timeline", { userId: id, agentId }, "k", null);
    else tx.put("keyValues", scope, "k", { value: "v", version: 1, position: "1" });
  });
}

async function tokenInTheMiddle(
  page: (token: string) => Promise<Page<unknown>>,
  pages: number,
): Promise<string | undefined> {
  // Reading half of the list takes long if a page reads all of it.
  let token = "";
  for (let i = 0; i < Math.min(pages, 20); i++) token = (await page(token)).nextPageToken;
  return token === "" ? undefined : token;
}

/** Measures pages of the memories of a namespace, and counts. */
async function measureMemories(size: number, rounds: number, figures: Figures): Promise<void> {
  for (const times of ["different", "equal"] as const) {
    using folder = createTemporaryFolder();
    const store = await openLevelStore({ folder: folder.path, clock: systemClock });
    const namespace = { userId: "kim", agentId: times };
    const rare = new Set([1, 2, 3].map((part) => Math.floor((part * size) / 4)));
    const memories = sampleMemories(size, 1).map((memory, i) => {
      const createTime = instantOfMillis(1_800_000_000_000 + (times === "equal" ? 0 : i * 1_000));
      return {
        ...memory,
        ...{
          createTime,
          updateTime: createTime,
          kind: rare.has(i) ? "rare" : `kind ${i % 10}`,
          tags: [`tag ${i % 100}`],
        },
        ...{ author: `author ${i % 5}`, source: `source ${i % 7}`, importance: (i % 11) / 10 },
      };
    });
    await withCallers(500, memories, (memory) =>
      store.update(userScope("kim"), async (tx) =>
        insertMemory(tx, namespace, memory, undefined, undefined),
      ),
    );
    // LevelDB would merge its files meanwhile.
    await store.compact();
    const service = await openService(store);
    await service.search({ namespace, query: "", filter: {}, ...anySearch }, endlessCall);
    const page = { namespace, limit: 10, pageToken: "", includeSuperseded: false };
    const pages: Readonly<Record<string, Filter>> = {
      memories: {},
      "memories of a kind": { kinds: ["kind 3"] },
      "three memories of a kind": { kinds: ["rare"] },
    };
    for (const [name, filter] of Object.entries(pages)) {
      const list = (pageToken: string) =>
        service.getAll({ ...page, filter, pageToken }, endlessCall);
      figures.set(`${name}, ${times} times`, await millisOf(rounds, () => list("")));
      const { nextPageToken } = await list("");
      if (nextPageToken !== "")
        figures.set(
          `${name}, ${times} times, 2nd page`,
          await millisOf(rounds, () => list(nextPageToken)),
        );
    }
    for (const order of ["OLDEST_FIRST", "LATEST_EVENT_FIRST", "MOST_IMPORTANT_FIRST"] as const)
      figures.set(
        `memories, ${times} times, ${order.toLowerCase().replaceAll("_", " ")}`,
        await millisOf(rounds, () => service.getAll({ ...page, filter: {}, order }, endlessCall)),
      );
    if (times === "different") await measureCounts(service, namespace, rounds, figures);
    await store.close();
  }
}

/** Measures counts by filters. */
async function measureCounts(
  service: MemoryService,
  namespace: Namespace,
  rounds: number,
  figures: Figures,
): Promise<void> {
  for (const [name, filter] of Object.entries(filters))
    figures.set(
      `count of ${name}`,
      await millisOf(rounds, () => service.count({ namespace, filter }, endlessCall)),
    );
}

async function openService(store: Store): Promise<MemoryService> {
  return createMemoryService({
    store,
    index: createSearchIndex({ codec: memoryRecords, store, maxBytes: indexBytesMax }),
    embedders: createEmbedders(undefined),
    gate: createWriteGate(),
    wakeUps: createWakeUps(),
    tokens: await createTokenCounter(),
    clock: systemClock,
    timer: systemTimer,
    ids: createIdSource(),
    allowReset: false,
  });
}

/** Returns the median CPU time of a call, in milliseconds. The first call does not count. */
async function millisOf(rounds: number, run: () => Promise<unknown>): Promise<number> {
  await run();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1_000);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] as number;
}
