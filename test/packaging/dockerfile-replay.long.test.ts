import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  finalEnvironment,
  finalInstructions,
  type Instruction,
  jsonWords,
  projectFolder,
  type Stage,
  stages,
} from "./dockerfile.js";

/**
 * The folder in which this test replays the Dockerfile: it runs the instructions without Docker. A
 * subfolder for each stage stands for the root folder of the stage.
 */
const replay = mkdtempSync(join(tmpdir(), "vademecum-image-"));
const shims = join(replay, "shims");
let server: ChildProcess | undefined;

beforeAll(() => {
  mkdirSync(shims);
  // The replay has no users of the image, so `chown` does nothing.
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

/** Returns the path in the replay folder that stands for a path in the image. */
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
    // The installed packages are the ones that the stage would install.
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

describe("the image of the Dockerfile", () => {
  it("the image of the Dockerfile has classic-level, which the server needs, but not vitest", () => {
    expect(existsSync(placeOf("final", "node_modules/classic-level"))).toBe(true);
    expect(existsSync(placeOf("final", "node_modules/vitest"))).toBe(false);
  });

  it("the image of the Dockerfile serves with its CMD, passes its HEALTHCHECK, and ends on its STOPSIGNAL", async () => {
    const [entry = "", ...entryWords] = jsonWords(finalInstructions("ENTRYPOINT")[0] ?? "");
    const imageEnvironment = finalEnvironment();
    // Replaces the ports, which may be in use, and /data by a folder of the replay.
    const environment = {
      ...process.env,
      ...imageEnvironment,
      VADEMECUM_DATA: placeOf("final", imageEnvironment["VADEMECUM_DATA"] ?? ""),
      VADEMECUM_GRPC: imageEnvironment["VADEMECUM_GRPC"]?.replace(/\d+$/, "0"),
      VADEMECUM_HTTP: imageEnvironment["VADEMECUM_HTTP"]?.replace(/\d+$/, "0"),
    };
    server = spawn(entry, [...entryWords, ...jsonWords(finalInstructions("CMD")[0] ?? "")], {
      cwd: placeOf("final", ""),
      env: environment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const { grpc } = await readyLine(server);
    expect(grpc).toMatch(/^0\.0\.0\.0:\d+$/);

    const [check = "", ...checkWords] = jsonWords(finalInstructions("HEALTHCHECK")[0] ?? "");
    expect(
      execFileSync(check, checkWords, {
        cwd: placeOf("final", ""),
        env: { ...environment, VADEMECUM_GRPC: grpc },
        encoding: "utf8",
      }),
    ).toBe("SERVING\n");

    server.kill(finalInstructions("STOPSIGNAL")[0] as NodeJS.Signals);
    expect(await once(server, "exit")).toEqual([0, null]);
  });
});

async function readyLine({ stdout }: ChildProcess): Promise<{ grpc: string }> {
  if (stdout === null) throw new Error("the server has no output");
  for await (const line of createInterface({ input: stdout }))
    return JSON.parse(line) as { grpc: string };
  throw new Error("the server ended without saying where it listens");
}
