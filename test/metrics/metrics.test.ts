import { expect, it } from "vitest";
import type { EndedCall } from "../../src/core/ports/ended-call.js";
import { listenMetrics } from "../../src/metrics/listen-metrics.js";
import { createMetrics } from "../../src/metrics/metrics.js";

const call: EndedCall = {
  ...{
    path: "/vademecum.v1.MemoryProvider/Add",
    kind: "unary",
    code: "OK",
    requestId: "r-1",
    durationMs: 30,
  },
  ...{
    peer: "127.0.0.1:5000",
    mayLast: false,
    waitedMs: 0,
    workedMs: 0,
    rows: 0,
    requestBytes: 12,
    replyBytes: 345,
  },
};

/** Returns the lines of the metrics whose names begin with a prefix, without comments. */
async function linesOf(text: string, prefix: string): Promise<readonly string[]> {
  return text.split("\n").filter((line) => line.startsWith(prefix));
}

it("calls are counted by method and code, under the names of OpenTelemetry and of gRPC", async () => {
  const metrics = createMetrics("1.2.3");
  metrics.observe(call);
  metrics.observe({ ...call, code: "RESOURCE_EXHAUSTED", reason: "OVERLOADED" });
  metrics.stop();
  const text = await metrics.text();
  expect(await linesOf(text, "grpc_server_handled_total")).toEqual([
    'grpc_server_handled_total{grpc_type="unary",grpc_service="vademecum.v1.MemoryProvider",' +
      'grpc_method="Add",grpc_code="OK"} 1',
    'grpc_server_handled_total{grpc_type="unary",grpc_service="vademecum.v1.MemoryProvider",' +
      'grpc_method="Add",grpc_code="ResourceExhausted"} 1',
  ]);
  const labels =
    'rpc_system_name="grpc",rpc_method="vademecum.v1.MemoryProvider/Add",rpc_response_status_code="OK"';
  expect(text).toContain(`rpc_server_call_duration_seconds_bucket{le="0.025",${labels}} 0\n`);
  expect(text).toContain(`rpc_server_call_duration_seconds_bucket{le="0.05",${labels}} 1\n`);
  expect(text).toContain('vademecum_calls_refused_total{reason="OVERLOADED"} 1\n');
  expect(text).toContain('vademecum_build_info{version="1.2.3"} 1\n');
});

it("figures of the server's parts are counters, gauges and histograms", async () => {
  const metrics = createMetrics("1.2.3");
  metrics.meter("prunedRecords", 3, "skills");
  metrics.meter("prunedRecords", 2, "skills");
  metrics.meter("diskFreeBytes", 10);
  metrics.meter("diskFreeBytes", 7);
  metrics.meter("searchHits", 0);
  metrics.meter("searchHits", 4);
  metrics.gauge([{ name: "connections", help: "Open connections.", read: () => 9 }]);
  metrics.stop();
  const text = await metrics.text();
  expect(text).toContain('vademecum_pruned_records_total{records="skills"} 5\n');
  expect(text).toContain("vademecum_disk_free_bytes 7\n");
  expect(text).toContain('vademecum_search_hits_bucket{le="0"} 1\n');
  expect(text).toContain('vademecum_search_hits_bucket{le="5"} 2\n');
  expect(text).toContain("vademecum_connections 9\n");
});

it("the listener serves the metrics at one path, to GET and HEAD", async () => {
  const metrics = { contentType: "text/plain; version=0.0.4", text: async () => "a 1\n" };
  const listener = await listenMetrics({ host: "127.0.0.1", port: 0 }, metrics);
  const url = `http://${listener.address}`;
  const answer = await fetch(`${url}/metrics`);
  expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([
    200,
    "text/plain; version=0.0.4",
    "a 1\n",
  ]);
  expect((await fetch(`${url}/metrics`, { method: "HEAD" })).status).toBe(200);
  expect((await fetch(`${url}/metrics`, { method: "POST" })).status).toBe(405);
  expect((await fetch(`${url}/`)).status).toBe(404);
  await listener.stop();
  await expect(fetch(url)).rejects.toThrow();
});
