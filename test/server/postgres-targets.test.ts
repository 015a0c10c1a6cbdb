import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readPostgresTargets } from "../../src/server/postgres-targets.js";

const settings = {
  postgresUrls: ["postgres://vm@one/vm", "postgres://vm@two/vm"],
  postgresOwnerUrl: "postgres://owner@one/vm",
  postgresPasswordFile: undefined,
  postgresPassword: undefined,
  postgresCa: undefined,
};

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
  expect([...targets, owner].map((target) => target?.tls)).toEqual(Array(3).fill({ ca: "PEM" }));
});

it("the error about a password file that is missing, empty or has several lines names the setting and shows no password", async () => {
  const several = await fileWith("one\ntwo\n");
  for (const path of [join(several, "missing"), await fileWith("\n"), several]) {
    const refused = readPostgresTargets({ ...settings, postgresPasswordFile: path });
    await expect(refused).rejects.toThrow(`--postgres-password-file: `);
    await expect(refused).rejects.not.toThrow("two");
  }
});
