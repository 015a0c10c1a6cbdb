import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Instruction, jsonWords, parseDockerfile, type Stage } from "./dockerfile.js";

const projectFolder = dirname(dirname(import.meta.dirname));
const stages = parseDockerfile(readFileSync(join(projectFolder, "Dockerfile"), "utf8"));
const finalStage = stages.at(-1);
if (finalStage === undefined) throw new Error("the Dockerfile has no stage");

/** What .dockerignore lets into the build. */
const context = readFileSync(join(projectFolder, ".dockerignore"), "utf8")
  .split("\n")
  .flatMap((line) => (line.startsWith("!") ? [line.slice(1)] : []));

/** Where the replay happens: a folder for each stage's root. */
const replay = mkdtempSync(join(tmpdir(), "vademecum-image-"));
const shims = join(replay, "shims");
let server: ChildProcess | undefined;

beforeAll(() => {
  mkdirSync(shims);
  // The scratch folder has no users of its own.
  writeFileSync(join(shims, "chown"), "#!/bin/sh\n", { mode: 0o755 });
  for (const stage of stages)
    for (const instruction of stage.instructions) replayInstruction(stage, instruction);
}, 300_000);

afterAll(async () => {
  if (server?.exitCode === null) {
    server.kill("SIGKILL");
    await once(server, "exit");
  }
  rmSync(replay, { recursive: true, force: true });
});

/** A path of a stage's image in the replay. */
function placeOf(stage: string, path: string): string {
  return join(replay, stage, path.startsWith("/") ? path : join("app", path));
}

function replayInstruction(stage: Stage, { name, text }: Instruction): void {
  if (name === "WORKDIR") mkdirSync(placeOf(stage.name, text), { recursive: true });
  if (name === "COPY") copy(stage, text);
  if (name === "RUN") run(stage, text);
}

function copy(stage: Stage, text: string): void {
  const from = /--from=(\S+)/.exec(text)?.[1];
  const words = text.split(/\s+/).filter((word) => !word.startsWith("--"));
  const target = words.at(-1) ?? "";
  for (const source of words.slice(0, -1)) {
    const origin = from === undefined ? join(projectFolder, source) : placeOf(from, source);
    const destination = target.endsWith("/") ? join(target, source) : target;
    cpSync(origin, placeOf(stage.name, destination), { recursive: true, verbatimSymlinks: true });
  }
}

function run(stage: Stage, command: string): void {
  const folder = placeOf(stage.name, "");
  if (command.startsWith("npm ci") && !command.includes("--omit=dev")) {
    // The packages that run this test are the ones that it would install.
    symlinkSync(join(projectFolder, "node_modules"), join(folder, "node_modules"));
    return;
  }
  const local = command.replaceAll(/(?<=\s)\/(?=\w)/g, `${join(replay, stage.name)}/`);
  execFileSync("sh", ["-ec", local], {
    cwd: folder,
    env: { ...process.env, PATH: `${shims}:${process.env["PATH"]}`, NODE_ENV: "" },
    stdio: "pipe",
  });
}

function instructionsOf(name: string): string[] {
  return (finalStage?.instructions ?? [])
    .filter((instruction) => instruction.name === name)
    .map(({ text }) => text);
}

describe("the Dockerfile", () => {
  it("copies only what is in the repository and gets past .dockerignore", () => {
    const tracked = execFileSync("git", ["ls-files"], {
      cwd: projectFolder,
      encoding: "utf8",
    }).split("\n");
    const sources = stages
      .flatMap(({ instructions }) => instructions)
      .filter(({ name, text }) => name === "COPY" && !text.includes("--from="))
      .flatMap(({ text }) => text.split(/\s+/).slice(0, -1));
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.filter((source) => !context.includes(source))).toEqual([]);
    expect(
      sources.filter(
        (source) => !tracked.some((file) => file === source || file.startsWith(`${source}/`)),
      ),
    ).toEqual([]);
  });

  it("keeps everything out of the build that no COPY names", () => {
    const copied = stages.flatMap(({ instructions }) =>
      instructions.filter(({ name }) => name === "COPY").map(({ text }) => text.split(/\s+/)),
    );
    expect(context.filter((entry) => !copied.some((words) => words.includes(entry)))).toEqual([]);
  });

  it("runs as a user that is not root, with the data in a volume", () => {
    expect(instructionsOf("USER")).toEqual(["node"]);
    expect(instructionsOf("VOLUME")).toEqual(["/data"]);
  });

  it("says --insecure itself and tells to publish the ports on loopback", () => {
    expect(jsonWords(instructionsOf("CMD")[0] ?? "")).toContain("--insecure");
    const text = readFileSync(join(projectFolder, "Dockerfile"), "utf8");
    for (const port of (instructionsOf("EXPOSE")[0] ?? "").split(" "))
      expect(text).toContain(`-p 127.0.0.1:${port}:${port}`);
  });

  it("makes an image without development packages", () => {
    expect(existsSync(placeOf("final", "node_modules/commander"))).toBe(true);
    expect(existsSync(placeOf("final", "node_modules/vitest"))).toBe(false);
  });

  it("serves with its CMD, passes its HEALTHCHECK, and ends on its STOPSIGNAL", async () => {
    const [entry = "", ...entryWords] = jsonWords(instructionsOf("ENTRYPOINT")[0] ?? "");
    // The image's ports may be taken on this machine, and /data is a folder of the replay.
    const words = jsonWords(instructionsOf("CMD")[0] ?? "").map((word) =>
      word.replace(/^0\.0\.0\.0:\d+$/, "0.0.0.0:0").replace(/^\/data$/, placeOf("final", "/data")),
    );
    server = spawn(entry, [...entryWords, ...words], {
      cwd: placeOf("final", ""),
      stdio: ["ignore", "pipe", "inherit"],
    });
    const { grpc } = await readyLine(server);
    expect(grpc).toMatch(/^0\.0\.0\.0:\d+$/);

    const [check = "", ...checkWords] = jsonWords(instructionsOf("HEALTHCHECK")[0] ?? "");
    const environment = { ...process.env, VADEMECUM_SERVER: grpc.replace("0.0.0.0", "127.0.0.1") };
    expect(
      execFileSync(check, checkWords, {
        cwd: placeOf("final", ""),
        env: environment,
        encoding: "utf8",
      }),
    ).toBe("SERVING\n");

    server.kill(instructionsOf("STOPSIGNAL")[0] as NodeJS.Signals);
    expect(await once(server, "exit")).toEqual([0, null]);
  });
});

async function readyLine({ stdout }: ChildProcess): Promise<{ grpc: string }> {
  if (stdout === null) throw new Error("the server has no output");
  for await (const line of createInterface({ input: stdout }))
    return JSON.parse(line) as { grpc: string };
  throw new Error("the server ended without saying where it listens");
}
