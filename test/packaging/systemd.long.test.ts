import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, execPath } from "node:process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectFolder } from "./dockerfile.js";

const run = promisify(execFile);
const units = join(projectFolder, "deploy", "systemd");
const program = "/opt/vademecum/current/node_modules/.bin/vademecum";
const main = join(projectFolder, "dist", "main.js");
const certificates = join(projectFolder, "test", "fixtures", "tls");
const textOf = (name: string) => readFileSync(join(units, name), "utf8");
const hasSystemd = canRun("systemd-analyze");

function canRun(command: string): boolean {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Returns the values of a directive, in order. */
function directives(text: string, name: string): string[] {
  return [...text.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value);
}

let folder: string;
let server: ChildProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-systemd-"));
});
afterAll(async () => {
  if (server?.exitCode === null) {
    server.kill("SIGKILL");
    await once(server, "exit");
  }
  await rm(folder, { recursive: true });
});

describe("the units of deploy/systemd", () => {
  it("the units set only variables that a command knows", () => {
    const settings = readFileSync(
      join(projectFolder, "docs", "reference", "configuration.md"),
      "utf8",
    );
    const text = readdirSync(units).map(textOf).join("\n");
    const names = text.match(/VADEMECUM_[A-Z_]+(?==)/g) ?? [];
    expect(names.length).toBeGreaterThan(8);
    expect(
      names.filter((name) => name !== "VADEMECUM_NAME" && !settings.includes(`\`${name}\``)),
    ).toEqual([]);
  });

  it.runIf(hasSystemd)("systemd accepts the units, and each of their directives", async () => {
    const copies = join(folder, "units");
    mkdirSync(copies);
    const verify = async (spoil: (text: string) => string) => {
      const names = readdirSync(units).filter((name) => !name.endsWith(".conf"));
      for (const name of names)
        writeFileSync(join(copies, name), spoil(textOf(name).replaceAll(program, "/bin/true")));
      const args = ["verify", "--man=no", ...names.map((name) => join(copies, name))];
      const { stderr } = await run("systemd-analyze", args).catch(
        (error: { stderr: string }) => error,
      );
      return stderr;
    };
    expect(await verify((text) => text)).toBe("");
    expect(await verify((text) => text.replace("NoNewPrivileges", "NoNewPriviliges"))).toMatch(
      /Unknown key (?:name )?'NoNewPriviliges'/,
    );
    const [calendar = ""] = directives(textOf("vademecum-backup.timer"), "OnCalendar");
    expect((await run("systemd-analyze", ["calendar", calendar])).stdout).toContain("Next elapse");
  });

  it.runIf(hasSystemd)("systemd counts the services as well confined", async () => {
    for (const name of ["vademecum.service", "vademecum-backup.service"]) {
      const copy = join(folder, name);
      writeFileSync(copy, textOf(name).replaceAll(program, "/bin/true"));
      const args = ["security", "--offline=true", "--threshold=20", "--no-pager", copy];
      const { stdout } = await run("systemd-analyze", args);
      expect(stdout).toMatch(/Overall exposure level for \S+: [01]\.\d/);
    }
  });

  it("the service serves with keys, TLS and metrics, and the service for backups makes one", async () => {
    const etc = join(folder, "etc");
    mkdirSync(etc);
    const credentials = join(etc, "credentials.json");
    const key = await run(execPath, [
      ...[main, "keys", "create", "backup", "--role", "operator"],
      ...["--credentials", credentials],
    ]);
    writeFileSync(join(etc, "backup.key"), key.stdout, { mode: 0o600 });
    copyFileSync(join(certificates, "cert.pem"), join(etc, "tls.crt"));
    copyFileSync(join(certificates, "key.pem"), join(etc, "tls.key"));

    const unit = replayOf("vademecum.service", etc);
    server = spawn(execPath, [main, ...unit.args], {
      cwd: folder,
      env: {
        ...unit.environment,
        VADEMECUM_GRPC: "0.0.0.0:0",
        VADEMECUM_HTTP: "0.0.0.0:0",
        VADEMECUM_METRICS: "127.0.0.1:0",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ready = await readyLine(server);
    expect(ready).toMatchObject({ provider: "level", data: join(folder, "state", "vademecum") });
    expect((await fetch(ready.metrics)).status).toBe(200);
    // What ExecStartPost waits for.
    const own = { ...unit.environment, VADEMECUM_GRPC: ready.grpc };
    const health = await run(execPath, [main, "health"], { cwd: folder, env: own });
    expect(health.stdout).toBe("SERVING\n");
    const [post = ""] = directives(textOf("vademecum.service"), "ExecStartPost");
    expect(post).toContain(`until ${program} health >/dev/null 2>&1; do sleep 1; done`);

    const backup = replayOf("vademecum-backup.service", etc);
    const { VADEMECUM_SERVER: address = "" } = backup.environment;
    const port = ready.grpc.split(":").at(-1);
    const { stdout } = await run(execPath, [main, ...backup.args], {
      cwd: folder,
      env: { ...backup.environment, VADEMECUM_SERVER: address.replace("50051", port ?? "") },
    });
    expect(stdout).toContain("Wrote and verified");
    const files = await readdir(join(folder, "state", "vademecum-backups"));
    expect(files).toEqual([expect.stringMatching(/\.backup$/)]);

    server.kill("SIGTERM");
    expect(await once(server, "exit")).toEqual([0, null]);
  });
});

interface Replay {
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** Returns the command and the environment of a unit, with its folders below `folder`. */
function replayOf(name: string, etc: string): Replay {
  const text = textOf(name);
  const loaded = join(folder, `credentials-of-${name}`);
  mkdirSync(loaded);
  for (const directive of directives(text, "LoadCredential")) {
    const [id = "", source = ""] = directive.split(":");
    copyFileSync(source.replace("/etc/vademecum", etc), join(loaded, id));
  }
  const local = (value: string) =>
    value
      .replaceAll("%S", join(folder, "state"))
      .replaceAll("%d", loaded)
      .replaceAll("/etc/vademecum", etc);
  const environment = directives(text, "Environment").map((pair): [string, string] => {
    const [variable = "", value = ""] = local(pair).split(/=(.*)/);
    return [variable, value];
  });
  const [command = ""] = directives(text, "ExecStart");
  expect(command.startsWith(`${program} `)).toBe(true);
  return {
    args: local(command).split(" ").slice(1),
    environment: { PATH: env["PATH"], HOME: folder, ...Object.fromEntries(environment) },
  };
}

async function readyLine({
  stdout,
}: ChildProcess): Promise<{ readonly grpc: string; readonly metrics: string }> {
  if (stdout === null) throw new Error("the server has no output");
  for await (const line of createInterface({ input: stdout }))
    return JSON.parse(line) as { grpc: string; metrics: string };
  throw new Error("the server ended before it was ready");
}
