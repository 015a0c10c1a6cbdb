import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { userScope } from "../../src/core/model/namespace.js";
import { changeLogLength } from "../../src/store/change-log.js";
import { scopeRow } from "../../src/store/postgres/tables/scope-row.js";
import { postgresFlags, startPostgres, type TestPostgres } from "../fixtures/postgres.js";
import { hasCitus, moveShardOf } from "../fixtures/postgres-nodes.js";
import { roundsOf } from "./rounds.js";
import { type ServerProcess, startServerProcess } from "./server/server-process.js";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  process.stderr.write(`three servers: ${JSON.stringify(totals)}\n`);
  await postgres.close();
});

/** The sums over all rounds. Each search looks for a memory that another server has added. */
const totals = { rounds: 0, kills: 0, moves: 0, acknowledged: 0, searches: 0 };

const servers = 3;
const users = ["ann", "bob"];
const writersOfUser = 4;
const provider = "vademecum.v1.MemoryProvider";

/** Servers over one PostgreSQL, each of which may die and come back. */
class Cluster {
  readonly #servers: (ServerProcess | undefined)[] = [];
  #hasStopped = false;

  constructor(private readonly folder: string) {}

  async start(i: number): Promise<void> {
    const flags = { ...postgresFlags(postgres), embedder: "none", pruning: "off" };
    this.#servers[i] = await startServerProcess(join(this.folder, `${i}`), {
      flags: Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]),
    });
  }

  async kill(i: number): Promise<void> {
    const server = this.#servers[i];
    this.#servers[i] = undefined;
    totals.kills++;
    await server?.end("SIGKILL");
  }

  async stop(): Promise<void> {
    this.#hasStopped = true;
    await Promise.all(this.#servers.map(async (server) => server?.end("SIGTERM")));
  }

  /** Calls a server. Returns `undefined` if the server is not running, or answers 503. */
  async call(i: number, rpc: string, request: object): Promise<unknown> {
    const server = this.#servers[i % servers];
    if (server === undefined) return undefined;
    let reply: Response;
    let text: string;
    try {
      reply = await fetch(`${server.httpUrl}/${provider}/${rpc}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(request),
        signal: AbortSignal.timeout(30_000),
      });
      text = await reply.text();
    } catch {
      return undefined;
    }
    if (reply.ok) return JSON.parse(text);
    if (reply.status === 503) return undefined;
    throw new Error(`${rpc} failed with ${reply.status}: ${text}`);
  }

  /** Calls one server after another until one answers. */
  async callAny(first: number, rpc: string, request: object): Promise<unknown> {
    for (let i = first; ; i++) {
      const reply = await this.call(i, rpc, request);
      if (reply !== undefined) return reply;
      if (this.#hasStopped) throw new Error("the servers have stopped");
      await delay(50);
    }
  }
}

/** A reply of GetAll. Empty fields are absent. */
interface Page {
  readonly memories?: readonly { readonly id: string }[];
  readonly nextPageToken?: string;
}

/** Adds memories until the signal aborts. Immediately looks for each one on another server. */
async function write(
  cluster: Cluster,
  userId: string,
  name: string,
  acknowledged: string[],
  ended: AbortSignal,
): Promise<void> {
  const namespace = { userId, agentId: "a" };
  for (let n = 0; !ended.aborted; n++) {
    const word = `${name}x${n}`;
    const first = Math.floor(Math.random() * servers);
    const add = { namespace, content: `fact ${word}`, idempotencyKey: word };
    const { id } = (await cluster.callAny(first, "Add", add)) as { id: string };
    acknowledged.push(id);
    const recall = { search: { namespace, query: word, limit: 5 } };
    const found = await cluster.callAny(first + 1, "Recall", recall);
    expect(JSON.stringify(found)).toContain(id);
    totals.searches++;
  }
}

async function idsOn(cluster: Cluster, i: number, userId: string): Promise<readonly string[]> {
  const ids: string[] = [];
  let pageToken = "";
  do {
    const request = { namespace: { userId, agentId: "a" }, limit: 100, pageToken };
    const page = (await cluster.callAny(i, "GetAll", request)) as Page;
    ids.push(...(page.memories ?? []).map(({ id }) => id));
    pageToken = page.nextPageToken ?? "";
  } while (pageToken !== "");
  return ids;
}

/** Three servers, with writers on all users. */
interface Writers {
  readonly cluster: Cluster;
  /** Settles when all writers have ended. */
  readonly written: Promise<unknown>;
  /** The ids of the memories of each user that were acknowledged. */
  readonly acknowledged: readonly (readonly string[])[];
  end(): void;
}

async function startWriters(): Promise<Writers> {
  await postgres.empty();
  const folder = await mkdtemp(join(tmpdir(), "vademecum-cluster-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const cluster = new Cluster(folder);
  onTestFinished(() => cluster.stop());
  await Promise.all(Array.from({ length: servers }, (_, i) => cluster.start(i)));

  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const acknowledged = users.map((): string[] => []);
  const written = Promise.all(
    users.flatMap((userId, u) =>
      Array.from({ length: writersOfUser }, (_, i) =>
        write(cluster, userId, `w${u}${i}`, acknowledged[u] ?? [], ended.signal),
      ),
    ),
  );
  return { cluster, written, acknowledged, end: () => ended.abort() };
}

/** Checks that each server has each acknowledged memory once, and no other memory. */
async function expectEachOnce({ cluster, acknowledged }: Writers): Promise<void> {
  for (const [u, userId] of users.entries()) {
    const expected = (acknowledged[u] ?? []).toSorted();
    expect(expected.length).toBeGreaterThan(0);
    expect(new Set(expected).size).toBe(expected.length);
    for (let i = 0; i < servers; i++)
      expect((await idsOn(cluster, i, userId)).toSorted()).toEqual(expected);
    const [head] = await postgres.query<{ seq: number; changes: number }>(
      `select seq::int, (select count(*)::int from vademecum.vm_change c where c.scope = s.scope)
        as changes from vademecum.vm_scope s where scope = $1`,
      [scopeRow(userScope(userId)).uuid],
    );
    expect(head?.seq).toBe(expected.length);
    // The log may drop older changes.
    expect(head?.changes).toBeGreaterThanOrEqual(Math.min(expected.length, changeLogLength));
    expect(head?.changes).toBeLessThanOrEqual(expected.length);
    totals.acknowledged += expected.length;
  }
  totals.rounds++;
}

const rounds = Array.from({ length: roundsOf(1) }, (_, i) => i);

it.each(rounds)(
  "three servers neither lose, duplicate nor hide acknowledged memories while each server is killed, round %i",
  async () => {
    const writers = await startWriters();
    const { cluster, written } = writers;
    const pause = () => Promise.race([written, delay(100 + Math.random() * 300)]);
    for (let i = 0; i < servers; i++) {
      await pause();
      await cluster.kill(i);
      await postgres.endSessions();
      if (i === 1) await postgres.crash();
      await pause();
      await cluster.start(i);
      await postgres.endSessions();
    }
    await pause();
    writers.end();
    await written;
    await expectEachOnce(writers);
  },
);

// Only a PostgreSQL that VADEMECUM_TEST_POSTGRES names can have Citus.
it.runIf(env["VADEMECUM_TEST_POSTGRES"])(
  "three servers neither lose, duplicate nor hide acknowledged memories while shards of Citus move",
  async ({ skip }) => {
    skip(!(await hasCitus(postgres.owner)), "VADEMECUM_TEST_POSTGRES names no Citus");
    const writers = await startWriters();
    for (let i = 0; i < roundsOf(4); i++) {
      const { uuid } = scopeRow(userScope(users[i % users.length] as string));
      const move = moveShardOf(postgres.owner, uuid);
      const hasMoved = await Promise.race([writers.written, move]);
      skip(hasMoved !== true, "this Citus has one worker");
      totals.moves++;
    }
    writers.end();
    await writers.written;
    await expectEachOnce(writers);
  },
);
