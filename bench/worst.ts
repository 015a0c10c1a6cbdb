/**
 * Which single request of each RPC holds other calls up the longest, and which takes the most
 * memory? Tries shapes of requests, which it makes from the definitions.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { DescMethod } from "@bufbuild/protobuf";
import { printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { randomNumbers } from "./harness/sample-texts.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";
import { Arena } from "./worst/arena.js";
import { benchSizes, type FolderRecords, fillFolder, valuesFor } from "./worst/filled-folder.js";
import { type Finding, searchWorst, type Worst } from "./worst/search-worst.js";
import { methodPath, servedMethods } from "./worst/served-methods.js";
import { describeShape, type Shape, targetsOf } from "./worst/shape.js";
import { type EarlierFigures, megabytes, printSummary, readEarlier } from "./worst/summary.js";
import { warmUp } from "./worst/warm-up.js";

const usage = `Usage: npm run bench:worst -- [--tries N] [--seed N] [--rpc NAME] [--memories N] [--before FILE]

--tries: requests to try for each RPC, default 200. An RPC that removes records gets half of them, because the server
  is started anew after each of its requests that succeeds.
--seed: seed of the random numbers, default 1.
--rpc: only RPCs of these names, separated by commas.
--memories: number of short memories in the namespace, default 10,000.
--before: the results of an earlier run, to be printed beside those of this run.`;

const explanation = `gap: the longest time without an answer to a health check. The bench sends a check every 5 ms. memory: the
growth of the resident memory to its peak during the request; it includes garbage. live: the most memory in use at one
time, measured directly after garbage collections, over the requests that took the most memory (up to four). cpu: CPU
time of the server, over all threads. Each figure but live is the median of three runs of the worst request found.`;

/** A longer gap fails the run, in milliseconds. */
const gapMaxMs = 2_000;

/**
 * Methods that remove records, or change them in another way that disturbs the next requests. After
 * such a request succeeds, the next request gets a new folder.
 */
const removing = /^(?:Delete|Reset|Prune|Approve|HoldWrites|Restore$)/;

const { values: flags } = parseArgs({
  options: {
    tries: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    memories: { type: "string", default: "10000" },
    rpc: { type: "string" },
    before: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (flags.help) printLine(usage);
else await run();

/** The worst requests of one method. */
interface MethodFigures extends Worst {
  readonly method: DescMethod;
  /** The gap while nothing is sent, in milliseconds. */
  readonly idleGapMs: number;
}

async function run(): Promise<void> {
  const before = flags.before === undefined ? undefined : readEarlier(flags.before);
  printMachine();
  using folder = createTemporaryFolder();
  const filled = join(folder.path, "filled");
  const records = await fillFolder(filled, benchSizes(Number(flags.memories)));
  await using arena = new Arena(filled, join(folder.path, "copy"));
  const names = flags.rpc?.split(",");
  const methods = await servedMethods();
  const all: MethodFigures[] = [];
  for (const method of methods.filter(({ name }) => names?.includes(name) ?? true)) {
    const figures = await measure(arena, method, methods, records);
    all.push(figures);
    process.stderr.write(
      `${methodPath(method)}: ${figures.byGap.gapMs.toFixed(0)} ms, ` +
        `${megabytes(figures.byMemory.memoryBytes)} MB, ${megabytes(figures.liveBytes)} MB live\n`,
    );
  }
  report(all, before);
}

async function measure(
  arena: Arena,
  method: DescMethod,
  methods: readonly DescMethod[],
  records: FolderRecords,
): Promise<MethodFigures> {
  const restart = async () => {
    await arena.restart();
    await warmUp(arena, methods, records);
  };
  await restart();
  const worlds = valuesFor(method.parent.name, records);
  const isRemoving = removing.test(method.name);
  const attack = async (shape: Shape) => {
    const damage = await arena.attack(method, shape, worlds[shape.world] ?? {});
    if (damage.answer === "OK" && isRemoving) await restart();
    return damage;
  };
  const liveBytes = async (shape: Shape) => {
    const { bytes, answer } = await arena.liveBytes(method, shape, worlds[shape.world] ?? {});
    if (answer === "OK" && isRemoving) await restart();
    return bytes;
  };
  // Loads what the requests read, so that their figures do not include it.
  for (const encoding of ["binary", "json"] as const)
    for (const world of worlds.keys()) await attack({ encoding, world, messages: 1, parts: [] });
  const idleGapMs = await arena.idle(500);
  const isStream =
    method.methodKind === "bidi_streaming" || method.methodKind === "client_streaming";
  const targets = targetsOf(method, worlds[0] ?? {});
  const mutations = { targets, worlds: worlds.length, isStream };
  const random = randomNumbers(Number(flags.seed));
  const tries = Number(flags.tries) / (isRemoving ? 2 : 1);
  return {
    method,
    idleGapMs,
    ...(await searchWorst(random, tries, mutations, { attack, liveBytes })),
  };
}

function report(all: readonly MethodFigures[], before: EarlierFigures | undefined): void {
  printTable(
    [
      "RPC",
      "worst by",
      "gap ms",
      "cpu ms",
      "memory MB",
      "live MB",
      "idle gap ms",
      "answer",
      "request",
    ],
    all.flatMap(({ method, idleGapMs, byGap, byMemory, liveBytes }) => [
      [methodName(method), "gap", ...cellsOf(byGap, idleGapMs)],
      ["", "memory", ...cellsOf(byMemory, idleGapMs)],
      ["", "live", "", "", "", megabytes(liveBytes), "", "", "maximum of the worst by memory"],
    ]),
  );
  printLine();
  printSummary(
    all.map((figures) => ({ ...figures, path: methodPath(figures.method) })),
    before,
  );
  const worst = all.reduce((a, b) => (b.byGap.gapMs > a.byGap.gapMs ? b : a));
  printLine();
  printLine(`The longest gap: ${worst.byGap.gapMs.toFixed(0)} ms, ${methodName(worst.method)}.`);
  printLine(explanation);
  saveResults("worst", {
    seed: flags.seed,
    tries: flags.tries,
    memories: flags.memories,
    methods: all.map(({ method, idleGapMs, liveBytes, byGap, byMemory }) => ({
      method: methodPath(method),
      idleGapMs,
      liveBytes,
      byGap: resultOf(byGap),
      byMemory: resultOf(byMemory),
    })),
  });
  if (worst.byGap.gapMs > gapMaxMs) process.exitCode = 1;
}

function methodName({ parent, name }: DescMethod): string {
  return `${parent.typeName.replace(/^vademecum\.v1\./, "")}/${name}`;
}

function cellsOf({ shape, gapMs, cpuMs, memoryBytes, answer }: Finding, idleGapMs: number) {
  return [
    gapMs.toFixed(0),
    cpuMs.toFixed(0),
    megabytes(memoryBytes),
    "",
    idleGapMs.toFixed(0),
    answer,
    describeShape(shape),
  ];
}

function resultOf({ shape, ...damage }: Finding) {
  return { ...damage, request: describeShape(shape) };
}
