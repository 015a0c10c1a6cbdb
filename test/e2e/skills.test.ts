import { afterAll, beforeAll, describe, it } from "vitest";
import { describeOver } from "../over-protocols.js";
import { nativeGrpc, protocols } from "./harness/protocols.js";
import { createSkillClient } from "./harness/skill-client.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { useConnection } from "./harness/use-connection.js";
import { skillCases } from "./skills/cases.js";

const stores = [
  { provider: "level", over: protocols },
  // Protocols behave the same over every store.
  { provider: "memory", over: [nativeGrpc] },
];

describe.each(stores)("skills on $provider", ({ provider, over }) => {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startTestServer({ provider });
  });
  afterAll(() => server?.stop());

  describeOver("an agent", over, (protocol) => {
    const connected = useConnection(protocol, () => server);
    let users = 0;
    skillCases(it, (agentId) => {
      if (agentId === undefined) users += 1;
      return createSkillClient(connected(), {
        userId: `${protocol().name} ${users}`,
        agentId: agentId ?? "agent",
      });
    });
  });
});
