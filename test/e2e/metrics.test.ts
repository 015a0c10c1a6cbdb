import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { expect, it, onTestFinished } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { readConfig } from "../../src/config/config.js";
import { formatAddress } from "../../src/edge/address.js";
import { startServer } from "../../src/server/start-server.js";
import { failureOf } from "../rpc/rpc-failure.js";

/** Returns the value of a metric; `undefined` if the text does not have it. */
function valueIn(text: string, metric: string): number | undefined {
  const line = text.split("\n").find((each) => each.startsWith(`${metric} `));
  return line === undefined ? undefined : Number(line.slice(metric.length + 1));
}

/** Returns the names of the metrics that the dashboard and the alert rules ask for. */
async function askedMetrics(): Promise<readonly string[]> {
  const files = ["dashboard.json", "alerts.yaml"].map((name) => join("deploy", "metrics", name));
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  const names = texts.join().match(/\b(?:vademecum|grpc_server|rpc_server|process|nodejs)_\w+/g);
  return [...new Set(names)];
}

it("a running server shows its calls, its writes, its disk and its searches", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-metrics-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const flags = { data: folder, grpc: "127.0.0.1:0", http: "127.0.0.1:0", metrics: "127.0.0.1:0" };
  const log = new Writable({ write: (_chunk, _encoding, done) => done() });
  const server = await startServer(readConfig(new Map(Object.entries(flags)), {}), log);
  onTestFinished(() => server.stop());
  const baseUrl = `http://${formatAddress(server.grpcAddress)}`;
  const memories = createClient(MemoryProvider, createGrpcTransport({ baseUrl }));
  const namespace = { userId: "ann", agentId: "cook" };
  for (const content of ["Ann likes tea", "Ann likes green tea", "Ann drinks tea at four"])
    await memories.add({ namespace, content });
  await memories.recall({ search: { namespace, query: "tea", limit: 1 } });
  await failureOf(memories.get({ namespace, id: "absent" }));

  if (server.metricsAddress === undefined) throw new Error("the server has no metrics");
  const url = `http://${formatAddress(server.metricsAddress)}/metrics`;
  const text = await (await fetch(url)).text();
  const labels = (method: string, code: string) =>
    `{grpc_type="unary",grpc_service="vademecum.v1.MemoryProvider",grpc_method="${method}",grpc_code="${code}"}`;
  expect(valueIn(text, `grpc_server_handled_total${labels("Add", "OK")}`)).toBe(3);
  expect(valueIn(text, `grpc_server_handled_total${labels("Get", "NotFound")}`)).toBe(1);
  expect(valueIn(text, "vademecum_store_group_transactions_sum")).toBeGreaterThanOrEqual(3);
  expect(valueIn(text, "vademecum_store_group_sync_seconds_sum")).toBeGreaterThan(0);
  expect(valueIn(text, "vademecum_disk_free_bytes")).toBeGreaterThan(0);
  expect(valueIn(text, "vademecum_search_hits_sum")).toBe(1);
  expect(valueIn(text, "vademecum_search_omitted_total")).toBe(2);
  expect(valueIn(text, "vademecum_index_bytes")).toBeGreaterThan(0);
  expect(valueIn(text, 'vademecum_index_loads_total{from="records"}')).toBeGreaterThan(0);
  expect(valueIn(text, "vademecum_index_hits_total")).toBeGreaterThan(0);
  expect(valueIn(text, "vademecum_index_evictions_total")).toBe(0);
  expect(valueIn(text, "vademecum_data_bytes")).toBeGreaterThan(0);
  expect(valueIn(text, "vademecum_proposals_pending")).toBe(0);
  expect(valueIn(text, "vademecum_oldest_proposal_seconds")).toBe(0);
  expect(valueIn(text, "vademecum_connections")).toBe(1);
  expect(valueIn(text, "vademecum_calls_waiting")).toBe(0);
  expect(valueIn(text, "vademecum_credentials_stale")).toBe(0);
  expect(valueIn(text, 'vademecum_event_loop_delay_seconds{quantile="0.99"}')).toBeDefined();
  // What the dashboard and the alerts ask for exists.
  const missing = (await askedMetrics()).filter((name) => !text.includes(name));
  expect(missing).toEqual([]);
  // No metric names a user, an agent or a text.
  expect(text).not.toMatch(/\bann\b|\bcook\b|tea/i);
});
