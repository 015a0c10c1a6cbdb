/**
 * What does PostgreSQL cost, compared with LevelDB? Measures searches with a loaded index, adds,
 * loads of indexes, and reads of the head of a user. The head says which commit is the user's last
 * one, and each search reads it. The code of a server makes these calls in this process. Both
 * providers get the same calls, in turns.
 */
import { parseArgs } from "node:util";
import { type Namespace, userScope } from "../src/core/model/namespace.js";
import { endlessCall } from "../src/core/ports/call.js";
import type { Embedder } from "../src/core/ports/embedder.js";
import { defaultWeights } from "../src/core/search/query/search.js";
import { openBundledEmbedder } from "./harness/bench-service.js";
import { fillNamespace } from "./harness/fill-store.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { sampleMemories } from "./harness/sample-memories.js";
import { sampleQueries, sampleTexts } from "./harness/sample-texts.js";
import { createTemporaryFolder } from "./harness/temporary-folder.js";
import { type Figures, type Load, measure, medianOf } from "./providers/measure.js";
import { openLevel, openPostgres, type Provider } from "./providers/providers.js";
import type { Questions } from "./providers/questions.js";

/** Number of users in the rows with many users. */
const manyUsers = 16;

/** Memories of each user that searches. */
const memoriesOfUser = 1_000;

const callCounts = {
  head: { 1: 3_000, 16: 20_000, 64: 40_000 },
  search: { 1: 1_500, 16: 4_000, 64: 4_000 },
  add: { 1: 300, 16: 1_500, 64: 3_000 },
} as const;

type Operation = keyof typeof callCounts | "cold load";

/** One row of the report. */
interface Row extends Load {
  readonly operation: Operation;
}

const { values: flags } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, scale: { type: "string", default: "1" } },
});
const rounds = Number(flags.rounds);
/** Factor on the number of calls. A small factor is for a quick try of this program. */
const scale = Number(flags.scale);

const rows: readonly Row[] = [
  ...(["head", "search", "add"] as const).flatMap((operation) =>
    ([1, 16, 64] as const).flatMap((callers) =>
      [1, manyUsers].map((users) => ({
        operation,
        callers,
        users,
        calls: Math.max(callers, Math.round(callCounts[operation][callers] * scale)),
      })),
    ),
  ),
  { operation: "cold load", callers: 1, users: manyUsers, calls: manyUsers },
];

const figureNames = { perSecond: "calls/s", medianMs: "p50", cpuMicros: "CPU" } as const;

/** Goals, as ratios of `postgres` to `level`. */
const goals = [
  { figure: "cpuMicros", operation: "search", callers: 16, users: 1, most: 1.15 },
  { figure: "cpuMicros", operation: "search", callers: 16, users: manyUsers, most: 1.15 },
  { figure: "medianMs", operation: "add", callers: 1, users: 1, most: 3 },
  { figure: "perSecond", operation: "add", callers: 64, users: 1, least: 0.5 },
  { figure: "perSecond", operation: "add", callers: 64, users: manyUsers, least: 0.5 },
] as const;

const queries = sampleQueries(sampleTexts(memoriesOfUser, 1), 1);

printMachine();
await run();

async function run(): Promise<void> {
  using folder = createTemporaryFolder();
  const embedder = await openBundledEmbedder();
  await using level = await openLevel(folder.path, embedder);
  await using postgres = await openPostgres(embedder);
  for (const provider of [level, postgres]) await fill(provider, embedder);
  // The first search of each user loads its index, which is not measured here.
  for (const provider of [level, postgres])
    for (let user = 0; user < manyUsers; user++) await search(provider.memories, 0, user);
  const warm = { headQueriesMax: 0, snapshots: 0 };
  const measured = new Map<Row, { level: Figures[]; postgres: Figures[] }>();
  for (let round = 0; round < rounds; round++) {
    for (const row of rows) {
      const figures = measured.get(row) ?? { level: [], postgres: [] };
      measured.set(row, figures);
      for (const provider of round % 2 === 0 ? [level, postgres] : [postgres, level]) {
        const { snapshots } = postgres.questions();
        figures[provider.name].push(await measureRow(provider, row, round));
        if (row.operation === "search")
          warm.snapshots += postgres.questions().snapshots - snapshots;
      }
    }
  }
  warm.headQueriesMax = postgres.questions().headQueriesMax;
  report(measured, warm);
}

async function fill(provider: Provider, embedder: Embedder): Promise<void> {
  for (let user = 0; user < manyUsers; user++)
    await fillNamespace(
      provider.store,
      namespaceOf(user),
      sampleMemories(memoriesOfUser, user + 1),
      embedder,
    );
}

