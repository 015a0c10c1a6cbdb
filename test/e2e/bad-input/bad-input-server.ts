import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import {
  createNamespaceClient,
  type NamespaceClient,
  required,
} from "../harness/namespace-client.js";
import { type Connection, nativeGrpc, type ServerUrls } from "../harness/protocols.js";
import { createRunClient } from "../harness/run-client.js";
import { startTestServer, type TestServer } from "../harness/test-server.js";
import { target, targetRun } from "./target.js";

/** A server for invalid requests, with a check that they did no harm. */
export interface BadInputServer {
  readonly urls: ServerUrls;
  /** Client of the target namespace. */
  readonly memories: NamespaceClient;
  /**
   * Fails unless the server still serves, and the target namespace and run have their original
   * contents.
   */
  expectUnharmed(): Promise<void>;
}

/**
 * Starts a server before the tests of the file, with one memory in the target namespace and one key
 * in the target run.
 */
export function badInputServer(): () => BadInputServer {
  let server: TestServer | undefined;
  let connection: Connection | undefined;
  let started: BadInputServer | undefined;
  beforeAll(async () => {
    server = await startTestServer();
    connection = nativeGrpc.connect(server);
    const memories = createNamespaceClient(
      createClient(MemoryProvider, connection.transport),
      target,
    );
    await memories.add("Kept through all of it", { tags: ["kept"] });
    const run = createRunClient(connection, targetRun);
    await run.write("target", "kept");
    const before = await memories.list({ includeSuperseded: true });
    started = {
      urls: server,
      memories,
      async expectUnharmed() {
        expect(await memories.list({ includeSuperseded: true })).toEqual(before);
        expect(await run.list()).toEqual(["target"]);
        expect(await run.read("target")).toBe("kept");
      },
    };
  });
  afterAll(async () => {
    connection?.close();
    await server?.stop();
  });
  return () => required(started, "the server is not running");
}
