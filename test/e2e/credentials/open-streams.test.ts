import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { Health } from "#gen/grpc/health/v1/health_pb.js";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import type { AddBatchResponse } from "#gen/vademecum/v1/memory_provider_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import type { StoredPrincipal } from "../../../src/credentials/credentials.js";
import { describeOver } from "../../over-protocols.js";
import { createDeferred } from "../../rpc/deferred.js";
import { nextOf } from "../../rpc/streams.js";
import { changePrincipal, createCredentialChecks } from "../harness/credential-checks.js";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../harness/credentialed-server.js";
import { failureOf } from "../harness/failure.js";
import { required } from "../harness/namespace-client.js";
import { protocols } from "../harness/protocols.js";
import { useConnection } from "../harness/use-connection.js";

const hourMs = 60 * 60 * 1000;
const refused = { code: "UNAUTHENTICATED", reason: "CREDENTIALS_REFUSED" };
const startMs = Date.now();
const everybody = { users: ["*"], agents: ["*"] };
/** The principals of the cases. Each protocol uses principals of its own. */
const cases: readonly StoredPrincipal[] = [
  { name: "revoked", roles: ["proposer"], ...everybody },
  { name: "disabled", roles: ["writer"], ...everybody },
  { name: "expiring", roles: ["reader"], ...everybody },
  { name: "demoted", roles: ["reader"], ...everybody },
  { name: "moved", roles: ["reader"], ...everybody },
  { name: "widened", roles: ["reader"], users: ["*"], agents: ["a"] },
  { name: "narrowed", roles: ["writer"], ...everybody },
  { name: "restorer", roles: ["operator"] },
];
const owner = { name: "owner", roles: ["writer", "proposer"], ...everybody } as const;
const expiryOf = (protocolNumber: number) => startMs + (protocolNumber + 1) * hourMs;
const numbered = (name: string, protocolNumber: number) => `${name}-${protocolNumber}`;

const checks = createCredentialChecks();
let server: CredentialedServer | undefined;
beforeAll(async () => {
  const principals = protocols.flatMap((_, number) =>
    cases.map((principal) => ({ ...principal, name: numbered(principal.name, number) })),
  );
  server = await startCredentialedServer(
    [owner, ...principals],
    {},
    checks.time,
    (credentials) => ({
      principals: credentials.principals.map((principal) => {
        const number = protocols.findIndex((_, at) => principal.name === numbered("expiring", at));
        if (number < 0) return principal;
        const expireTime = new Date(expiryOf(number)).toISOString();
        const keys = (principal.keys ?? []).map((key) => ({ ...key, expire_time: expireTime }));
        return { ...principal, keys };
      }),
    }),
  );
});
afterAll(() => server?.stop());

describeOver("an open watch of proposals", protocols, (protocol) => {
  const connection = useConnection(protocol, () => server);
  const running = () => required(server, "no server");
  const number = () => protocols.indexOf(protocol());
  const change = (name: string, how: (principal: StoredPrincipal) => StoredPrincipal | undefined) =>
    changePrincipal(running().file, numbered(name, number()), how);

  /** Adds a memory of a user and proposes an edit of it, as the principal `owner`. */
  const propose = async (userId: string, agentId = "a") => {
    const memories = createClient(MemoryProvider, connection().transport);
    const options = { headers: running().headerOf("owner") };
    const namespace = { userId, agentId };
    const { id } = await memories.add({ namespace, content: "tea" }, options);
    const edit = { oldString: "tea", newString: "milk", reasoning: "because" };
    const target = { case: "memoryId", value: id } as const;
    await memories.proposeEdit({ namespace, target, ...edit }, options);
  };
  /** Watches the proposals of a user, and resolves when the watch is open. */
  const watchAs = async (name: string, userId = numbered(name, number())) => {
    await propose(userId);
    const proposals = createClient(ProposalService, connection().transport);
    const headers = running().headerOf(name === "owner" ? name : numbered(name, number()));
    const watch = proposals.watchProposals({ userId }, { headers })[Symbol.asyncIterator]();
    await nextOf(watch);
    return watch;
  };

  it("a watch ends when its key is revoked, and watches of other principals continue", async () => {
    const userId = numbered("both", number());
    const [revoked, other] = [await watchAs("revoked", userId), await watchAs("owner", userId)];
    const end = failureOf(revoked.next().then(() => revoked.next()));
    await change("revoked", (principal) => ({ ...principal, keys: [] }));
    await checks.check();
    expect(await end).toMatchObject(refused);
    await nextOf(other);
    const next = nextOf(other);
    await propose(userId);
    expect((await next)?.proposal?.namespace?.userId).toBe(userId);
    await other.return?.();
  });

  it("a watch ends when its key has expired", async () => {
    const watch = await watchAs("expiring");
    const end = failureOf(watch.next());
    checks.setTime(expiryOf(number()));
    await checks.check();
    expect(await end).toMatchObject(refused);
  });

  it("a watch ends with ROLE_REQUIRED when its principal loses the role", async () => {
    const watch = await watchAs("demoted");
    const end = failureOf(watch.next());
    await change("demoted", (principal) => ({ ...principal, roles: ["tool"] }));
    await checks.check();
    expect(await end).toMatchObject({ code: "PERMISSION_DENIED", reason: "ROLE_REQUIRED" });
  });

  it("a watch ends with OUT_OF_SCOPE when its principal may no longer name the user", async () => {
    const watch = await watchAs("moved");
    const next = nextOf(watch);
    await change("moved", (principal) => ({ ...principal, agents: ["b"] }));
    await checks.check();
    // The watch continues. It no longer yields proposals of the agent `a`.
    const userId = numbered("moved", number());
    await propose(userId, "a");
    await propose(userId, "b");
    expect((await next)?.proposal?.namespace?.agentId).toBe("b");
    const end = failureOf(watch.next());
    await change("moved", (principal) => ({ ...principal, users: ["somebody"] }));
    await checks.check();
    expect(await end).toMatchObject({ code: "PERMISSION_DENIED", reason: "OUT_OF_SCOPE" });
  });

  it("when its principal gets access to an agent, a watch yields the agent's pending proposals", async () => {
    const userId = numbered("widened", number());
    await propose(userId, "b");
    const watch = await watchAs("widened");
    const next = nextOf(watch);
    await change("widened", (principal) => ({ ...principal, agents: ["a", "b"] }));
    await checks.check();
    expect((await next)?.proposal?.namespace?.agentId).toBe("b");
    await watch.return?.();
  });
});

