import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.js";
import { formatAddress } from "../../src/edge/address.js";
import { startServer } from "../../src/server/start-server.js";
import { systemClock } from "../../src/system/clock.js";
import { tlsFile } from "../e2e/harness/tls-client.js";
import { createManualTimer } from "./manual-timer.js";

/** Tries to start a server with credentials and TLS, which must fail. Returns its timer. */
async function failToStart(flags: Readonly<Record<string, string>>) {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-start-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const credentials = join(folder, "credentials.json");
  await writeFile(credentials, '{"principals": []}', { mode: 0o600 });
  const all = {
    provider: "memory",
    grpc: "127.0.0.1:0",
    http: "127.0.0.1:0",
    "log-level": "silent",
    "tls-cert": tlsFile("cert.pem"),
    "tls-key": tlsFile("key.pem"),
    credentials,
    ...flags,
  };
  const timer = createManualTimer();
  const config = readConfig(new Map(Object.entries(all)), {});
  const time = { clock: systemClock, timer };
  await expect(startServer(config, undefined, time)).rejects.toThrow();
  return timer;
}

describe("a server that cannot start", () => {
  it("a server that cannot listen stops watching its files of credentials and certificates", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { readonly port: number };
    expect((await failToStart({ grpc: `127.0.0.1:${port}` })).waiting).toEqual([]);
  });

  it("a server that cannot use its certificate stops watching its credentials file", async () => {
    expect((await failToStart({ "tls-key": tlsFile("other-key.pem") })).waiting).toEqual([]);
  });

  it("a server that cannot open its model stops watching its files of credentials and certificates", async () => {
    const flags = { embedder: "onnx", "onnx-model": "/absent/model" };
    expect((await failToStart(flags)).waiting).toEqual([]);
  });
});

it("a stopping server serves during --drain-delay, while health checks already answer NOT_SERVING", async () => {
  const flags = {
    ...{ provider: "memory", embedder: "none", "log-level": "silent", "drain-delay": "5s" },
    ...{ grpc: "127.0.0.1:0", http: "127.0.0.1:0", pruning: "off" },
  };
  const timer = createManualTimer();
  const config = readConfig(new Map(Object.entries(flags)), {});
  const server = await startServer(config, undefined, { clock: systemClock, timer });
  const url = `http://${formatAddress(server.httpAddress)}`;
  const readiness = async () => (await fetch(`${url}/readyz`)).status;
  expect(await readiness()).toBe(200);
  const stopped = server.stop();
  expect(await readiness()).toBe(503);
  const reply = await fetch(`${url}/vademecum.v1.MemoryProvider/GetAll`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"namespace": {"userId": "ann", "agentId": "cook"}}',
  });
  expect(reply.status).toBe(200);
  timer.pass(5_000);
  await stopped;
  await expect(readiness()).rejects.toThrow();
});

it("a server with --provider memory leaves the images of the server on the same data folder alone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-start-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const image = join(folder, "images", "of-another-server");
  await mkdir(dirname(image));
  await writeFile(image, "");
  const flags = {
    ...{ data: folder, provider: "memory", embedder: "none", "log-level": "silent" },
    ...{ grpc: "127.0.0.1:0", http: "127.0.0.1:0", pruning: "off" },
  };
  const server = await startServer(readConfig(new Map(Object.entries(flags)), {}));
  await server.stop();
  expect(existsSync(image)).toBe(true);
});
