/**
 * The load generator, a program of its own: grpc-js clients that send bytes and ignore the replies.
 * It takes a LoadRun from its parent and answers with LoadFigures.
 */
import { performance } from "node:perf_hooks";
import { Client, credentials } from "@grpc/grpc-js";
import { withCallers } from "../harness/callers.js";
import { percentile } from "../harness/cost.js";
import { asIs } from "./as-is.js";
import type { CallStream, LoadFigures, LoadRun } from "./call-stream.js";
import { serveParent } from "./child-program.js";

serveParent(async (run: LoadRun): Promise<LoadFigures> => {
  const { address, calls, connections, inFlight } = run;
  const clients = Array.from(
    { length: connections },
    () =>
      new Client(address, credentials.createInsecure(), {
        // Without this option, clients of one address share one connection.
        "grpc.use_local_subchannel_pool": 1,
        "grpc.max_receive_message_length": -1,
      }),
  );
  const latenciesMs: number[] = [];
  const startMs = performance.now();
  await withCallers(inFlight, calls.requests.entries(), async ([index, request]) => {
    const client = clients[index % connections] as Client;
    const sentMs = performance.now();
    await callOnce(client, calls, request);
    latenciesMs.push(performance.now() - sentMs);
  });
  const seconds = (performance.now() - startMs) / 1_000;
  for (const client of clients) client.close();
  return {
    callsPerSecond: calls.requests.length / seconds,
    medianMs: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
  };
});

/** Makes one call. Rejects when it fails, because figures of failing calls mean nothing. */
function callOnce(client: Client, calls: CallStream, request: Uint8Array): Promise<void> {
  const { path, isStream } = calls;
  return new Promise((resolve, reject) => {
    if (isStream)
      client
        .makeServerStreamRequest(path, asIs, asIs, request)
        .on("data", () => undefined)
        .on("error", reject)
        .on("end", resolve);
    else
      client.makeUnaryRequest(path, asIs, asIs, request, (error) =>
        error === null ? resolve() : reject(error),
      );
  });
}