const duplex = protocols.filter((protocol) => protocol.duplex);

describeOver("an open stream of requests", duplex, (protocol) => {
  const connection = useConnection(protocol, () => server);
  const running = () => required(server, "no server");
  const named = (name: string) => numbered(name, protocols.indexOf(protocol()));
  const change = (name: string, how: (principal: StoredPrincipal) => StoredPrincipal | undefined) =>
    changePrincipal(running().file, named(name), how);

  /** Opens a batch that waits for its second item once the first one is stored. */
  const openBatch = async (name: string) => {
    const second = createDeferred<string>();
    const item = (userId: string) => ({
      add: { namespace: { userId, agentId: "a" }, content: `tea of ${named(name)}` },
    });
    const items = async function* () {
      yield item(named(name));
      yield item(await second.promise);
    };
    const memories = createClient(MemoryProvider, connection().transport);
    const headers = running().headerOf(named(name));
    const replies = memories.addBatch(items(), { headers })[Symbol.asyncIterator]();
    expect((await nextOf(replies))?.result.case).toBe("id");
    return { replies, addSecond: second.resolve };
  };
  const storedOf = async (name: string) => {
    const memories = createClient(MemoryProvider, connection().transport);
    const options = { headers: running().headerOf("owner") };
    const namespace = { userId: named(name), agentId: "a" };
    return (await memories.getAll({ namespace }, options)).memories.map(({ content }) => content);
  };

  it("an idle batch ends when its principal is disabled, and acknowledged memories stay stored", async () => {
    const { replies, addSecond } = await openBatch("disabled");
    const end = failureOf(replies.next());
    await change("disabled", (principal) => ({ ...principal, disabled: true }));
    await checks.check();
    expect(await end).toMatchObject(refused);
    addSecond(named("disabled"));
    expect(await storedOf("disabled")).toEqual([`tea of ${named("disabled")}`]);
  });

  it("a batch refuses later items that its principal may no longer add", async () => {
    const { replies, addSecond } = await openBatch("narrowed");
    await change("narrowed", (principal) => ({ ...principal, users: ["somebody"] }));
    await checks.check();
    addSecond(named("narrowed"));
    expect(reasonOf(await nextOf(replies))).toBe("OUT_OF_SCOPE");
    expect(await nextOf(replies)).toBeUndefined();
    expect(await storedOf("narrowed")).toHaveLength(1);
  });

  it("an idle restore ends when its principal is removed", async () => {
    const chunks = async function* (): AsyncGenerator<never> {
      yield await createDeferred<never>().promise;
    };
    const options = { headers: running().headerOf(named("restorer")) };
    const admin = createClient(AdminService, connection().transport);
    const end = failureOf(admin.restore(chunks(), options)[Symbol.asyncIterator]().next());
    // When the server answers this later call of the connection, it has received the restore.
    await createClient(Health, connection().transport).check({});
    await change("restorer", () => undefined);
    await checks.check();
    expect(await end).toMatchObject(refused);
  });
});

function reasonOf(reply: AddBatchResponse | undefined): string | undefined {
  if (reply?.result.case !== "error") return undefined;
  return reply.result.value.details.map((it) => anyUnpack(it, ErrorInfoSchema)?.reason)[0];
}
