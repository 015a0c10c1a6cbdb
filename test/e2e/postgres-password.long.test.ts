import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import {
  postgresFlags,
  startPostgresWithPassword,
  type TestPostgres,
} from "../fixtures/postgres.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer } from "./harness/test-server.js";
import { createUserClient } from "./harness/user-client.js";

const password = "a long # password: 'ü'";

let postgres: TestPostgres;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-password-"));
  postgres = await startPostgresWithPassword(password);
});
afterAll(async () => {
  await postgres.close();
  await rm(folder, { recursive: true });
});

async function start(content: string) {
  const file = join(folder, "password");
  await writeFile(file, content, { mode: 0o600 });
  const flags = { ...postgresFlags(postgres), embedder: "none", "postgres-password-file": file };
  return startTestServer(flags);
}

it("a server logs in with SCRAM and the password in a file", async () => {
  const server = await start(`${password}\n`);
  const connection = nativeGrpc.connect(server);
  const client = createUserClient(connection, { userId: "ann", agentId: "x" });
  await client.put("a body");
  connection.close();
  await server.stop();
});

it("a wrong password is refused, and the message does not repeat it", async () => {
  const failure = await start("another one").catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "FAILED_PRECONDITION", reason: "POSTGRES_NOT_USABLE" });
  expect(String(failure)).toContain("refused the login");
  expect(String(failure)).not.toContain("another one");
});

it("a server ignores PGPASSWORD, and the error names the option for a password file", async () => {
  vi.stubEnv("PGPASSWORD", password);
  onTestFinished(() => void vi.unstubAllEnvs());
  const start = startTestServer({ ...postgresFlags(postgres), embedder: "none" });
  const failure = await start.then(
    (server) => server.stop(),
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: "FAILED_PRECONDITION", reason: "POSTGRES_NOT_USABLE" });
  expect(String(failure)).toContain("--postgres-password-file");
});
