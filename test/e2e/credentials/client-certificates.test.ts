import { request } from "node:https";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../harness/credentialed-server.js";
import { failureOf } from "../harness/failure.js";
import { required } from "../harness/namespace-client.js";
import {
  tlsClientOptions,
  tlsFile,
  tlsMemories,
  tlsTransport,
  tlsUrl,
} from "../harness/tls-client.js";

const flags = {
  "tls-cert": tlsFile("cert.pem"),
  "tls-key": tlsFile("key.pem"),
  "tls-client-ca": tlsFile("client-ca.pem"),
};
const planner = { name: "planner", roles: ["writer"], users: ["ann"], agents: ["*"] } as const;
const byUri = { ...planner, certificates: ["spiffe://example/planner"] };
const byDnsName = {
  name: "second",
  roles: ["reader"],
  users: ["*"],
  agents: ["*"],
  certificates: ["planner.example"],
} as const;
const shown = { certificate: "client-cert.pem" };
const namespace = { userId: "ann", agentId: "a" };

let server: CredentialedServer | undefined;
beforeAll(async () => {
  server = await startCredentialedServer([byUri, byDnsName], flags);
});
afterAll(() => server?.stop());

describe("client certificates", () => {
  it("a client certificate stands for the principal that lists its first URI, on both ports", async () => {
    const { grpcUrl, httpUrl } = required(server, "no server");
    for (const url of [grpcUrl, httpUrl]) {
      const memories = await tlsMemories(url, shown);
      const { id } = await memories.add({ namespace, content: "by certificate" });
      expect((await memories.get({ namespace, id })).memory?.content).toBe("by certificate");
      const target = { case: "memoryId", value: id } as const;
      const edit = { oldString: "by", newString: "with", reasoning: "because" };
      // Only `planner` may add, so the certificate stands for `planner`. Neither principal may
      // propose.
      expect(await failureOf(memories.proposeEdit({ namespace, target, ...edit }))).toMatchObject({
        reason: "ROLE_REQUIRED",
      });
    }
  });

  it("a principal cannot approve with its key an edit that it proposed with its certificate", async () => {
    const roles = ["writer", "proposer", "approver"] as const;
    const own = await startCredentialedServer([{ ...byUri, roles }], flags);
    onTestFinished(() => own.stop());
    const byCertificate = await tlsMemories(own.grpcUrl, shown);
    const { id } = await byCertificate.add({ namespace, content: "tea" });
    const target = { case: "memoryId", value: id } as const;
    const edit = { oldString: "tea", newString: "milk", reasoning: "because" };
    const { proposal } = await byCertificate.proposeEdit({ namespace, target, ...edit });
    expect(proposal?.proposedBy).toBe("cert:planner");
    const proposals = createClient(ProposalService, await tlsTransport(own.grpcUrl));
    const request = { userId: "ann", id: proposal?.id ?? "" };
    const approval = proposals.approveProposal(request, { headers: own.headerOf("planner") });
    expect(await failureOf(approval)).toMatchObject({ reason: "SELF_APPROVAL" });
  });

  it("client certificates are valid over HTTP/1.1 too", async () => {
    const { httpUrl } = required(server, "no server");
    const status = async (certificate?: string) => statusOverHttp1(httpUrl, certificate);
    expect(await status("client-cert.pem")).toBe(200);
    expect(await status()).toBe(401);
  });

  it("client certificates are optional, unless the server requires them", async () => {
    const running = required(server, "no server");
    for (const url of [running.grpcUrl, running.httpUrl]) {
      const memories = await tlsMemories(url);
      expect(await failureOf(memories.getAll({ namespace }))).toMatchObject({
        reason: "CREDENTIALS_REQUIRED",
      });
      await memories.getAll({ namespace }, { headers: running.headerOf("second") });
    }
    const strict = await startCredentialedServer([byUri], {
      ...flags,
      "tls-client-auth": "require",
    });
    onTestFinished(() => strict.stop());
    for (const url of [strict.grpcUrl, strict.httpUrl]) {
      const memories = await tlsMemories(url);
      const call = memories.getAll({ namespace }, { headers: strict.headerOf("planner") });
      await expect(call).rejects.toThrow();
      await (await tlsMemories(url, shown)).getAll({ namespace });
    }
  });
});

async function statusOverHttp1(url: string, certificate: string | undefined): Promise<number> {
  const options = {
    ...(await tlsClientOptions({ certificate })),
    method: "POST",
    headers: { "content-type": "application/json" },
    agent: false as const,
  };
  return new Promise((resolve, reject) => {
    const path = "/vademecum.v1.MemoryProvider/GetAll";
    request(new URL(path, tlsUrl(url)), options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end(JSON.stringify({ namespace }));
  });
}
