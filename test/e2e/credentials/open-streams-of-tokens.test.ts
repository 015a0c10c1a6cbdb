import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { createClient, type Transport } from "@connectrpc/connect";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { nextOf } from "../../rpc/streams.js";
import { changePrincipal, createCredentialChecks } from "../harness/credential-checks.js";
import { startCredentialedServer } from "../harness/credentialed-server.js";
import { failureOf } from "../harness/failure.js";
import { protocols } from "../harness/protocols.js";
import { startTestServer } from "../harness/test-server.js";
import { tlsFile, tlsTransport } from "../harness/tls-client.js";

const userId = "ann";
const namespace = { userId, agentId: "a" };
const grants = { roles: ["proposer", "writer"], users: [userId], agents: ["*"] } as const;
const refused = { code: "UNAUTHENTICATED", reason: "CREDENTIALS_REFUSED" };

/** Watches the proposals of a user, and resolves when the watch is open. */
async function watchOver(transport: Transport, headers: HeadersInit = {}) {
  const memories = createClient(MemoryProvider, transport);
  const { id } = await memories.add({ namespace, content: "tea" }, { headers });
  const target = { case: "memoryId", value: id } as const;
  const edit = { oldString: "tea", newString: "milk", reasoning: "because" };
  await memories.proposeEdit({ namespace, target, ...edit }, { headers });
  const watches = createClient(ProposalService, transport).watchProposals({ userId }, { headers });
  const watch = watches[Symbol.asyncIterator]();
  await nextOf(watch);
  return watch;
}

describe("a watch of a caller with a token", () => {
  /** Starts a server with a token that expires in ten minutes. */
  const start = async () => {
    const folder = await mkdtemp(join(tmpdir(), "vademecum-jwks-"));
    const file = join(folder, "jwks.json");
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const keys = [{ ...(await exportJWK(publicKey)), alg: "ES256", kid: "one" }];
    await writeFile(file, JSON.stringify({ keys }));
    const checks = createCredentialChecks();
    const issuer = "https://issuer.example";
    const flags = { "jwt-jwks": file, "jwt-issuer": issuer, "jwt-audience": "vademecum" };
    const server = await startTestServer({ provider: "memory", ...flags }, checks.time);
    onTestFinished(async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    });
    const expiresMs = (Math.floor(Date.now() / 1000) + 600) * 1000;
    const token = await new SignJWT({ vademecum: grants })
      .setProtectedHeader({ alg: "ES256", kid: "one" })
      .setIssuer(issuer)
      .setAudience("vademecum")
      .setSubject("kim")
      .setExpirationTime(expiresMs / 1000)
      .sign(privateKey);
    const watches = await Promise.all(
      protocols.map((protocol) => {
        const connection = protocol.connect(server);
        onTestFinished(() => connection.close());
        return watchOver(connection.transport, { authorization: `Bearer ${token}` });
      }),
    );
    return { checks, file, expiresMs, watches };
  };
  /** Reads on until the watch fails. */
  const endOf = (watch: AsyncIterator<unknown>) =>
    failureOf(
      (async () => {
        while ((await watch.next()).done !== true);
      })(),
    );

  it("a watch ends when the server no longer accepts its token, over every protocol", async () => {
    const { checks, expiresMs, watches } = await start();
    const ends: unknown[] = [];
    const allEnds = Promise.all(
      watches.map(async (watch) => {
        ends.push(await endOf(watch));
      }),
    );
    // For 30 seconds after its expiry, the server still accepts the token.
    checks.setTime(expiresMs + 29_000);
    await checks.check();
    expect(ends).toEqual([]);
    checks.setTime(expiresMs + 31_000);
    await checks.check();
    await allEnds;
    for (const end of ends) expect(end).toMatchObject(refused);
  });

  it("a watch ends when the issuer's keys no longer have the key of its token, over every protocol", async () => {
    const { checks, file, watches } = await start();
    const ends = watches.map(endOf);
    await writeFile(file, JSON.stringify({ keys: [] }));
    await checks.check();
    for (const end of await Promise.all(ends)) expect(end).toMatchObject(refused);
  });
});

describe("a watch of a caller with a client certificate", () => {
  it("a watch ends, and the log says so, when the credentials no longer list the client certificate, over both ports", async () => {
    const checks = createCredentialChecks();
    const certificates = ["spiffe://example/planner"];
    const flags = {
      "tls-cert": tlsFile("cert.pem"),
      "tls-key": tlsFile("key.pem"),
      "tls-client-ca": tlsFile("client-ca.pem"),
    };
    let log = "";
    const output = new Writable({
      write(chunk: Buffer, _encoding, done) {
        log += chunk.toString();
        done();
      },
    });
    const planner = { name: "planner", ...grants, certificates };
    const server = await startCredentialedServer([planner], flags, checks.time, undefined, output);
    onTestFinished(() => server.stop());
    const shown = { certificate: "client-cert.pem" };
    const [overGrpc, overHttp] = [
      await watchOver(await tlsTransport(server.grpcUrl, shown)),
      await watchOver(await tlsTransport(server.httpUrl, shown)),
    ];
    await nextOf(overGrpc);
    await nextOf(overHttp);
    const ends = [failureOf(overGrpc.next()), failureOf(overHttp.next())];
    await changePrincipal(server.file, "planner", (principal) => ({
      ...principal,
      certificates: [],
    }));
    await checks.check();
    for (const end of await Promise.all(ends)) expect(end).toMatchObject(refused);
    const denials = log
      .split("\n")
      .filter((line) => line.includes("a call was denied"))
      .map((line) => JSON.parse(line) as unknown);
    const denial = {
      method: "/vademecum.v1.ProposalService/WatchProposals",
      reason: "CREDENTIALS_REFUSED",
      principal: "cert:planner",
    };
    expect(denials).toMatchObject([denial, denial]);
  });
});
