import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Connection, nativeGrpc } from "../../e2e/harness/protocols.js";
import { createRunClient } from "../../e2e/harness/run-client.js";
import { createUserClient } from "../../e2e/harness/user-client.js";
import { createRandom, type Random } from "../server/random.js";
import { type ServerProcess, startServerProcess } from "../server/server-process.js";
import { Tally } from "../tally.js";
import type { ScenarioOptions } from "./scenario.js";
import { withTemporaryFolder } from "./temporary-folder.js";

/** The options of the mixed load. */
export interface LoadOptions extends ScenarioOptions {
  /** How long the load lasts: a time, or a number of namespaces that are filled and emptied. */
  readonly length: { readonly unit: "minutes" | "namespaces"; readonly amount: number };
}

/** Namespaces in use at the same time. */
const workerCount = 8;

/** Number of measurements. They are spread evenly over the run. */
const sampleCount = 24;

/**
 * A figure may grow by this share of itself, plus a constant, from the third to the last quarter of
 * the run. Only more growth is harm.
 */
const levelShare = 0.05;
const levelMebibytes = 8;
const levelDescriptors = 8;

/**
 * A module that runs in the server's process. On SIGUSR2, it collects garbage and reports sizes.
 */
const heapReporter = `
let count = 0;
process.on("SIGUSR2", () => {
  gc();
  gc();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write("heap sample " + count++ + " " + JSON.stringify({ heapUsed, external }) + "\\n");
});`;

/** The resources of a server at one time. Sizes in MiB. */
interface Sample {
  readonly seconds: number;
  readonly namespaces: number;
  /** The heap and the external memory of its objects, after garbage collection. */
  readonly heap: number;
  readonly resident: number;
  readonly descriptors: number;
  readonly files: number;
  readonly folder: number;
}

/**
 * Fills and empties namespaces, blocks and runs, and measures what the server holds. In the second
 * half of the run nothing may grow.
 */
export async function runLoad(options: LoadOptions): Promise<Tally> {
  const tally = new Tally(["growing"], options.report);
  await withTemporaryFolder(async (folder) => {
    const data = join(folder, "data");
    const server = await startServerProcess(data, {
      nodeFlags: [
        "--expose-gc",
        "--import",
        `data:text/javascript,${encodeURIComponent(heapReporter)}`,
      ],
      flags: ["--log-level", "warn"],
    });
    try {
      await loadAndMeasure(server, data, options, tally);
    } finally {
      await server.end("SIGKILL");
    }
  });
  return tally;
}

async function loadAndMeasure(
  server: ServerProcess,
  data: string,
  { length, seed, report }: LoadOptions,
  tally: Tally,
): Promise<void> {
  const began = performance.now();
  const elapsedMs = () => performance.now() - began;
  const share = () =>
    length.unit === "minutes"
      ? elapsedMs() / (length.amount * 60_000)
      : tally.of("namespaces") / length.amount;
  const samples: Sample[] = [];
  const connection = nativeGrpc.connect(server);
  const working = Promise.all(
    Array.from({ length: workerCount }, async (_, worker) => {
      const random = createRandom(seed * 100 + worker);
      for (let turn = 0; share() < 1; turn++)
        await fillAndEmpty(connection, `w${worker} t${turn}`, random, tally).catch(
          (error: unknown) => tally.harm("unexpected error", String(error)),
        );
    }),
  );
  report(sampleHeader);
  while (samples.length < sampleCount && share() < 1) {
    if (share() >= samples.length / sampleCount) {
      const sample = await measure(server, data, samples.length, elapsedMs(), tally);
      samples.push(sample);
      report(sampleLine(sample));
    }
    await delay(50);
  }
  await working;
  connection.close();
  compareQuarters(samples, tally);
}

