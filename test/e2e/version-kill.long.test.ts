import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { bySuite } from "../suite.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startServerProcess } from "./harness/server-process.js";

const namespace = { userId: "kim", agentId: "chat" };
const rounds = bySuite({ quick: 2, full: 20 });
const updatesBeforeKill = 40;
const keptMax = 20;

it("kills of a server during updates leave every kept version, and no version twice", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-versions-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  let id = "";
  let acknowledged = 0;
  for (let round = 0; round < rounds; round++) {
    const server = await startServerProcess(folder);
    const connection = nativeGrpc.connect(server);
    const provider = createClient(MemoryProvider, connection.transport);
    if (id === "") ({ id } = await provider.add({ namespace, content: "0" }));
    // An update counts from the present content, so that no number is written twice.
    const { memory } = await provider.get({ namespace, id });
    acknowledged = Number(memory?.content);
    const killAt = acknowledged + updatesBeforeKill;
    let ending: Promise<unknown> | undefined;
    try {
      for (;;) {
        await provider.update({ namespace, id, changes: { content: `${acknowledged + 1}` } });
        acknowledged += 1;
        if (acknowledged === killAt) ending = server.end("SIGKILL");
      }
    } catch {
      await ending;
    }
    connection.close();
    const restarted = await startServerProcess(folder);
    const after = nativeGrpc.connect(restarted);
    const { versions } = await createClient(MemoryProvider, after.transport).listMemoryVersions({
      ...{ namespace, id, limit: 1000 },
    });
    after.close();
    await restarted.end("SIGTERM");
    const numbers = versions.map((version) => Number(version.memory?.content));
    const newest = numbers[0] ?? -1;
    // The last update may have been stored although nobody heard of it.
    expect(newest - acknowledged).toBeGreaterThanOrEqual(0);
    expect(newest - acknowledged).toBeLessThanOrEqual(1);
    expect(numbers).toEqual(Array.from({ length: keptMax + 1 }, (_, at) => newest - at));
    expect(versions.map((version) => version.memory?.version)).toEqual(
      numbers.map((number) => BigInt(number + 1)),
    );
  }
});
