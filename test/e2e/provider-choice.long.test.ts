import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FailedStart, startServerProcess } from "../faults/server/server-process.js";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-provider-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

it.each(["redis", "postgresql"])(
  "a server refuses the unknown provider %s and names the known ones",
  async (provider) => {
    const start = startServerProcess(join(folder, "data"), { flags: ["--provider", provider] });
    const failure = await start.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(FailedStart);
    expect(failure).toMatchObject({
      exitCode: 2,
      output: expect.stringContaining("allowed: level, memory, postgres") as unknown,
    });
  },
);
