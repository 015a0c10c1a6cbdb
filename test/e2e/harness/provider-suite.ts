import { afterAll, beforeAll, describe } from "vitest";
import { providerCases } from "../provider-cases/all-cases.js";
import { memoryTestOver } from "./memory-test.js";
import type { Connection, Protocol } from "./protocols.js";
import { startTestServer, type TestServer } from "./test-server.js";

/** Runs the contract of the memory provider over some protocols, against one server with the given provider of storage. */
export function describeProvider(
  provider: "level" | "memory",
  protocols: readonly Protocol[],
): void {
  describe(`memory provider on ${provider}`, () => {
    let server: TestServer | undefined;
    beforeAll(async () => {
      server = await startTestServer({ provider });
    });
    afterAll(() => server?.stop());
    for (const protocol of protocols) describeProtocol(protocol, () => server);
  });
}

function describeProtocol(protocol: Protocol, server: () => TestServer | undefined): void {
  describe(protocol.name, () => {
    let connection: Connection | undefined;
    const connected = () => {
      const running = server();
      if (running === undefined) throw new Error("the server is not running");
      connection ??= protocol.connect(running);
      return connection;
    };
    afterAll(() => connection?.close());
    providerCases(memoryTestOver(connected), protocol);
  });
}
