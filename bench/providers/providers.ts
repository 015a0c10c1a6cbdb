import { createMemoryService } from "../../src/core/memories/create-service.js";
import type { MemoryService } from "../../src/core/memories/service.js";
import { createEmbedders, type Embedder } from "../../src/core/ports/embedder.js";
import type { Store } from "../../src/core/ports/store.js";
import { createWakeUps } from "../../src/core/requests/wake-ups.js";
import { createWriteGate } from "../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../src/index/search-index.js";
import { memoryRecords } from "../../src/store/codec/memory-records.js";
import { openLevelStore } from "../../src/store/level/level-store.js";
import { systemClock } from "../../src/system/clock.js";
import { createIdSource } from "../../src/system/ids.js";
import { systemTimer } from "../../src/system/timer.js";
import { createTokenCounter } from "../../src/tokens/o200k-token-counter.js";
import { startPostgres, type TestPostgres } from "../../test/fixtures/postgres.js";
import { nodesOf, queryOn } from "../../test/fixtures/postgres-nodes.js";
import { indexBytesMax } from "../harness/bench-service.js";
import { familyCpuMicros } from "../harness/process-figures.js";
import { type Questions, watchQuestions } from "./questions.js";

/** A storage provider, with the memory service of a server over it. */
export interface Provider extends AsyncDisposable {
  readonly name: "level" | "postgres";
  readonly store: Store;
  readonly memories: MemoryService;
  /** Creates another memory service, whose index has loaded nothing. */
  createService(): MemoryService;
  /** Returns the CPU time of the database's processes so far. `NaN` if it is unknown. */
  databaseCpuMicros(): number;
}

/** Opens the provider `level` in an empty folder. */
export async function openLevel(folder: string, embedder: Embedder): Promise<Provider> {
  const store = await openLevelStore({ folder, clock: systemClock });
  const createService = await serviceOver(store, embedder);
  return {
    name: "level",
    store,
    memories: createService(),
    createService,
    databaseCpuMicros: () => 0,
    [Symbol.asyncDispose]: () => store.close(),
  };
}

/**
 * Opens the provider `postgres` over an empty database. Closes PostgreSQL at the end.
 *
 * @param postgres absent: a PostgreSQL in a temporary folder, or the one that
 *   `VADEMECUM_TEST_POSTGRES` names
 */
export async function openPostgres(
  embedder: Embedder,
  postgres?: TestPostgres,
): Promise<Provider & { questions(): Questions }> {
  const database = postgres ?? (await startPostgres());
  await database.empty();
  const questions = watchQuestions();
  const opened = await database.openStore();
  const store = questions.watch(opened);
  const createService = await serviceOver(store, embedder);
  const postmasters = await postmastersOf(database);
  return {
    name: "postgres",
    store,
    memories: createService(),
    createService,
    databaseCpuMicros: () => postmasters.reduce((sum, pid) => sum + familyCpuMicros(pid), 0),
    questions: () => questions.counts(),
    async [Symbol.asyncDispose]() {
      await opened.close();
      await database.close();
    },
  };
}

/** Returns the first process of each node. `NaN` for a node on another machine. */
async function postmastersOf({ owner }: TestPostgres): Promise<readonly number[]> {
  const postmasters: number[] = [];
  for (const node of await nodesOf(owner)) {
    const [row] = await queryOn<{ file: string }>(
      node,
      "select pg_read_file('postmaster.pid') as file",
    );
    const isLocal = ["127.0.0.1", "localhost"].includes(node.host);
    postmasters.push(isLocal ? Number.parseInt(row?.file ?? "", 10) : Number.NaN);
  }
  return postmasters;
}

async function serviceOver(store: Store, embedder: Embedder): Promise<() => MemoryService> {
  const tokens = await createTokenCounter();
  const embedders = createEmbedders(embedder);
  return () =>
    createMemoryService({
      store,
      index: createSearchIndex({ codec: memoryRecords, store, maxBytes: indexBytesMax }),
      embedders,
      gate: createWriteGate(),
      wakeUps: createWakeUps(),
      tokens,
      clock: systemClock,
      timer: systemTimer,
      ids: createIdSource(),
      allowReset: false,
    });
}
