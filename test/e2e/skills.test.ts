import { afterAll, beforeAll, describe, it } from "vitest";
import { required } from "./harness/namespace-client.js";
import { type Connection, nativeGrpc, protocols } from "./harness/protocols.js";
import { createSkillClient } from "./harness/skill-client.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { skillCases } from "./skills/cases.js";

const stores = [
  { provider: "level", over: protocols },
  // Which store it is makes no difference to a protocol.
  { provider: "memory", over: [nativeGrpc] },
];

describe.each(stores)("skills on $provider", ({ provider, over }) => {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startTestServer({ provider });
  });
  afterAll(() => server?.stop());

  describe.each(over)("over $name", (protocol) => {
    let connection: Connection | undefined;
    afterAll(() => connection?.close());
    let users = 0;
    skillCases(it, (agentId) => {
      connection ??= protocol.connect(required(server, "no server"));
      if (agentId === undefined) users += 1;
      return createSkillClient(connection, {
        userId: `${protocol.name} ${users}`,
        agentId: agentId ?? "agent",
      });
    });
  });
});
