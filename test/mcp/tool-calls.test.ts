import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { openConnection } from "../../src/cli/connection.js";
import { connectionSettings } from "../../src/config/client-settings.js";
import { readSettings } from "../../src/config/config.js";
import { createToolCalls } from "../../src/mcp/tool-calls.js";
import { startTestServer } from "../e2e/harness/test-server.js";

/**
 * Starts a proxy that can lose all traffic without closing a connection, as happens when a machine
 * sleeps or changes its network.
 */
async function startProxy(target: URL): Promise<{ address: string; loseTraffic(): void }> {
  const pairs: [Socket, Socket][] = [];
  const proxy = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on("error", () => undefined);
    pairs.push([near, far]);
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    proxy.close();
    for (const socket of pairs.flat()) socket.destroy();
  });
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    loseTraffic() {
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
        near.resume();
        far.resume();
      }
    },
  };
}

it("tool calls reconnect after a connection stops carrying data without being closed", async () => {
  const server = await startTestServer({ provider: "memory", embedder: "none" });
  onTestFinished(() => server.stop());
  const proxy = await startProxy(new URL(server.grpcUrl));
  const connection = openConnection(
    readSettings(connectionSettings, new Map([["server", proxy.address]]), {}),
  );
  onTestFinished(() => connection.close());
  const { signal } = new AbortController();
  const tools = createToolCalls(connection, { runId: "r" }, 5_000);
  const answer = { result: "No keys stored", isError: false };
  expect(await tools.call("list", {}, signal)).toMatchObject(answer);
  proxy.loseTraffic();
  expect(await tools.call("list", {}, signal)).toMatchObject({ isError: true });
  expect(await tools.call("list", {}, signal)).toMatchObject(answer);
});
