import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getuid } from "node:process";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { userScope } from "../../../src/core/model/namespace.js";
import type { PostgresTarget } from "../../../src/store/postgres/session/target.js";
import { freePort, startPostgres, type TestPostgres } from "../../fixtures/postgres.js";
import { clientConfig, untilAnswering } from "../../fixtures/postgres-nodes.js";

/** The user that runs PgBouncer if the tests run as root. PgBouncer refuses to run as root. */
const unprivilegedId = 65_534;
const hasPgBouncer = spawnSync("pgbouncer", ["--version"]).status === 0;
const kim = userScope("kim");

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.close());

/** Starts a PgBouncer in front of PostgreSQL, and returns its address. */
async function startPgBouncer(mode: "session" | "transaction" | "statement") {
  const { owner } = postgres;
  const folder = await mkdtemp(join(tmpdir(), "vademecum-pgbouncer-"));
  const port = await freePort();
  const settings = join(folder, "pgbouncer.ini");
  await writeFile(
    settings,
    `[databases]
${owner.database} = host=${owner.host} port=${owner.port} user=${owner.user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 40
`,
  );
  const isRoot = getuid?.() === 0;
  if (isRoot) await chown(folder, unprivilegedId, unprivilegedId);
  await chmod(folder, 0o755);
  const identity = isRoot ? { uid: unprivilegedId, gid: unprivilegedId } : {};
  const bouncer: ChildProcess = spawn("pgbouncer", [settings], { ...identity, stdio: "ignore" });
  onTestFinished(async () => {
    const ended = once(bouncer, "exit");
    bouncer.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true });
  });
  const target: PostgresTarget = { ...owner, host: "127.0.0.1", port };
  await untilAnswering(clientConfig(target), () => bouncer.exitCode !== null);
  return target;
}

const openAt = (target: PostgresTarget) => postgres.openStore({ targets: [target], owner: target });

it.skipIf(!hasPgBouncer).each(["transaction", "statement"] as const)(
  "a PgBouncer in %s mode is refused at the start",
  async (mode) => {
    await expect(openAt(await startPgBouncer(mode))).rejects.toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "POSTGRES_NOT_USABLE",
      message: expect.stringContaining("use its session mode") as unknown,
    });
  },
);

it.skipIf(!hasPgBouncer)("a store works through a PgBouncer in session mode", async () => {
  const target = await startPgBouncer("session");
  const [one, two] = [await openAt(target), await openAt(target)];
  onTestFinished(() => Promise.all([one.close(), two.close()]).then(() => undefined));
  const put = (store: typeof one, key: string) =>
    store.update(kim, async (tx) => tx.put("replyExpiries", kim, key, "value"));
  await Promise.all(Array.from({ length: 40 }, (_, i) => put(i % 2 === 0 ? one : two, `k${i}`)));
  await using snapshot = await two.snapshot(kim);
  expect(await snapshot.count("replyExpiries", kim)).toBe(40);
});
