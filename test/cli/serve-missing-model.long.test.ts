import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { installWithout } from "../faults/server/install-without.js";

it("serve without the bundled model reports that it is ready, logs why it stops, and exits with 1", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-missing-model-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = await installWithout("models/static-256", join(folder, "installed"));
  const { code, stdout, stderr } = await failureOf(program, [
    "serve",
    ...["--data", join(folder, "data"), "--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"],
  ]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ event: "ready" });
  const lines = stderr.trimEnd().split("\n");
  const missing = join(folder, "installed", "models", "static-256");
  expect(lines.pop()).toMatch(`error: the model in ${missing} cannot be read: ENOENT`);
  const log = lines.map((line) => JSON.parse(line) as { readonly level: string });
  expect(log.filter(({ level }) => level === "error")).toMatchObject([
    {
      msg: "the server cannot load its parts, and stops",
      err: { code: "DATA_LOSS", cause: { code: "ENOENT" } },
    },
  ]);
  expect(log.at(-1)).toMatchObject({ level: "info", msg: "stopped" });
});

/** How a program failed. */
interface Failure {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of Node until it ends, and returns how it failed. */
async function failureOf(program: string, args: readonly string[]): Promise<Failure> {
  try {
    await promisify(execFile)(process.execPath, [program, ...args], { env: {} });
  } catch (error) {
    return error as Failure;
  }
  throw new Error("the program succeeded, but it must fail");
}
