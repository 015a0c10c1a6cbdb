import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { describeOver } from "../../over-protocols.js";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../harness/credentialed-server.js";
import { failureOf } from "../harness/failure.js";
import { collect, required, streamOf } from "../harness/namespace-client.js";
import { nativeGrpc, protocols } from "../harness/protocols.js";
import { useConnection } from "../harness/use-connection.js";

const everything = { users: ["*"], agents: ["*"], runs: ["*"] };
const principals = [
  { name: "ann", roles: ["writer"], users: ["ann"], agents: ["*"] },
  { name: "system", roles: ["writer"], users: ["system"], agents: ["*"] },
  { name: "acme-writer", roles: ["writer"], ...everything, tenant: "acme" },
  { name: "acme-operator", roles: ["writer", "operator"], ...everything, tenant: "acme" },
  { name: "bolt-operator", roles: ["writer", "operator"], ...everything, tenant: "bolt" },
  { name: "editor", roles: ["writer", "curator", "proposer"], ...everything },
  { name: "console", roles: ["approver"], ...everything },
] as const;

let server: CredentialedServer | undefined;
beforeAll(async () => {
  server = await startCredentialedServer(principals, { provider: "level", embedder: "none" });
});
afterAll(() => server?.stop());

function as(name: string, more: Readonly<Record<string, string>> = {}) {
  return { headers: { ...required(server, "no server").headerOf(name), ...more } };
}

describeOver("a trace without a user", protocols, (protocol) => {
  const connection = useConnection(protocol, () => server);
  const memories = () => createClient(MemoryProvider, connection().transport);
  const trace = { agentId: "flow", workflowId: "w", traceData: { step: "one" } };

  it("a trace without a user is refused to a principal that may not write as the user `system`", async () => {
    expect(await failureOf(memories().addTrace(trace, as("ann")))).toMatchObject({
      code: "PERMISSION_DENIED",
      reason: "OUT_OF_SCOPE",
      fields: ["user_id"],
    });
    const own = await memories().addTrace({ ...trace, userId: "ann" }, as("ann"));
    expect(own.id).not.toBe("");
  });

  it("a trace without a user goes to the user `system` of the caller's own tenant", async () => {
    const namespace = { userId: "system", agentId: "flow" };
    const { id } = await memories().addTrace(trace, as("system"));
    expect((await memories().get({ namespace, id }, as("system"))).memory?.id).toBe(id);
    const ofTenant = await memories().addTrace(trace, as("acme-writer"));
    await memories().get({ namespace, id: ofTenant.id }, as("acme-writer"));
    const foreign = memories().get({ namespace, id: ofTenant.id }, as("system"));
    expect(await failureOf(foreign)).toMatchObject({ reason: "MEMORY_NOT_FOUND" });
  });
});

const duplex = protocols.filter((protocol) => protocol.duplex);

describeOver("a refused stream of requests", duplex, (protocol) => {
  const connection = useConnection(protocol, () => server);
  const add = { namespace: { userId: "ann", agentId: "a" }, content: "x" };

  it("the refusal of a stream of requests has a reason, like the refusal of a single call", async () => {
    const memories = createClient(MemoryProvider, connection().transport);
    const addAs = (options: { readonly headers?: Readonly<Record<string, string>> }) =>
      failureOf(collect(memories.addBatch(streamOf([{ add }]), options)));
    expect(await addAs({})).toMatchObject({
      code: "UNAUTHENTICATED",
      reason: "CREDENTIALS_REQUIRED",
    });
    expect(await addAs({ headers: { authorization: "Bearer wrong" } })).toMatchObject({
      code: "UNAUTHENTICATED",
      reason: "CREDENTIALS_REFUSED",
    });
    expect(await addAs(as("console"))).toMatchObject({
      code: "PERMISSION_DENIED",
      reason: "ROLE_REQUIRED",
    });
  });
});

let labels = 0;

describeOver("a decision with a faulty header `vademecum-actor`", protocols, (protocol) => {
  const connection = useConnection(protocol, () => server);

  it.each([
    ["is not percent-encoded UTF-8", "Ann%E9", "percent-encoded"],
    ["ends in the middle of a code", "Ann%2", "percent-encoded"],
    ["has more than 256 bytes", "%C3%A9".repeat(129), "at most 256 bytes"],
    ["has a NUL", "Ann%00", "no control characters"],
    ["has a line break", "Ann%0ALee", "no control characters"],
  ])(
    "a decision whose actor header %s is refused, and the proposal stays pending",
    async (_, actor, rule) => {
      const userId = "ann";
      const label = `label ${++labels}`;
      const blocks = createClient(BlockService, connection().transport);
      const proposals = createClient(ProposalService, connection().transport);
      const memories = createClient(MemoryProvider, connection().transport);
      await blocks.putBlock({ userId, label, body: "tea" }, as("editor"));
      const { proposal } = await memories.proposeEdit(
        {
          namespace: { userId, agentId: "a" },
          target: { case: "blockLabel", value: label },
          oldString: "tea",
          newString: "milk",
          reasoning: "because",
        },
        as("editor"),
      );
      const decision = { userId, id: required(proposal, "no proposal").id };
      const headers = as("console", { "vademecum-actor": actor });
      const refusals = [
        await failureOf(proposals.approveProposal(decision, headers)),
        await failureOf(proposals.rejectProposal(decision, headers)),
      ];
      for (const refusal of refusals) {
        expect(refusal).toMatchObject({ code: "INVALID_ARGUMENT", fields: ["vademecum-actor"] });
        expect(refusal.message).toContain(rule);
      }
      const longest = as("console", { "vademecum-actor": "%C3%A9".repeat(128) });
      const approved = await proposals.approveProposal(decision, longest);
      expect(approved.proposal?.decidedFor).toBe("é".repeat(128));
    },
  );
});

describe("Backup of a tenant", () => {
  const connection = useConnection(
    () => nativeGrpc,
    () => server,
  );
  const admin = () => createClient(AdminService, connection().transport);
  const namespace = { userId: "ann", agentId: "a" };

  it("only an operator may call Backup of a tenant", async () => {
    for (const name of ["acme-writer", "ann", "console"])
      expect(await failureOf(collect(admin().backup({}, as(name))))).toMatchObject({
        code: "PERMISSION_DENIED",
        reason: "ROLE_REQUIRED",
        metadata: { roles: "operator" },
      });
  });

  it("the backup of a tenant contains no data of another tenant", async () => {
    const memories = createClient(MemoryProvider, connection().transport);
    for (const tenant of ["acme", "bolt"])
      await memories.add({ namespace, content: `secret of ${tenant}` }, as(`${tenant}-operator`));
    for (const [tenant, other] of [
      ["acme", "bolt"],
      ["bolt", "acme"],
    ] as const) {
      const options = as(`${tenant}-operator`);
      const chunks = await collect(admin().backup({}, options));
      const text = chunks.map((chunk) => textIn(chunk)).join("");
      expect(text).toContain(`secret of ${tenant}`);
      expect(text).not.toContain(`secret of ${other}`);
    }
  });
});

/** Returns all bytes of a message as text, one character for each byte. */
function textIn(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("latin1");
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value).map(textIn).join(" ");
}
