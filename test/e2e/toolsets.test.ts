import { afterAll, beforeAll, it } from "vitest";
import { describeOver } from "../over-protocols.js";
import { connectJson, nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { createToolClient } from "./harness/tool-client.js";
import { useConnection } from "./harness/use-connection.js";
import { blockHostOf, blockToolCases } from "./toolsets/block-tool-cases.js";
import { definitionCases } from "./toolsets/definition-cases.js";
import { dispatchCases, type OpenHost } from "./toolsets/dispatch-cases.js";

let server: TestServer | undefined;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());

describeOver("toolsets", [nativeGrpc, connectJson], (protocol) => {
  const connected = useConnection(protocol, () => server);
  let hosts = 0;
  const newName = () => `${protocol().name} ${++hosts}`;
  const openHost: OpenHost = (host) => {
    const name = newName();
    return createToolClient(
      connected(),
      host ?? { runId: name, namespace: { userId: name, agentId: "agent" } },
    );
  };
  const openUser = () => {
    const userId = newName();
    return blockHostOf(connected(), userId, openHost({ namespace: { userId, agentId: "agent" } }));
  };
  dispatchCases(it, openHost);
  blockToolCases(it, openUser, () => openHost({}));
  definitionCases(it, openHost, async () => {
    const name = newName();
    const tools = openHost({ runId: name, namespace: { userId: name, agentId: "agent" } });
    await blockHostOf(connected(), name, tools).put("student", "Likes math");
    return tools;
  });
});
