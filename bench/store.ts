/**
 * How many durable adds per second does the store accept? Compared with a plain loop of synced
 * LevelDB batches of the same records.
 */
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { Level } from "level";
import { insertMemory } from "../src/core/memories/records.js";
import type { Memory } from "../src/core/model/memory.js";
import { type Namespace, scopeOf } from "../src/core/model/namespace.js";
import { timelineKey } from "../src/core/model/record-keys.js";
import { openLevelStore } from "../src/store/level/level-store.js";
import { systemClock } from "../src/system/clock.js";
import { withCallers } from "./harness/callers.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleMemories } from "./harness/sample-memories.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";

const dimension = 256;
/** Rounds of store and baseline in turns. The report shows medians. */
const rounds = 3;

/** A memory to add, made before the measurement. */
interface Add {
  readonly namespace: Namespace;
  readonly memory: Memory;
  readonly vector: Float32Array;
}

/** Concurrent callers. Each waits for its add to finish before it starts the next add. */
interface Load {
  readonly name: string;
  readonly callers: number;
  /** 1 means that all callers write for the same user, one transaction after another. */
  readonly users: number;
  readonly adds: number;
}

const { values } = parseArgs({ options: { adds: { type: "string", default: "2000" } } });
const addsByOneCaller = Number(values.adds);
const loads: readonly Load[] = [
  { name: "1 caller", callers: 1, users: 1, adds: addsByOneCaller },
  { name: "64 callers, 1 user", callers: 64, users: 1, adds: addsByOneCaller * 10 },
  { name: "64 callers, 64 users", callers: 64, users: 64, adds: addsByOneCaller * 10 },
];

printMachine();
using folder = createTemporaryFolder();
report(await measure());

/** Adds per second of the store and of the baseline, under one load. */
interface Figures extends Load {
  readonly storeAddsPerSecond: number;
  readonly plainAddsPerSecond: number;
}

async function measure(): Promise<readonly Figures[]> {
  const figures: Figures[] = [];
  for (const load of loads) {
    const adds = sampleAdds(load);
    const store: number[] = [];
    const plain: number[] = [];
    for (let round = 0; round < rounds; round++) {
      store.push(
        await storeAddsPerSecond(load, adds, join(folder.path, `${load.name}, store ${round}`)),
      );
      plain.push(
        await plainAddsPerSecond(load, adds, join(folder.path, `${load.name}, plain ${round}`)),
      );
    }
    figures.push({ ...load, storeAddsPerSecond: median(store), plainAddsPerSecond: median(plain) });
  }
  return figures;
}

function sampleAdds({ adds, users }: Load): readonly Add[] {
  const vector = new Float32Array(dimension).fill(1 / Math.sqrt(dimension));
  return sampleMemories(adds, 1).map((memory, index) => ({
    namespace: { userId: `user ${index % users}`, agentId: "bench" },
    memory,
    vector,
  }));
}

/** Adds each memory in its own transaction, with the records that Add writes. */
async function storeAddsPerSecond(
  { callers }: Load,
  adds: readonly Add[],
  path: string,
): Promise<number> {
  const store = await openLevelStore({ folder: path, clock: systemClock });
  const profile = { modelId: "bench", dimension };
  const perSecond = await addsPerSecond(callers, adds, async ({ namespace, memory, vector }) => {
    await store.update(scopeOf(namespace), async (tx) =>
      insertMemory(tx, namespace, memory, { vector, profile }, undefined),
    );
  });
  await store.close();
  return perSecond;
}

/**
 * Adds each memory in a synced batch with the same texts and vectors, without change log, checksums
 * and transaction.
 */
async function plainAddsPerSecond(
  { callers }: Load,
  adds: readonly Add[],
  path: string,
): Promise<number> {
  const database = new Level<string, Uint8Array>(path, { valueEncoding: "view" });
  const encoder = new TextEncoder();
  const perSecond = await addsPerSecond(callers, adds, ({ namespace, memory, vector }) => {
    const place = `${namespace.userId}/${namespace.agentId}`;
    return database.batch(
      [
        {
          type: "put",
          key: `memories/${place}/${memory.id}`,
          value: encoder.encode(JSON.stringify(memory)),
        },
        { type: "put", key: `vectors/${place}/${memory.id}`, value: new Uint8Array(vector.buffer) },
        { type: "put", key: `timeline/${place}/${timelineKey(memory)}`, value: new Uint8Array() },
      ],
      { sync: true },
    );
  });
  await database.close();
  return perSecond;
}

async function addsPerSecond(
  callers: number,
  adds: readonly Add[],
  add: (add: Add) => Promise<void>,
): Promise<number> {
  const beganMs = performance.now();
  await withCallers(callers, adds, add);
  return (adds.length / (performance.now() - beganMs)) * 1000;
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[figures.length >> 1] ?? Number.NaN;
}

function report(figures: readonly Figures[]): void {
  printTable(
    ["durable adds per second", "store", "plain LevelDB", "store / plain"],
    figures.map(({ name, storeAddsPerSecond, plainAddsPerSecond }) => [
      name,
      storeAddsPerSecond.toFixed(0),
      plainAddsPerSecond.toFixed(0),
      factor(storeAddsPerSecond, plainAddsPerSecond),
    ]),
  );
  printLine();
  printLine(
    `Medians of ${rounds} rounds. An add writes a memory of about 30 tokens, its vector of ` +
      `${dimension} numbers and its entry in the timeline, synced to disk.`,
  );
  saveResults("store", { loads: figures });
}
