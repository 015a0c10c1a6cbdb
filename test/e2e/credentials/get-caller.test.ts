import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AccessService } from "#gen/vademecum/v1/access_service_pb.js";
import { describeOver } from "../../over-protocols.js";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../harness/credentialed-server.js";
import { failureOf } from "../harness/failure.js";
import { required } from "../harness/namespace-client.js";
import { nativeGrpc, protocols } from "../harness/protocols.js";
import { startTestServer } from "../harness/test-server.js";
import { useConnection } from "../harness/use-connection.js";

let server: CredentialedServer | undefined;
beforeAll(async () => {
  server = await startCredentialedServer([
    {
      name: "ann",
      roles: ["approver"],
      users: ["ann", "team-*"],
      agents: ["*"],
      runs: [],
      tools: [],
    },
  ]);
});
afterAll(() => server?.stop());

describeOver("GetCaller", protocols, (protocol) => {
  const connection = useConnection(protocol, () => server);
  const access = () => createClient(AccessService, connection().transport);

  it("a caller learns its name, its roles and its patterns", async () => {
    const headers = required(server, "no server").headerOf("ann");
    expect(await access().getCaller({}, { headers })).toMatchObject({
      principal: "key:ann",
      tenant: "",
      roles: ["approver"],
      users: ["ann", "team-*"],
      agents: ["*"],
      runs: [],
      tools: [],
      credentialsInUse: true,
    });
  });

  it("a caller without credentials learns that the server asks for them", async () => {
    expect(await access().getCaller({})).toMatchObject({
      principal: "nobody",
      roles: [],
      users: [],
      credentialsInUse: true,
    });
    const headers = { authorization: "Bearer wrong" };
    expect(await failureOf(access().getCaller({}, { headers }))).toMatchObject({
      code: "UNAUTHENTICATED",
      reason: "CREDENTIALS_REFUSED",
    });
  });
});

it("on a server without credentials, the caller is anonymous and may do everything", async () => {
  const open = await startTestServer({ provider: "memory", embedder: "none" });
  const connection = nativeGrpc.connect(open);
  const caller = await createClient(AccessService, connection.transport).getCaller({});
  expect(caller).toMatchObject({ principal: "anonymous", users: ["*"], credentialsInUse: false });
  expect(caller.roles).toContain("operator");
  connection.close();
  await open.stop();
});
