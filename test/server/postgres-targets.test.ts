import { expect, it } from "vitest";
import { readPostgresTargets } from "../../src/server/postgres-targets.js";

const configOf = (url: string, more: { readonly insecure?: boolean } = {}) => ({
  postgresUrls: [url],
  postgresOwnerUrl: undefined,
  postgresPasswordFile: undefined,
  postgresPassword: undefined,
  postgresCa: undefined,
  ...more,
});

it.each([
  "postgres://vm@db.example/vm",
  "postgres://vm@10.0.0.7:5432/vm",
  "postgres://vm@[fd00::7]/vm",
])(
  "a server does not connect to %s, which is another machine, unless the URL or --insecure asks for plaintext",
  async (url) => {
    await expect(readPostgresTargets(configOf(url))).rejects.toThrow("?sslmode=verify-full");
    await expect(
      readPostgresTargets({ ...configOf("postgres://vm@localhost/vm"), postgresOwnerUrl: url }),
    ).rejects.toThrow("plaintext");
    for (const allowed of [
      configOf(`${url}?sslmode=disable`),
      configOf(`${url}?sslmode=verify-full`),
      configOf(url, { insecure: true }),
    ])
      expect((await readPostgresTargets(allowed)).targets).toHaveLength(1);
  },
);

it.each([
  "postgres://vm@127.0.0.1:5432/vm",
  "postgres://vm@localhost/vm",
  "postgres://vm@[::1]/vm",
  "postgres://vm@x/vm?host=/var/run/postgresql",
])("a server connects to %s, which is on its own machine, without TLS", async (url) => {
  expect((await readPostgresTargets(configOf(url))).targets[0]?.tls).toBeUndefined();
});
