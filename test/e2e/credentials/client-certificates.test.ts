import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../harness/credentialed-server.js";
import { failureOf } from "../harness/failure.js";
import { required } from "../harness/namespace-client.js";

const folder = join(import.meta.dirname, "..", "..", "fixtures", "tls");
const pathOf = (name: string) => join(folder, name);
const flags = {
  "tls-cert": pathOf("cert.pem"),
  "tls-key": pathOf("key.pem"),
  "tls-client-ca": pathOf("client-ca.pem"),
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
const namespace = { userId: "ann", agentId: "a" };

let server: CredentialedServer | undefined;
beforeAll(async () => {
  server = await startCredentialedServer([byUri, byDnsName], flags);
});
afterAll(() => server?.stop());

describe("client certificates", () => {
  it("stand for the principal that lists their first URI, on both ports", async () => {
    const { grpcUrl, httpUrl } = required(server, "no server");
    for (const url of [grpcUrl, httpUrl]) {
      const memories = await clientOf(url, "client");
      const { id } = await memories.add({ namespace, content: "by certificate" });
      expect((await memories.get({ namespace, id })).memory?.content).toBe("by certificate");
      const target = { case: "memoryId", value: id } as const;
      const edit = { oldString: "by", newString: "with", reasoning: "because" };
      // The role of `second` would not be enough to add, nor that of `planner` to propose.
      expect(await failureOf(memories.proposeEdit({ namespace, target, ...edit }))).toMatchObject({
        reason: "ROLE_REQUIRED",
      });
    }
  });

  it("and a key of the same name stand for one principal, which cannot approve its own edit", async () => {
    const roles = ["writer", "proposer", "approver"] as const;
    const own = await startCredentialedServer([{ ...byUri, roles }], flags);
    onTestFinished(() => own.stop());
    const byCertificate = await clientOf(own.grpcUrl, "client");
    const { id } = await byCertificate.add({ namespace, content: "tea" });
    const target = { case: "memoryId", value: id } as const;
    const edit = { oldString: "tea", newString: "milk", reasoning: "because" };
    const { proposal } = await byCertificate.proposeEdit({ namespace, target, ...edit });
    expect(proposal?.proposedBy).toBe("cert:planner");
    const proposals = createClient(ProposalService, await transportOf(own.grpcUrl));
    const request = { userId: "ann", id: proposal?.id ?? "" };
    const approval = proposals.approveProposal(request, { headers: own.headerOf("planner") });
    expect(await failureOf(approval)).toMatchObject({ reason: "SELF_APPROVAL" });
  });

  it("count over HTTP/1.1 too", async () => {
    const { httpUrl } = required(server, "no server");
    const status = async (certificate?: string) => statusOverHttp1(httpUrl, certificate);
    expect(await status("client")).toBe(200);
    expect(await status()).toBe(401);
  });

  it("are optional beside keys, unless they are required", async () => {
    const running = required(server, "no server");
    for (const url of [running.grpcUrl, running.httpUrl]) {
      const memories = await clientOf(url);
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
      const memories = await clientOf(url);
      const call = memories.getAll({ namespace }, { headers: strict.headerOf("planner") });
      await expect(call).rejects.toThrow();
      await (await clientOf(url, "client")).getAll({ namespace });
    }
  });
});

async function identity(name: string | undefined) {
  const ca = await readFile(pathOf("cert.pem"));
  if (name === undefined) return { ca };
  const [cert, key] = await Promise.all(
    [`${name}-cert.pem`, `${name}-key.pem`].map((file) => readFile(pathOf(file))),
  );
  return { ca, cert, key };
}

async function clientOf(url: string, certificate?: string) {
  return createClient(MemoryProvider, await transportOf(url, certificate));
}

async function transportOf(url: string, certificate?: string) {
  const sessionManager = new Http2SessionManager(tlsUrl(url), {}, await identity(certificate));
  onTestFinished(() => sessionManager.abort());
  return createGrpcTransport({ baseUrl: tlsUrl(url), sessionManager });
}

async function statusOverHttp1(url: string, certificate: string | undefined): Promise<number> {
  const options = {
    ...(await identity(certificate)),
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

/** The certificate of the server is for this name. */
function tlsUrl(url: string): string {
  return url.replace("http://", "https://").replace("127.0.0.1", "localhost");
}
