import { afterAll, beforeAll, describe } from "vitest";
import { type Connection, connectJson, nativeGrpc, type Protocol } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { accessCases } from "./tools/access.js";
import { askingCases } from "./tools/asking.js";
import { budgetCases } from "./tools/budgets.js";
import { cachingCases } from "./tools/caching.js";
import { faultCases } from "./tools/faults.js";
import { manifestCases } from "./tools/manifests.js";
import { responseCases } from "./tools/responses.js";
import { toolTestOver } from "./tools/tool-client.js";
import { traceCases } from "./tools/traces.js";

let server: TestServer | undefined;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server?.stop());

describe.each([nativeGrpc, connectJson])("tools over $name", (protocol: Protocol) => {
  let connection: Connection | undefined;
  const it = toolTestOver(() => {
    if (server === undefined) throw new Error("the server is not running");
    connection ??= protocol.connect(server);
    return connection;
  });
  afterAll(() => connection?.close());

  askingCases(it);
  accessCases(it);
  budgetCases(it);
  faultCases(it);
  cachingCases(it);
  responseCases(it);
  traceCases(it);
  manifestCases(it);
});
