import { createClient } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { startCredentialedServer } from "../harness/credentialed-server.js";
import { failureOf } from "../harness/failure.js";
import { connectJson } from "../harness/protocols.js";
import { tlsFile, tlsMemories, tlsTransport, tlsUrl } from "../harness/tls-client.js";
import { adminOf, ann, connect, ends, memoriesOn, sendTo, serve } from "./two-servers.js";

const everything = { users: ["*"], agents: ["*"], runs: ["*"], tools: ["*"] };

describe("the credentials of a forwarded call", () => {
  it("the new server checks the key of the caller itself", async () => {
    const old = await serve();
    const current = await startCredentialedServer([
      { name: "writer", roles: ["writer"], ...everything, users: ["ann"] },
    ]);
    ends.push(() => current.stop());
    await sendTo(adminOf(old), current.grpcUrl);
    const { provider } = memoriesOn(old);
    const add = (userId: string, headers = {}) =>
      provider.add({ namespace: { userId, agentId: "x" }, content: "tea" }, { headers });
    expect((await add("ann", current.headerOf("writer"))).id).not.toBe("");
    expect(await failureOf(add("bob", current.headerOf("writer")))).toMatchObject({
      reason: "OUT_OF_SCOPE",
    });
    expect(await failureOf(add("ann"))).toMatchObject({ reason: "CREDENTIALS_REQUIRED" });
  });

  it("the old server refuses a caller without rights before it forwards anything", async () => {
    const old = await startCredentialedServer([
      { name: "op", roles: ["operator"], ...everything },
      { name: "writer", roles: ["writer"], ...everything, users: ["bob"] },
    ]);
    ends.push(() => old.stop());
    const current = await serve();
    const admin = createClient(AdminService, connect(old).transport);
    const headers = old.headerOf("op");
    const { holdId } = await admin.holdWrites({ range: {} }, { headers });
    await admin.holdWrites({ range: {}, holdId, movedTo: current.grpcUrl }, { headers });
    const { provider } = memoriesOn(old);
    const add = provider.add(
      { namespace: ann, content: "tea" },
      { headers: old.headerOf("writer") },
    );
    expect(await failureOf(add)).toMatchObject({ reason: "OUT_OF_SCOPE" });
    const list = await admin.holdWrites({ listOnly: true }, { headers });
    expect(list.forwardedCalls).toBe(0n);
  });

  it("a caller with a client certificate is refused with MOVED, with a key it is served", async () => {
    const flags = {
      "tls-cert": tlsFile("cert.pem"),
      "tls-key": tlsFile("key.pem"),
      "tls-client-ca": tlsFile("client-ca.pem"),
    };
    const certificates = ["spiffe://example/planner"];
    const old = await startCredentialedServer(
      [
        { name: "op", roles: ["operator"], ...everything },
        { name: "planner", roles: ["reader"], ...everything, certificates },
      ],
      flags,
    );
    ends.push(() => old.stop());
    const current = await serve();
    const headers = old.headerOf("op");
    const admin = createClient(AdminService, await tlsTransport(old.grpcUrl));
    const { holdId } = await admin.holdWrites({ range: {} }, { headers });
    await admin.holdWrites({ range: {}, holdId, movedTo: current.grpcUrl }, { headers });
    const shown = await tlsMemories(old.grpcUrl, { certificate: "client-cert.pem" });
    expect(await failureOf(shown.getAll({ namespace: ann }))).toMatchObject({
      reason: "MOVED",
      metadata: { address: current.grpcUrl },
    });
    const withKey = await shown.getAll({ namespace: ann }, { headers: old.headerOf("planner") });
    expect(withKey.memories).toEqual([]);
  });

  it("a server with a certificate of an unknown authority gets no call", async () => {
    const flags = { "tls-cert": tlsFile("cert.pem"), "tls-key": tlsFile("key.pem") };
    const [old, current] = [await serve({ "move-targets": "localhost" }), await serve(flags)];
    await sendTo(adminOf(old), tlsUrl(current.grpcUrl));
    const failure = await failureOf(memoriesOn(old).list());
    expect(failure).toMatchObject({ code: "UNAVAILABLE", reason: "NOT_SERVING" });
  });

  it("the limits of a client address do not apply to a listed forwarder", async () => {
    const flags = { "max-connections-per-address": "1" };
    for (const [more, outcome] of [
      [{}, "refused"],
      [{ forwarders: "127.0.0.1" }, "served"],
    ] as const) {
      const current = await serve({ ...flags, ...more });
      await memoriesOn(current).list();
      const second = memoriesOn(current, ann, connectJson).list();
      expect(
        await second.then(
          () => "served",
          () => "refused",
        ),
      ).toBe(outcome);
    }
  });
});
