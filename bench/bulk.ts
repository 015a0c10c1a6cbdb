/**
 * How many memories a second does AddBatch store? How much CPU and memory does the server use? How
 * long does the first search afterwards take? The CPU includes this search.
 *
 * The baseline stores the same memories with Add, 64 calls at the same time. `vademecum import`
 * stores them from a file of mem0. Its time includes the start of the command. With
 * `--before FOLDER`, the built server of another checkout stores the memories too. With
 * `--embedder`, the servers use another embedder.
 */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs, promisify } from "node:util";
import { withCallers } from "./harness/callers.js";
import { addAll, type BenchClient, connectTo } from "./harness/client.js";
import { medianOf } from "./harness/cost.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleTexts } from "./harness/sample-texts.js";
import { startServer } from "./harness/server-process.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";

const { values } = parseArgs({
  options: {
    embedder: { type: "string", default: "local" },
    memories: { type: "string", default: "10000" },
    rounds: { type: "string", default: "5" },
    before: { type: "string" },
  },
});
/** The flags of the server that choose the embedder. */
const embedder = ["--embedder", values.embedder];
const count = Number(values.memories);
const rounds = Number(values.rounds);
const callers = 64;

/** The cost of storing the memories of one round. */
interface Bulk {
  readonly perSecond: number;
  readonly cpuMicros: number;
  readonly peakGrowthMiB: number;
  /** Time of the first search after the last acknowledgement. */
  readonly searchMs: number;
}

/** The server to store memories in, and a folder for files. */
interface Target {
  readonly client: BenchClient;
  readonly address: string;
  readonly folder: string;
}

/** Stores memories of one user, and resolves when all are acknowledged. */
type StoreAll = (target: Target, texts: readonly string[]) => Promise<unknown>;

const namespace = { userId: "ann", agentId: "bench" };

const addEach: StoreAll = ({ client: { memories } }, texts) =>
  withCallers(callers, texts, (content) => memories.add({ namespace, content }));

const addBatch: StoreAll = ({ client }, texts) =>
  addAll(
    client,
    texts.map((content) => ({ namespace, content })),
  );

const importFile: StoreAll = async ({ address, folder }, texts) => {
  const file = join(folder, "memories.json");
  const results = texts.map((memory, at) => ({
    id: `${texts.length}-${at}`,
    memory,
    user_id: "a",
  }));
  await writeFile(file, JSON.stringify({ results }));
  const { userId, agentId } = namespace;
  const owner = ["--user", userId, "--agent", agentId];
  const server = ["--server", address];
  const args = ["dist/main.js", "import", "--from", "mem0", ...owner, ...server, file];
  await promisify(execFile)(process.execPath, args);
};

printMachine();
const kinds: readonly { readonly name: string; readonly store: StoreAll; project?: string }[] = [
  { name: `Add, ${callers} in flight`, store: addEach },
  { name: "AddBatch, one stream", store: addBatch },
  { name: "vademecum import", store: importFile },
  ...(values.before === undefined
    ? []
    : [{ name: "AddBatch before", store: addBatch, project: resolve(values.before) }]),
];
const figures = kinds.map(({ name }) => ({ name, bulks: [] as Bulk[] }));
for (let round = 0; round < rounds; round++)
  for (const [at, { store, project = "." }] of kinds.entries())
    figures[at]?.bulks.push(await measure(store, project, round));
report();

/** Stores the memories of a round into an empty folder. */
async function measure(store: StoreAll, project: string, round: number): Promise<Bulk> {
  using folder = createTemporaryFolder();
  await using server = await startServer(join(folder.path, "data"), embedder, { project });
  using client = connectTo(server.grpcAddress);
  const target = { client, address: server.grpcAddress, folder: folder.path };
  await store(target, sampleTexts(1_000, 1_000 + round));
  const texts = sampleTexts(count, round);
  const cpuMicros = server.cpuMicros();
  server.resetPeak();
  const restingBytes = server.residentBytes();
  const startMs = performance.now();
  await store(target, texts);
  const storedMs = performance.now();
  const last = texts.at(-1) ?? "";
  const { hits } = await client.memories.recall({ search: { namespace, query: last, limit: 1 } });
  const searchedMs = performance.now();
  if (hits[0]?.memory?.content !== last) throw new Error("the last memory was not found");
  return {
    perSecond: count / ((storedMs - startMs) / 1_000),
    cpuMicros: (server.cpuMicros() - cpuMicros) / count,
    peakGrowthMiB: (server.peakResidentBytes() - restingBytes) / 1024 ** 2,
    searchMs: searchedMs - storedMs,
  };
}

function report(): void {
  const baseline = figures[0]?.bulks ?? [];
  printLine(
    `${count.toLocaleString("en")} memories of about 30 tokens into a namespace of 1,000; ` +
      `medians of ${rounds} rounds.`,
  );
  printTable(
    ["", "memories/s", "/ Add", "CPU us", "/ Add", "peak growth MiB", "first search ms"],
    figures.map(({ name, bulks }) => [
      name,
      medianOf(bulks, ({ perSecond }) => perSecond).toFixed(0),
      factor(
        medianOf(bulks, ({ perSecond }) => perSecond),
        medianOf(baseline, ({ perSecond }) => perSecond),
      ),
      medianOf(bulks, ({ cpuMicros }) => cpuMicros).toFixed(0),
      factor(
        medianOf(bulks, ({ cpuMicros }) => cpuMicros),
        medianOf(baseline, ({ cpuMicros }) => cpuMicros),
      ),
      medianOf(bulks, ({ peakGrowthMiB }) => peakGrowthMiB).toFixed(0),
      medianOf(bulks, ({ searchMs }) => searchMs).toFixed(0),
    ]),
  );
  saveResults("bulk", { count, rounds, figures });
}
