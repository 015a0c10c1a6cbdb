import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
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

const settings = {
  postgresUrls: ["postgres://vm@localhost/one", "postgres://vm@localhost/two"],
  postgresOwnerUrl: "postgres://owner@localhost/one",
  postgresPasswordFile: undefined,
  postgresPassword: undefined,
  postgresCa: undefined,
};

/** Returns the path of a new file with this content. */
async function fileWith(content: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-password-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "secret"), content);
  return join(folder, "secret");
}

it("the password in a file is used for all PostgreSQL roles, without its final line break", async () => {
  const { targets, owner } = await readPostgresTargets({
    ...settings,
    postgresPasswordFile: await fileWith("two words \n"),
  });
  expect([...targets, owner].map((target) => target?.password)).toEqual(
    Array(3).fill("two words "),
  );
});

it("the certificates in a file turn on TLS for all PostgreSQL connections", async () => {
  const postgresCa = await fileWith("PEM");
  const { targets, owner } = await readPostgresTargets({ ...settings, postgresCa });
  for (const target of [...targets, owner]) expect(target?.tls).toMatchObject({ ca: "PEM" });
});

it("the error about a password file that is missing, empty or has several lines names the setting and shows no password", async () => {
  const several = await fileWith("one\ntwo\n");
  for (const path of [join(several, "missing"), await fileWith("\n"), several]) {
    const refused = readPostgresTargets({ ...settings, postgresPasswordFile: path });
    await expect(refused).rejects.toThrow("--postgres-password-file: ");
    await expect(refused).rejects.not.toThrow("two");
  }
});
