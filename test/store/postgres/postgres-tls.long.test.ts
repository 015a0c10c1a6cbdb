import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { userScope } from "../../../src/core/model/namespace.js";
import { postgresTarget } from "../../../src/store/postgres/session/target.js";
import { startPostgresWithTls, type TestPostgres } from "../../fixtures/postgres.js";

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url));

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgresWithTls({ cert: fixture("cert.pem"), key: fixture("key.pem") });
});
afterAll(() => postgres.close());

async function open(ca: string | undefined, sslmode = "disable") {
  const target = postgresTarget(`${postgres.ownerUrl}?sslmode=${sslmode}`, {
    password: undefined,
    ca,
  });
  return postgres.openStore({ targets: [target], owner: target });
}

it("a store connects with TLS if it knows the authority of the certificate", async () => {
  const store = await open(await readFile(fixture("cert.pem"), "utf8"));
  expect((await store.head(userScope("ann"))).seq).toBe(0);
  await store.close();
});

it("a certificate of another authority is refused, and plaintext is refused", async () => {
  await expect(open(undefined, "verify-full")).rejects.toThrow(/certificate/);
  await expect(open(undefined)).rejects.toMatchObject({ reason: "POSTGRES_NOT_USABLE" });
});
