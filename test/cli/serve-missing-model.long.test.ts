import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { installWithout } from "../faults/server/install-without.js";

it("serve without the bundled model says why it does not start, and exits with 1", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-missing-model-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = await installWithout("models/static-256", join(folder, "installed"));
  const { code, stdout, stderr } = await failureOf(program, [
    "serve",
    ...["--data", join(folder, "data"), "--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"],
  ]);
  expect(code).toBe(1);
  expect(stdout).toBe("");
  const missing = join(folder, "installed", "models", "static-256");
  expect(stderr).toMatch(`error: the model in ${missing} cannot be read: ENOENT`);
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
