import { describe, expect, it, onTestFinished } from "vitest";
import { startCredentialedServer } from "../harness/credentialed-server.js";
import { failureOf } from "../harness/failure.js";
import { tlsFile, tlsMemories } from "../harness/tls-client.js";

const everything = { users: ["*"], agents: ["*"] };
const principals = [
  {
    name: "planner",
    roles: ["writer"],
    ...everything,
    certificates: ["spiffe://example/planner"],
  },
  { name: "second", roles: ["reader"], ...everything, certificates: ["second.example"] },
] as const;
const namespace = { userId: "ann", agentId: "a" };

/** Starts a server that trusts the client certificates of one authority. */
async function startTrusting(authority: string, more: Readonly<Record<string, string>> = {}) {
  const server = await startCredentialedServer(principals, {
    "tls-cert": tlsFile("cert.pem"),
    "tls-key": tlsFile("key.pem"),
    "tls-client-ca": tlsFile(authority),
    ...more,
  });
  onTestFinished(() => server.stop());
  return server;
}

describe.each(["grpcUrl", "httpUrl"] as const)("a client certificate at %s", (port) => {
  it("a client certificate of another authority stands for no principal, even if one lists its name", async () => {
    const server = await startTrusting("client-ca.pem");
    const memories = await tlsMemories(server[port], { certificate: "other-client-uri.pem" });
    expect(await failureOf(memories.getAll({ namespace }))).toMatchObject({
      code: "UNAUTHENTICATED",
      reason: "CREDENTIALS_REQUIRED",
    });
    // The server accepts the connection, so a call on it can still use an API key.
    await memories.getAll({ namespace }, { headers: server.headerOf("second") });
  });

  it("a client certificate of another authority gets no connection where certificates are required", async () => {
    const server = await startTrusting("client-ca.pem", { "tls-client-auth": "require" });
    const memories = await tlsMemories(server[port], { certificate: "other-client-uri.pem" });
    const headers = server.headerOf("second");
    await expect(memories.getAll({ namespace }, { headers })).rejects.toThrow();
  });

  it("a client certificate with names that no principal lists is refused", async () => {
    const server = await startTrusting("other-client-ca.pem");
    const memories = await tlsMemories(server[port], { certificate: "other-client-unlisted.pem" });
    expect(await failureOf(memories.getAll({ namespace }))).toMatchObject({
      code: "UNAUTHENTICATED",
      reason: "CREDENTIALS_REFUSED",
    });
  });

  it("a client certificate with only a DNS name stands for the principal that lists the name", async () => {
    const server = await startTrusting("other-client-ca.pem");
    const memories = await tlsMemories(server[port], { certificate: "other-client-dns.pem" });
    await memories.getAll({ namespace });
    expect(await failureOf(memories.add({ namespace, content: "x" }))).toMatchObject({
      reason: "ROLE_REQUIRED",
    });
  });

  it("a client certificate whose e-mail address looks like a listed URI is refused", async () => {
    const server = await startTrusting("other-client-ca.pem");
    const memories = await tlsMemories(server[port], { certificate: "other-client-email.pem" });
    expect(await failureOf(memories.getAll({ namespace }))).toMatchObject({
      code: "UNAUTHENTICATED",
    });
  });
});
