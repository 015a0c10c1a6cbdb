import { afterAll, beforeAll, describe, it } from "vitest";
import { required } from "./harness/namespace-client.js";
import { type Connection, connectJson, nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { createToolClient } from "./harness/tool-client.js";
import { definitionCases } from "./toolsets/definition-cases.js";
import { dispatchCases } from "./toolsets/dispatch-cases.js";

let server: TestServer | undefined;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());

describe.each([nativeGrpc, connectJson])("the toolsets over $name", (protocol) => {
  let connection: Connection | undefined;
  afterAll(() => connection?.close());
  let hosts = 0;
  const openHost: Parameters<typeof dispatchCases>[1] = (host) => {
    connection ??= protocol.connect(required(server, "no server"));
    const name = `${protocol.name} ${++hosts}`;
    return createToolClient(connection, host ?? { runId: name, namespace: { userId: name, agentId: "agent" } });
  };
  dispatchCases(it, openHost);
  definitionCases(it, openHost);
});
