import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";

const projectFolder = join(import.meta.dirname, "..", "..");

it("`npm start -- FLAGS` passes the flags to the server, which stops cleanly with npm", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-npm-start-"));
  const flags = ["--data", join(folder, "data"), "--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"];
  const npm = spawn("npm", ["start", "--", ...flags], {
    cwd: projectFolder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(npm, "exit");
  let ready: { pid: number } | undefined;
  for await (const line of createInterface({ input: npm.stdout })) {
    if (!line.startsWith("{")) continue;
    ready = JSON.parse(line) as typeof ready;
    break;
  }
  const address = expect.stringMatching(/^(?:http:\/\/)?127\.0\.0\.1:[1-9]\d*$/) as unknown;
  const settings = { provider: "level", data: join(folder, "data"), embedder: "local" };
  expect(ready).toMatchObject({ event: "ready", grpc: address, http: address, ...settings });
  npm.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(() => process.kill(ready?.pid ?? 0, 0)).toThrow("ESRCH");
  await rm(folder, { recursive: true });
});