function namespaceOf(user: number | string): Namespace {
  return { userId: `user ${user}`, agentId: "bench" };
}

function search(memories: Provider["memories"], index: number, user: number): Promise<unknown> {
  return memories.search(
    {
      namespace: namespaceOf(user),
      query: queries[index % queries.length] ?? "",
      filter: {},
      order: "RELEVANCE",
      weights: defaultWeights,
      includeSuperseded: false,
    },
    endlessCall,
  );
}

function measureRow(provider: Provider, row: Row, round: number): Promise<Figures> {
  const { operation, callers, users } = row;
  switch (operation) {
    case "head":
      return measure(provider, row, (_, user) =>
        provider.store.head(userScope(namespaceOf(user).userId)),
      );
    case "search":
      return measure(provider, row, (index, user) => search(provider.memories, index, user));
    case "add": {
      // New users each time, so that both providers add to namespaces of the same size.
      const texts = sampleTexts(row.calls, round + 100);
      return measure(provider, row, (index, user) =>
        provider.memories.add(
          {
            namespace: namespaceOf(`${round}, ${callers} callers, ${user} of ${users}`),
            content: texts[index] ?? "",
            // The clients send an idempotency key with each mutation.
            idempotencyKey: `call ${index}`,
          },
          endlessCall,
        ),
      );
    }
    case "cold load": {
      const memories = provider.createService();
      return measure(provider, row, (index, user) => search(memories, index, user));
    }
  }
}

function report(
  measured: ReadonlyMap<Row, { readonly level: Figures[]; readonly postgres: Figures[] }>,
  warm: Questions,
): void {
  const figures = [...measured].map(([row, { level, postgres }]) => ({
    ...row,
    level: medianOf(level),
    postgres: medianOf(postgres),
  }));
  printTable(
    [
      "level, postgres, ratio",
      "calls/s",
      "",
      "",
      "p50 ms",
      "",
      "",
      "CPU us",
      "",
      "",
      "CPU us of PostgreSQL",
    ],
    figures.map(({ operation, callers, users, level, postgres }) => [
      nameOf({ operation, callers, users }),
      ...compared(level.perSecond, postgres.perSecond, 0),
      ...compared(level.medianMs, postgres.medianMs, 2),
      ...compared(level.cpuMicros, postgres.cpuMicros, 0),
      postgres.databaseMicros.toFixed(0),
    ]),
  );
  const checked = goals.map((goal) => {
    const { figure, operation, callers, users } = goal;
    const found = figures.find(
      (row) => row.operation === operation && row.callers === callers && row.users === users,
    );
    const ratio = (found?.postgres[figure] ?? Number.NaN) / (found?.level[figure] ?? Number.NaN);
    const isMet = "most" in goal ? ratio <= goal.most : ratio >= goal.least;
    return { ...goal, ratio, isMet };
  });
  printLine();
  printTable(
    ["goal: postgres / level", "ratio", "wanted", ""],
    [
      ...checked.map(({ figure, operation, callers, users, ratio, isMet, ...goal }) => [
        `${figureNames[figure]} of ${nameOf({ operation, callers, users })}`,
        ratio.toFixed(2),
        "most" in goal ? `at most ${goal.most}` : `at least ${goal.least}`,
        isMet ? "met" : "MISSED",
      ]),
      countRow("queries for heads under way at once", warm.headQueriesMax, 1),
      countRow("snapshots opened by warm searches", warm.snapshots, 0),
    ],
  );
  printLine();
  printLine(
    `Medians of ${rounds} rounds. Each user that is searched has ${memoriesOfUser} memories of ` +
      "about 30 tokens with vectors; a cold load is the first search of such a user. Adds go to " +
      "new users. CPU is that of this process for each call, and of all processes of PostgreSQL.",
  );
  saveResults("providers", { figures, goals: checked, warm });
  if (warm.headQueriesMax > 1 || warm.snapshots > 0) process.exitCode = 1;
}

function nameOf({ operation, callers, users }: Omit<Row, "calls">): string {
  const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  return `${operation}, ${many(callers, "caller")}, ${many(users, "user")}`;
}

function compared(level: number, postgres: number, digits: number): readonly string[] {
  return [level.toFixed(digits), postgres.toFixed(digits), factor(postgres, level)];
}

function countRow(name: string, count: number, most: number): readonly string[] {
  return [name, String(count), `at most ${most}`, count <= most ? "met" : "MISSED"];
}
