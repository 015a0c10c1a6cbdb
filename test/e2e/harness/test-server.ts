import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatAddress } from "../../../src/address.js";
import { readConfig } from "../../../src/config/config.js";
import { startServer, type TimeSource } from "../../../src/server/start-server.js";
import type { ServerUrls } from "./protocols.js";

/** A running server of this process, with a folder of its own. */
export interface TestServer extends ServerUrls {
  /** Ends the server and deletes its folder. */
  stop(): Promise<void>;
}

/** Starts the server as the `serve` command does, with `flags` (names without dashes) on top of free ports and a temporary folder. Its time is the system's, or what is given. */
export async function startTestServer(
  flags: Readonly<Record<string, string>> = {},
  time?: TimeSource,
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-e2e-"));
  const given = {
    data: join(folder, "data"),
    grpc: "127.0.0.1:0",
    http: "127.0.0.1:0",
    "log-level": "silent",
    ...flags,
  };
  const server = await startServer(readConfig(new Map(Object.entries(given)), {}), undefined, time);
  return {
    grpcUrl: `http://${formatAddress(server.grpcAddress)}`,
    httpUrl: `http://${formatAddress(server.httpAddress)}`,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}
