import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { startServerProcess } from "../faults/server/server-process.js";

/** A machine whose clock is two days behind, for the first two seconds of a process. */
const lateClock = `
  const now = Date.now;
  Date.now = () => now() - (performance.now() < 2_000 ? 2 * 86_400_000 : 0);
`;

it("a server whose machine gets its time after the start waits for it, and then starts", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-clock-wait-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [data, preload] = [join(folder, "data"), join(folder, "late-clock.mjs")];
  await writeFile(preload, lateClock);
  const first = await startServerProcess(data);
  const written = await fetch(`${first.httpUrl}/vademecum.v1.MemoryProvider/Add`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ namespace: { userId: "ada", agentId: "guide" }, content: "kept" }),
  });
  expect(written.status).toBe(200);
  await first.end("SIGTERM");
  const nodeFlags = ["--import", pathToFileURL(preload).href];
  const second = await startServerProcess(data, { nodeFlags });
  expect(second.log()).toContain("waiting for the clock");
  expect(await second.end("SIGTERM")).toBe(0);
});
