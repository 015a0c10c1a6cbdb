import {
  chmod,
  chown,
  lstat,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { StoredKey } from "../../src/credentials/credentials.js";
import { runCommand } from "./run-command.js";

let folder = "";
let file = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-keys-"));
  file = join(folder, "credentials.json");
});
afterEach(() => rm(folder, { recursive: true }));

function keys(args: readonly string[], stdin = "") {
  return runCommand(["keys", ...args], { stdin, environment: { VADEMECUM_CREDENTIALS: file } });
}

const dayMs = 24 * 3_600_000;

/** Returns the keys of the first principal, as `keys list` prints them. */
async function storedKeys(): Promise<readonly Omit<StoredKey, "sha256">[]> {
  const { stdout } = await keys(["list", "--json"]);
  return (JSON.parse(stdout) as { keys: Omit<StoredKey, "sha256">[] }).keys;
}

function lifetimeOf(key: Omit<StoredKey, "sha256"> | undefined): number {
  return Date.parse(key?.expire_time ?? "") - Date.parse(key?.create_time ?? "");
}

async function created(...args: readonly string[]): Promise<string> {
  const { stdout, exitCode } = await keys(["create", ...args]);
  expect(exitCode).toBe(0);
  return stdout.trim();
}

describe("keys", () => {
  it("keys create and rotate write the key to a new file that only its owner can read", async () => {
    const path = join(folder, "ann.key");
    const create = ["create", "ann", "--role", "operator", "--output", path];
    const made = await keys(create);
    expect(made).toMatchObject({ exitCode: 0, stdout: "" });
    expect(made.stderr).toContain(`It is only in ${path}.`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, "utf8")).toMatch(/^vdm_[0-9a-f]{88}\n$/);
    const again = await keys(["create", "bob", "--role", "operator", "--output", path]);
    expect(again).toMatchObject({ exitCode: 2 });
    expect(again.stderr).toContain("it exists; name a new file");
    expect((await keys(["list"])).stdout).not.toContain("bob");
    const rotated = join(folder, "rotated.key");
    expect(await keys(["rotate", "nobody", "--output", rotated])).toMatchObject({ exitCode: 1 });
    expect(await keys(["rotate", "ann", "--output", rotated])).toMatchObject({ exitCode: 0 });
    expect(await readFile(rotated, "utf8")).not.toBe(await readFile(path, "utf8"));
  });

  it("keys create prints the key, and keeps its secret out of the file, which has mode 600", async () => {
    const key = await created("ann", "--role", "writer", "--user", "ann", "--agent", "*");
    expect(key).toMatch(/^vdm_[0-9a-f]{88}$/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const secret = key.slice("vdm_".length + 16, -8);
    expect(await readFile(file, "utf8")).not.toContain(secret);
    const { stdout } = await keys(["list"]);
    expect(stdout).toContain("ann\n  roles: writer\n  users: ann\n  agents: *\n  runs: none\n");
    expect(stdout).not.toContain(secret);
  });

  it("the help of keys rotate shows the default overlap as a duration that --overlap takes", async () => {
    const { stdout } = await keys(["rotate", "--help"]);
    expect(stdout).toContain("(default: 24h)");
  });

  it("keys check prints what a key may do, and refuses an invalid key", async () => {
    const key = await created("ann", "--role", "reader", "--user", "a*", "--tenant", "acme");
    expect(await keys(["check"], `${key}\n`)).toMatchObject({
      exitCode: 0,
      stdout:
        "The key is valid, and stands for key:ann.\n  roles: reader\n  users: a*\n  agents: none\n" +
        "  runs: none\n  tools: none\n  tenant: acme\n",
    });
    const mistyped = key.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    expect(await keys(["check"], mistyped)).toMatchObject({
      exitCode: 1,
      stderr: "error: the key is not valid: unknown, mistyped, expired, revoked or disabled\n",
    });
  });

  it("after keys rotate, the new key and the previous key are valid, and older keys are not", async () => {
    const first = await created("ann", "--role", "reader");
    const second = (await keys(["rotate", "ann"])).stdout.trim();
    const third = (await keys(["rotate", "ann", "--overlap", "1h"])).stdout.trim();
    const codes = [];
    for (const key of [first, second, third]) codes.push((await keys(["check"], key)).exitCode);
    expect(codes).toEqual([1, 0, 0]);
  });

  it("keys rotate gives the new key the lifetime of the current key, and says when it expires", async () => {
    await created("ann", "--role", "reader", "--expires", "90d");
    const { stderr } = await keys(["rotate", "ann"]);
    const [, rotated] = await storedKeys();
    expect(lifetimeOf(rotated)).toBe(90 * dayMs);
    expect(stderr).toContain(`It expires at ${rotated?.expire_time}.`);
  });

  it("keys rotate with --expires gives the new key another lifetime, or none", async () => {
    await created("ann", "--role", "reader", "--expires", "90d");
    const { stdout } = await keys(["rotate", "ann", "--expires", "30d", "--json"]);
    const [, shorter] = await storedKeys();
    expect(lifetimeOf(shorter)).toBe(30 * dayMs);
    expect(JSON.parse(stdout)).toMatchObject({ expire_time: shorter?.expire_time });
    const { stderr } = await keys(["rotate", "ann", "--expires", "never"]);
    expect(stderr).toContain("It does not expire.");
    const [, endless] = await storedKeys();
    expect(endless).not.toHaveProperty("expire_time");
  });

  it("keys rotate after the revocation of all keys says that the new key does not expire, and why", async () => {
    await created("ann", "--role", "reader", "--expires", "1d");
    await keys(["revoke", "ann"]);
    const { stderr } = await keys(["rotate", "ann"]);
    expect(stderr).toContain(
      "'ann' had no key whose lifetime the new key could take, so the new key does not expire.",
    );
    await keys(["revoke", "ann"]);
    for (const expires of ["never", "30d"]) {
      const chosen = await keys(["rotate", "ann", "--expires", expires]);
      expect(chosen.stderr).not.toContain("had no key");
    }
  });

  it("keys rotate requires --expires if the current key expired before it was created", async () => {
    await created("ann", "--role", "reader", "--expires", "90d");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace(/("expire_time": ")\d{4}/, "$12001"));
    const { exitCode, stderr } = await keys(["rotate", "ann"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("State the lifetime of the new key with --expires");
    expect(await storedKeys()).toHaveLength(1);
    expect((await keys(["rotate", "ann", "--expires", "90d"])).exitCode).toBe(0);
  });

  it("keys revoke removes one key by its id, or all keys of a principal", async () => {
    const first = await created("ann", "--role", "reader");
    const second = (await keys(["rotate", "ann"])).stdout.trim();
    const id = first.slice(4, 20);
    expect((await keys(["revoke", id])).stdout).toBe(`Revoked ${id} (ann).\n`);
    expect((await keys(["check"], first)).exitCode).toBe(1);
    expect((await keys(["check"], second)).exitCode).toBe(0);
    await keys(["revoke", "ann"]);
    expect((await keys(["check"], second)).exitCode).toBe(1);
    expect(await keys(["revoke", "bob"])).toMatchObject({
      exitCode: 1,
      stderr:
        "error: there is no principal 'bob'; `vademecum keys list` shows the names and key ids\n",
    });
  });

  it("keys commands change the target of a symbolic link, and keep the link", async () => {
    await created("ann", "--role", "reader");
    const target = join(folder, "kept.json");
    await rename(file, target);
    await symlink(target, file);
    await keys(["revoke", "ann"]);
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(await readFile(target, "utf8")).toContain('"keys": []');
  });

  // Only root can give a file to another user.
  it.skipIf(process.getuid?.() !== 0)("keys commands keep the owner of the file", async () => {
    await created("ann", "--role", "reader");
    await chown(file, 65_534, 65_534);
    await keys(["revoke", "ann"]);
    expect(await stat(file)).toMatchObject({ uid: 65_534, gid: 65_534 });
  });

  it("keys commands refuse unknown names, roles and patterns, and change nothing", async () => {
    await created("ann", "--role", "reader");
    const before = await readFile(file, "utf8");
    const refused = [
      ["ann", "--role", "reader"],
      ["a b", "--role", "reader"],
      ["bob", "--role", "reader", "--user", "a*b"],
      ["bob", "--role", "reader", "--tenant", "Acme"],
      ["bob", "--role", "king"],
      ["bob"],
    ];
    for (const args of refused)
      expect((await keys(["create", ...args])).exitCode, args.join(" ")).toBeGreaterThan(0);
    expect(await readFile(file, "utf8")).toBe(before);
  });

  it.each([
    ["a user pattern with * inside", "create bob --role reader --user a*b", "--user", /one \*/],
    ["a second pattern with two *", "create bob --role reader --user a --user **", "--user", /id/],
    ["an empty pattern", "create bob --role reader --user=", "--user", /an id/],
    [
      "a pattern that is too long",
      `create bob --role reader --user ${"a".repeat(258)}`,
      "--user",
      /at most 257/,
    ],
    ["an agent pattern with * inside", "create bob --role reader --agent a*b", "--agent", /one \*/],
    ["a run pattern with * inside", "create bob --role reader --run a*b", "--run", /one \*/],
    ["a tool pattern with * inside", "create bob --role tool --tool a*b", "--tool", /one \*/],
    [
      "an empty certificate",
      "create bob --role reader --certificate=",
      "--certificate",
      /1 to 512/,
    ],
    [
      "a tenant with a capital letter",
      "create bob --role reader --tenant Acme",
      "--tenant",
      /a-z, 0-9 and/,
    ],
    ["an unknown role", "create bob --role king", "--role", /one of: reader/],
    [
      "too short a lifetime of a first key",
      "create bob --role reader --expires 1s",
      "--expires",
      /1m/,
    ],
    [
      "a name with an exclamation mark",
      "create b!b --role reader",
      "'name'",
      /1 to 64 letters, digits and/,
    ],
    ["too short an overlap", "rotate bob --overlap 1s", "--overlap", /1m/],
    ["an unreadable lifetime of a later key", "rotate bob --expires soon", "--expires", /1m/],
  ])(
    "keys commands refuse %s with exit code 2, and say what is allowed",
    async (_, args, name, allowed) => {
      const { exitCode, stderr } = await keys(args.split(" "));
      const [line = ""] = stderr.split("\n");
      expect(line).toContain(name);
      expect(line).toMatch(allowed);
      expect(exitCode).toBe(2);
      await expect(stat(file)).rejects.toThrow("ENOENT");
    },
  );

  it("keys commands refuse a file that others may read, or that another command is changing", async () => {
    await created("ann", "--role", "reader");
    await chmod(file, 0o640);
    expect((await keys(["list"])).stderr).toContain("run `chmod 600");
    await chmod(file, 0o600);
    await writeFile(`${file}.new`, "");
    expect((await keys(["rotate", "ann"])).stderr).toContain("another command is changing it");
  });

  it("keys create explains how to make a missing folder", async () => {
    const missing = join(folder, "missing", "deeper");
    const args = ["keys", "create", "ann", "--role", "reader"];
    const environment = { VADEMECUM_CREDENTIALS: join(missing, "credentials.json") };
    const { exitCode, stderr } = await runCommand(args, { environment });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`the folder ${missing} does not exist; create it`);
    expect(stderr).toContain(`mkdir -m 700 -p ${missing}`);
  });

  it("keys create refuses a certificate that another principal has", async () => {
    const certificate = ["--certificate", "spiffe://team/ann"];
    const create = (name: string) =>
      keys(["create", name, "--role", "reader", ...certificate, ...certificate]);
    expect(await create("ann")).toMatchObject({ exitCode: 0 });
    const { exitCode, stderr } = await create("bob");
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "the certificate name 'spiffe://team/ann' already authenticates 'ann'",
    );
    expect((await keys(["list"])).stdout).not.toContain("bob");
  });

  it("keys commands print JSON with --json", async () => {
    const { stdout } = await keys([
      "create",
      "ann",
      "--role",
      "reader",
      "--expires",
      "1h",
      "--json",
    ]);
    const { name, id, key } = JSON.parse(stdout) as Record<string, string>;
    expect({ name, id }).toEqual({ name: "ann", id: key?.slice(4, 20) });
    const listed = JSON.parse((await keys(["list", "--json"])).stdout) as Record<string, unknown>;
    expect(listed).toMatchObject({ name: "ann", roles: ["reader"], keys: [{ id }] });
    expect(JSON.parse((await keys(["check", "--json"], key)).stdout)).toMatchObject({
      name: "key:ann",
      roles: ["reader"],
    });
  });

  it("keys commands require the path of the credentials file", async () => {
    expect(await runCommand(["keys", "list"])).toMatchObject({
      exitCode: 2,
      stderr:
        "error: --credentials: missing. Name the credentials file, or set VADEMECUM_CREDENTIALS.\n",
    });
  });
});
