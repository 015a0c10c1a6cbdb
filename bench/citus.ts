/**
 * What does Citus cost? Adds memories over one PostgreSQL and over Citus, whose nodes are all on
 * this machine. The use cases of a server run in this process. Each store gets the same calls, in
 * turns.
 */
import { parseArgs } from "node:util";
import { useRunning } from "../test/fixtures/postgres.js";
import { endlessCall, openBundledEmbedder } from "./harness/bench-service.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleTexts } from "./harness/sample-texts.js";
import { type Figures, type Load, measure, medianOf } from "./providers/measure.js";
import { openPostgres, type Provider } from "./providers/providers.js";

const { values: flags } = parseArgs({
  options: {
    plain: { type: "string" },
    coordinator: { type: "string" },
    workers: { type: "string", multiple: true },
    rounds: { type: "string", default: "5" },
    scale: { type: "string", default: "1" },
  },
});
const rounds = Number(flags.rounds);
/** Share of the calls to make, for a trial of the program. */
const scale = Number(flags.scale);

const callCounts = { 1: 300, 16: 1_500, 64: 3_000 } as const;

const loads: readonly Load[] = ([1, 16, 64] as const).flatMap((callers) =>
  [1, 16].map((users) => ({
    callers,
    users,
    calls: Math.max(callers, Math.round(callCounts[callers] * scale)),
  })),
);

/** A store, with the figures of each load in each round. */
interface Measured {
  readonly name: string;
  readonly provider: Provider;
  readonly figures: ReadonlyMap<Load, Figures[]>;
}

printMachine();
await run();

async function run(): Promise<void> {
  const { plain, coordinator, workers } = flags;
  if (plain === undefined || coordinator === undefined || workers === undefined)
    throw new Error("give the URLs of --plain, --coordinator and each of --workers");
  const embedder = await openBundledEmbedder();
  const open = (urls: readonly string[]) => openPostgres(embedder, useRunning(urls));
  await using onPlain = await open([plain]);
  await using byCoordinator = await open([coordinator]);
  await using byWorkers = await open([coordinator, ...workers]);
  const stores: readonly Measured[] = [
    measured("one PostgreSQL", onPlain),
    measured("Citus, by the coordinator", byCoordinator),
    measured("Citus, by the workers", byWorkers),
  ];
  for (let round = 0; round < rounds; round++)
    for (const load of loads)
      for (const store of round % 2 === 0 ? stores : stores.toReversed())
        store.figures.get(load)?.push(await measureAdds(store, load, round));
  report(stores);
}

function measured(name: string, provider: Provider): Measured {
  return { name, provider, figures: new Map(loads.map((load) => [load, []])) };
}

function measureAdds({ name, provider }: Measured, load: Load, round: number): Promise<Figures> {
  const texts = sampleTexts(load.calls, round + 100);
  return measure(provider, load, (index, user) =>
    provider.memories.add(
      {
        // New users each time, so that all stores add to namespaces of the same size.
        namespace: {
          userId: `${name}, ${round}, ${load.callers} callers, ${user} of ${load.users}`,
          agentId: "bench",
        },
        content: texts[index] ?? "",
        // The clients send an idempotency key with each mutation.
        idempotencyKey: `call ${index}`,
      },
      endlessCall,
    ),
  );
}

function report(stores: readonly Measured[]): void {
  const results = loads.map((load) => ({
    ...load,
    stores: stores.map(({ name, figures }) => ({ name, ...medianOf(figures.get(load) ?? []) })),
  }));
  printTable(
    ["adds", "calls/s", "", "p50 ms", "", "CPU us", "CPU us of PostgreSQL", ""],
    results.flatMap(({ callers, users, stores: figures }) =>
      figures.map((store) => [
        `${callers} callers, ${users} users, ${store.name}`,
        ...compared(store, figures, "perSecond", 0),
        ...compared(store, figures, "medianMs", 2),
        store.cpuMicros.toFixed(0),
        ...compared(store, figures, "databaseMicros", 0),
      ]),
    ),
  );
  printLine();
  printLine(
    `Medians of ${rounds} rounds. CPU is that of this process for each call, and of all ` +
      "processes of all nodes. The ratios are to one PostgreSQL.",
  );
  saveResults("citus", { results });
}

/** Returns a figure, and its ratio to that of the first store. */
function compared(
  store: Figures,
  [first]: readonly Figures[],
  figure: keyof Figures,
  digits: number,
): readonly string[] {
  return [store[figure].toFixed(digits), factor(store[figure], first?.[figure] ?? Number.NaN)];
}