/** Writes into a namespace, blocks and a run of a new user, reads, and deletes everything. */
async function fillAndEmpty(
  connection: Connection,
  name: string,
  random: Random,
  tally: Tally,
): Promise<void> {
  const user = createUserClient(connection, { userId: name, agentId: "load" });
  const run = createRunClient(connection, name);
  const count = random.integer(3, 12);
  for (let i = 0; i < count; i++) {
    await user.memories.add(`${name} note ${i} about ${random.integer(0, 1_000_000)}`, {
      tags: ["t"],
    });
    await run.write(`key ${i % 4}`, name);
    await user.memories.search(`note ${i}`, { limit: 5 });
  }
  await user.put("one two", { label: "style" });
  const proposal = await user.proposed({ label: "style", old: "one", new: "three" });
  await (random.chance(0.5) ? user.approve(proposal) : user.reject(proposal));
  await user.memories.recall("note", { limit: 5 });
  await user.memories.list();
  await user.blocks.deleteBlock({ userId: name, label: "style" });
  for (const key of await run.list()) await run.delete(key);
  if (random.chance(0.5)) await user.memories.reset();
  else await user.memories.deleteWhere({ filter: { tagsAny: ["t"] } });
  tally.count("calls", count * 3 + 12);
  tally.count("namespaces");
}

async function measure(
  server: ServerProcess,
  data: string,
  number: number,
  elapsedMs: number,
  tally: Tally,
): Promise<Sample> {
  const { heapUsed, external } = await heapOf(server, number);
  const { files, bytes } = await sizeOf(data);
  return {
    seconds: elapsedMs / 1000,
    namespaces: tally.of("namespaces"),
    heap: (heapUsed + external) / 2 ** 20,
    resident: (await residentBytes(server.pid)) / 2 ** 20,
    descriptors: (await readdir(`/proc/${server.pid}/fd`).catch(() => [])).length,
    files,
    folder: bytes / 2 ** 20,
  };
}

async function heapOf(
  server: ServerProcess,
  number: number,
): Promise<{ readonly heapUsed: number; readonly external: number }> {
  process.kill(server.pid, "SIGUSR2");
  await server.logged(`heap sample ${number} `);
  const pattern = new RegExp(`^heap sample ${number} (.*)$`, "m");
  for (;;) {
    const [, sizes] = pattern.exec(server.log()) ?? [];
    if (sizes?.endsWith("}") === true)
      return JSON.parse(sizes) as { heapUsed: number; external: number };
    await delay(10);
  }
}

/** Returns the resident memory of a process; `NaN` without /proc. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}

async function sizeOf(folder: string): Promise<{ readonly files: number; readonly bytes: number }> {
  let files = 0;
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // LevelDB may delete a file meanwhile.
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    files += 1;
    bytes += found?.size ?? 0;
  }
  return { files, bytes };
}

/** Compares the last quarter of the run with the third quarter, by the lowest figure of each. */
function compareQuarters(samples: readonly Sample[], tally: Tally): void {
  const quarter = Math.floor(samples.length / 4);
  const third = samples.slice(2 * quarter, 3 * quarter);
  const last = samples.slice(3 * quarter);
  const lowest = (of: readonly Sample[], figure: keyof Sample) =>
    Math.min(...of.map((sample) => sample[figure]));
  for (const [figure, slack] of [
    ["heap", levelMebibytes],
    ["descriptors", levelDescriptors],
    ["files", levelDescriptors],
  ] as const) {
    const [before, after] = [lowest(third, figure), lowest(last, figure)];
    tally.count(`${figure}, third quarter`, Math.round(before));
    tally.count(`${figure}, last quarter`, Math.round(after));
    if (after > before * (1 + levelShare) + slack)
      tally.harm("growing", `${figure}: ${before.toFixed(1)}, then ${after.toFixed(1)}`);
  }
}

const sampleHeader = " seconds  namespaces  heap MiB  resident MiB  descriptors  files  folder MiB";

function sampleLine(sample: Sample): string {
  return [
    sample.seconds.toFixed(0).padStart(8),
    String(sample.namespaces).padStart(10),
    sample.heap.toFixed(1).padStart(8),
    sample.resident.toFixed(1).padStart(12),
    String(sample.descriptors).padStart(11),
    String(sample.files).padStart(5),
    sample.folder.toFixed(1).padStart(10),
  ].join("  ");
}
