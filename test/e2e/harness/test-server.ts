import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { readConfig } from "../../../src/config/config.js";
import type { NamespaceSizes } from "../../../src/core/model/namespace-size.js";
import { formatAddress } from "../../../src/edge/address.js";
import { startServer, type TimeSource } from "../../../src/server/start-server.js";
import type { ServerUrls } from "./protocols.js";
import { dropStore, storeFlags } from "./store-flags.js";

/** A running server in this process, with its own folder. */
export interface TestServer extends ServerUrls {
  /** Where the metrics are. Absent: the server has none. */
  readonly metricsUrl?: string;
  /** Reads the credentials and certificates again if their files have changed. */
  refreshTrust(): Promise<void>;
  /** Stops the server and deletes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts the server as the `serve` command does, on free ports, in a temporary folder, with
 * additional `flags` (names without dashes). Users can move to any other test server.
 *
 * @param time the clock and the timer. Default: the system's
 * @param logOutput receives the log. Default: the server logs nothing
 * @param sizes the limits of namespaces. Default: those of `serve`
 */
export async function startTestServer(
  flags: Readonly<Record<string, string>> = {},
  time?: TimeSource,
  logOutput?: Writable,
  sizes?: NamespaceSizes,
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-e2e-"));
  const given = {
    data: join(folder, "data"),
    grpc: "127.0.0.1:0",
    http: "127.0.0.1:0",
    "move-targets": "127.0.0.1",
    "log-level": logOutput === undefined ? "silent" : "info",
    ...flags,
  };
  const all = await storeFlags(given);
  const config = readConfig(new Map(Object.entries(all)), {});
  const server = await startServer(config, logOutput, time, sizes);
  return {
    grpcUrl: `http://${formatAddress(server.grpcAddress)}`,
    httpUrl: `http://${formatAddress(server.httpAddress)}`,
    ...(server.metricsAddress && {
      metricsUrl: `http://${formatAddress(server.metricsAddress)}/metrics`,
    }),
    refreshTrust: () => server.refreshTrust(),
    async stop() {
      await server.stop();
      if (flags["data"] === undefined) await dropStore(given.data);
      await rm(folder, { recursive: true });
    },
  };
}
