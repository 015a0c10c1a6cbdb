/**
 * The load generator of `bench:overload`, a program of its own: callers that each repeat one call
 * for some seconds. A refused caller waits as long as the server tells it to. Takes an OverloadRun
 * from its parent and answers with OverloadFigures.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { fromBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Client, credentials, type ServiceError, status } from "@grpc/grpc-js";
import { RetryInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { StatusSchema } from "#gen/google/rpc/status_pb.js";
import { percentile } from "../harness/cost.js";
import { millisOf } from "../harness/millis.js";
import { asIs } from "./as-is.js";
import { serveParent } from "./child-program.js";

/** A run of the load generator. */
export interface OverloadRun {
  /** `host:port`. */
  readonly address: string;
  /** The path of an RPC whose reply is a stream. */
  readonly path: string;
  /** Encoded requests, which the callers send in turn. */
  readonly requests: readonly Uint8Array[];
  readonly connections: number;
  readonly callers: number;
  readonly seconds: number;
}

/** What the load generator measured. */
export interface OverloadFigures {
  readonly answeredPerSecond: number;
  readonly refusedPerSecond: number;
  /** Calls that failed for another reason than OVERLOADED with a time to wait. */
  readonly otherFailures: number;
  /** Latencies of the answered calls in milliseconds. */
  readonly medianMs: number;
  readonly p99Ms: number;
}

serveParent(async (run: OverloadRun): Promise<OverloadFigures> => {
  const { address, path, requests, connections, callers, seconds } = run;
  const clients = Array.from(
    { length: connections },
    () =>
      new Client(address, credentials.createInsecure(), {
        // Without this option, clients of one address share one connection.
        "grpc.use_local_subchannel_pool": 1,
      }),
  );
  const latenciesMs: number[] = [];
  let refused = 0;
  let otherFailures = 0;
  let sent = 0;
  const startMs = performance.now();
  const endMs = startMs + seconds * 1_000;
  const call = async (caller: number): Promise<void> => {
    const client = clients[caller % connections] as Client;
    while (performance.now() < endMs) {
      const sentMs = performance.now();
      const error = await callOnce(client, path, requests[sent++ % requests.length] as Uint8Array);
      if (error === undefined) {
        latenciesMs.push(performance.now() - sentMs);
        continue;
      }
      const waitMs = retryDelayMs(error);
      if (error.code === status.RESOURCE_EXHAUSTED && waitMs !== undefined) refused++;
      else otherFailures++;
      await delay(Math.min(waitMs ?? 0, Math.max(0, endMs - performance.now())));
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  const elapsed = (performance.now() - startMs) / 1_000;
  for (const client of clients) client.close();
  return {
    answeredPerSecond: latenciesMs.length / elapsed,
    refusedPerSecond: refused / elapsed,
    otherFailures,
    medianMs: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
  };
});

/** Makes one call. Returns its error; `undefined` if it was answered. */
function callOnce(
  client: Client,
  path: string,
  request: Uint8Array,
): Promise<ServiceError | undefined> {
  return new Promise((resolve) => {
    client
      .makeServerStreamRequest(path, asIs, asIs, request)
      .on("data", () => undefined)
      .on("error", (error: ServiceError) => resolve(error))
      .on("end", () => resolve(undefined));
  });
}

/** Returns how long the server tells a refused caller to wait. */
function retryDelayMs({ metadata }: ServiceError): number | undefined {
  const [bytes] = metadata.get("grpc-status-details-bin");
  if (!(bytes instanceof Uint8Array)) return undefined;
  const { details } = fromBinary(StatusSchema, bytes);
  const info = details.map((detail) => anyUnpack(detail, RetryInfoSchema)).find(Boolean);
  return info === undefined ? undefined : millisOf(info.retryDelay);
}
