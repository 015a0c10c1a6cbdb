import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openConnection } from "../../src/cli/connection.js";
import { createToolCalls } from "../../src/mcp/tool-calls.js";
import { startTestServer } from "../e2e/harness/test-server.js";

/** A way to a server that can lose what passes, without closing anything: as when a machine sleeps or changes its network. */
async function startWay(target: URL): Promise<{ address: string; lose(): void }> {
  const pairs: [Socket, Socket][] = [];
  const way = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on("error", () => undefined);
    pairs.push([near, far]);
  });
  await once(way.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    way.close();
    for (const socket of pairs.flat()) socket.destroy();
  });
  return {
    address: `http://127.0.0.1:${(way.address() as AddressInfo).port}`,
    lose() {
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
        near.resume();
        far.resume();
      }
    },
  };
}

it("finds its way to the server again after a connection was lost that nobody closed", async () => {
  const server = await startTestServer({ provider: "memory", embedder: "none" });
  onTestFinished(() => server.stop());
  const way = await startWay(new URL(server.grpcUrl));
  const connection = openConnection({ server: way.address, tlsCa: undefined });
  onTestFinished(() => connection.close());
  const { signal } = new AbortController();
  const tools = createToolCalls(connection, { runId: "r" }, 5_000);
  const answer = { result: "No keys stored", isError: false };
  expect(await tools.call("list", {}, signal)).toMatchObject(answer);
  way.lose();
  expect(await tools.call("list", {}, signal)).toMatchObject({ isError: true });
  expect(await tools.call("list", {}, signal)).toMatchObject(answer);
});
