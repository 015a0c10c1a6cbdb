import { afterAll, beforeAll, describe } from "vitest";
import { describeOver } from "../../over-protocols.js";
import { duplexProviderCases, providerCases } from "../provider-cases/all-cases.js";
import { memoryTestOver } from "./memory-test.js";
import type { Protocol } from "./protocols.js";
import { startTestServer, type TestServer } from "./test-server.js";
import { useConnection } from "./use-connection.js";

/**
 * Runs the contract of the memory provider over several protocols, against one server with the
 * given storage provider.
 */
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
    describeOver("calls", protocols, (protocol) => {
      providerCases(memoryTestOver(useConnection(protocol, () => server)));
    });
    const duplex = protocols.filter((protocol) => protocol.duplex);
    describeOver("streams of both sides", duplex, (protocol) => {
      duplexProviderCases(memoryTestOver(useConnection(protocol, () => server)));
    });
  });
}
