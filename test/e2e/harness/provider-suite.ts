import { afterAll, beforeAll, describe } from "vitest";
import { postgresFlags, startPostgres, type TestPostgres } from "../../fixtures/postgres.js";
import { describeOver } from "../../over-protocols.js";
import { duplexProviderCases, providerCases } from "../provider-cases/all-cases.js";
import { memoryTestOver } from "./memory-test.js";
import type { Protocol } from "./protocols.js";
import { startTestServer, type TestServer } from "./test-server.js";
import { useConnection } from "./use-connection.js";

/**
 * Runs the cases of the memory provider over several protocols, against one server with the given
 * storage provider.
 */
export function describeProvider(
  provider: "level" | "memory" | "postgres",
  protocols: readonly Protocol[],
): void {
  describe(`memory provider on ${provider}`, () => {
    let server: TestServer | undefined;
    let postgres: TestPostgres | undefined;
    beforeAll(async () => {
      postgres = provider === "postgres" ? await startPostgres() : undefined;
      await postgres?.empty();
      server = await startTestServer({ provider, ...(postgres && postgresFlags(postgres)) });
    });
    afterAll(async () => {
      await server?.stop();
      await postgres?.close();
    });
    describeOver("calls", protocols, (protocol) => {
      providerCases(memoryTestOver(useConnection(protocol, () => server)));
    });
    const duplex = protocols.filter((protocol) => protocol.duplex);
    describeOver("streams of both sides", duplex, (protocol) => {
      duplexProviderCases(memoryTestOver(useConnection(protocol, () => server)));
    });
  });
}
