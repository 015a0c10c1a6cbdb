import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { describeOver } from "../../over-protocols.js";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../harness/credentialed-server.js";
import { failureOf } from "../harness/failure.js";
import { collect, required } from "../harness/namespace-client.js";
import { nativeGrpc } from "../harness/protocols.js";
import { useConnection } from "../harness/use-connection.js";

const roles = ["writer", "curator", "proposer", "approver", "operator"] as const;
const everything = { roles, users: ["*"], agents: ["*"], runs: ["*"] };
const tenants = ["acme", "bolt", ""] as const;
const namespace = { userId: "ann", agentId: "a" };

let server: CredentialedServer | undefined;
beforeAll(async () => {
  server = await startCredentialedServer(
    tenants.map((tenant) => ({
      name: `of-${tenant}`,
      ...everything,
      ...(tenant === "" ? {} : { tenant }),
    })),
    { provider: "level", "allow-reset": "true", pruning: "off" },
  );
});
afterAll(() => server?.stop());

describeOver("two tenants with the same users", [nativeGrpc], (protocol) => {
  const connection = useConnection(protocol, () => server);
  const as = (tenant: string) => ({
    headers: required(server, "no server").headerOf(`of-${tenant}`),
  });
  const memories = () => createClient(MemoryProvider, connection().transport);
  const blocks = () => createClient(BlockService, connection().transport);
  const keys = () => createClient(KeyValueService, connection().transport);
  const skills = () => createClient(SkillService, connection().transport);
  const tools = () => createClient(ToolService, connection().transport);

  it("two tenants share no memory, block, note, skill, tool, idempotency key or search", async () => {
    for (const tenant of tenants) {
      const content = `the safe of ${tenant || "nobody"}`;
      await memories().add({ namespace, content, idempotencyKey: "key" }, as(tenant));
      await blocks().putBlock({ userId: "ann", label: "safe", body: content }, as(tenant));
      await keys().writeKey({ runId: "run", key: "safe", value: content }, as(tenant));
      await skills().storeSkill({ namespace, context: content, lesson: content }, as(tenant));
      const manifest = { toolId: `tool-${tenant}`, version: "1" };
      await tools().registerTool({ manifest }, as(tenant));
    }
    for (const tenant of tenants) {
      const content = `the safe of ${tenant || "nobody"}`;
      const { memories: listed } = await memories().getAll({ namespace }, as(tenant));
      expect(listed.map((it) => it.content)).toEqual([content]);
      const search = { search: { namespace, query: "safe" } };
      const { hits } = await memories().recall(search, as(tenant));
      expect(hits.map(({ memory }) => memory?.content)).toEqual([content]);
      const { blocks: found } = await blocks().listBlocks({ userId: "ann" }, as(tenant));
      expect(found.map(({ body }) => body)).toEqual([content]);
      expect((await keys().readKey({ runId: "run", key: "safe" }, as(tenant))).value).toBe(content);
      const { skills: kept } = await skills().listSkills({ namespace }, as(tenant));
      expect(kept.map(({ lesson }) => lesson)).toEqual([content]);
      const { manifests } = await tools().listTools({}, as(tenant));
      expect(manifests.map(({ toolId }) => toolId)).toEqual([`tool-${tenant}`]);
    }
  });

  it("a page token of a tenant is refused for every other tenant", async () => {
    for (const tenant of tenants) {
      await keys().writeKey({ runId: "run", key: "first", value: "1" }, as(tenant));
      await keys().writeKey({ runId: "run", key: "second", value: "2" }, as(tenant));
      await memories().add({ namespace, content: "the key of the garden" }, as(tenant));
      await memories().add({ namespace, content: "the lamp of the kitchen" }, as(tenant));
    }
    const listings = [
      (tenant: string, pageToken: string) =>
        keys().listKeys({ runId: "run", limit: 1, pageToken }, as(tenant)),
      (tenant: string, pageToken: string) =>
        memories().getAll({ namespace, limit: 1, pageToken }, as(tenant)),
    ];
    for (const list of listings) {
      for (const tenant of tenants) {
        const { nextPageToken } = await list(tenant, "");
        for (const other of tenants) {
          const page = list(other, nextPageToken);
          if (other === tenant) await expect(page).resolves.toBeDefined();
          else expect(await failureOf(page)).toMatchObject({ reason: "INVALID_PAGE_TOKEN" });
        }
      }
    }
  });

  it("two backups of one tenant name the same source, and backups of two tenants name different sources", async () => {
    const admin = createClient(AdminService, connection().transport);
    const sourceOf = async (tenant: string) => {
      const [first] = await collect(admin.backup({}, as(tenant)));
      return first?.chunk?.chunk.case === "header" ? first.chunk.chunk.value.sourceId : undefined;
    };
    const sources = await Promise.all(tenants.map(sourceOf));
    expect(new Set(sources).size).toBe(tenants.length);
    for (const source of sources) expect(source).toMatch(/^[0-9a-f]{32}$/);
    expect(await Promise.all(tenants.map(sourceOf))).toEqual(sources);
  });

  it("a tenant gets the same answer for an id of another tenant as for a missing id", async () => {
    const { id } = await memories().add({ namespace, content: "mine" }, as("acme"));
    const foreign = await failureOf(memories().get({ namespace, id }, as("bolt")));
    expect(foreign).toMatchObject({ code: "NOT_FOUND", reason: "MEMORY_NOT_FOUND" });
    await memories().delete({ namespace, id }, as("acme"));
    expect(await failureOf(memories().get({ namespace, id }, as("bolt")))).toEqual(foreign);
  });

  it("Prune, Reindex and Reset of everything by one tenant do not change the data of another tenant", async () => {
    const admin = createClient(AdminService, connection().transport);
    const expiredOf = async (tenant: string, dryRun: boolean) => {
      const { outcomes } = await admin.prune({ dryRun }, as(tenant));
      return outcomes.find(({ name }) => name === "expired_memories")?.result.value;
    };
    const expireTime = timestampFromMs(Date.now() + 1_000);
    for (const tenant of ["acme", "bolt", "bolt"])
      await memories().add({ namespace, content: "gone", expireTime }, as(tenant));
    await expect.poll(() => expiredOf("acme", true), { timeout: 10_000 }).toBe(1n);
    expect(await expiredOf("acme", false)).toBe(1n);
    expect(await expiredOf("bolt", true)).toBe(2n);
    const other = { userId: "bob", agentId: "a" };
    await memories().add({ namespace: other, content: "of bolt" }, as("bolt"));
    const reindexed = await collect(
      admin.reindex({ target: { case: "all", value: true } }, as("acme")),
    );
    expect(reindexed.at(-1)?.event.value).toMatchObject({
      namespacesChanged: 0n,
      namespacesUnchanged: 1n,
    });
    await memories().add({ namespace, content: "stays" }, as("bolt"));
    await memories().reset({ target: { case: "everything", value: true } }, as("acme"));
    expect((await memories().getAll({ namespace }, as("acme"))).memories).toEqual([]);
    const { memories: left } = await memories().getAll({ namespace }, as("bolt"));
    expect(left.map(({ content }) => content)).toContain("stays");
  });
});
