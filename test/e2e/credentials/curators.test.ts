import type { JsonObject } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { describeOver } from "../../over-protocols.js";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../harness/credentialed-server.js";
import { failureOf } from "../harness/failure.js";
import { collect, required, streamOf } from "../harness/namespace-client.js";
import { nativeGrpc, protocols } from "../harness/protocols.js";
import { useConnection } from "../harness/use-connection.js";

const everything = { users: ["*"], agents: ["*"] };
const principals = [
  { name: "agent", roles: ["writer", "proposer"], ...everything },
  { name: "other", roles: ["writer"], ...everything },
  { name: "host", roles: ["writer", "curator"], ...everything },
  { name: "reviewer", roles: ["approver"], ...everything },
  { name: "proposer", roles: ["proposer"], ...everything },
  { name: "colleague", roles: ["writer", "proposer"], ...everything },
] as const;

const needsCurator = {
  code: "PERMISSION_DENIED",
  reason: "ROLE_REQUIRED",
  metadata: { roles: "curator" },
};

let server: CredentialedServer | undefined;
beforeAll(async () => {
  server = await startCredentialedServer(principals);
});
afterAll(() => server?.stop());

describeOver("roles and reviews", protocols, (protocol) => {
  const connection = useConnection(protocol, () => server);
  const as = (name: string) => ({ headers: required(server, "no server").headerOf(name) });
  const memories = () => createClient(MemoryProvider, connection().transport);
  const blocks = () => createClient(BlockService, connection().transport);
  const namespace = { userId: "ann", agentId: "chat" };
  const add = (content: string, name: string) => memories().add({ namespace, content }, as(name));
  const update = (id: string, content: string, name: string) =>
    memories().update(
      { namespace, id, changes: { content }, updateMask: { paths: ["content"] } },
      as(name),
    );
  const contentOf = async (id: string) =>
    (await memories().get({ namespace, id }, as("agent"))).memory?.content;

  it("a writer cannot write or delete blocks, delete by filter, or reset; a curator can", async () => {
    const target = { case: "namespace", value: namespace } as const;
    const calls = [
      (name: string) => blocks().putBlock({ userId: "ann", label: "b", body: "x" }, as(name)),
      (name: string) => blocks().deleteBlock({ userId: "ann", label: "b" }, as(name)),
      (name: string) => memories().deleteWhere({ namespace, filter: { tagsAny: ["t"] } }, as(name)),
      (name: string) => memories().reset({ target }, as(name)),
    ];
    for (const call of calls) {
      expect(await failureOf(call("agent"))).toMatchObject({ reason: "ROLE_REQUIRED" });
      await call("host");
    }
  });

  it("a writer changes, supersedes and deletes what it wrote itself, and nothing else", async () => {
    const { id } = await add("the rent is 1200", "agent");
    for (const refused of [
      update(id, "the rent is 0", "other"),
      memories().delete({ namespace, id }, as("other")),
      memories().add({ namespace, content: "none", supersedes: id }, as("other")),
    ])
      expect(await failureOf(refused)).toMatchObject(needsCurator);
    expect(await contentOf(id)).toBe("the rent is 1200");

    await update(id, "the rent is 1250", "agent");
    const { id: next } = await memories().add(
      { namespace, content: "the rent is 1300", supersedes: id },
      as("agent"),
    );
    expect(await memories().delete({ namespace, id: next }, as("agent"))).toMatchObject({
      deleted: true,
    });
    expect(await memories().delete({ namespace, id }, as("host"))).toMatchObject({ deleted: true });
  });

  it("an agent cannot undo the edit that a person made or approved", async () => {
    const { id } = await add("likes tea", "agent");
    const target = { case: "memoryId", value: id } as const;
    const edit = { oldString: "tea", newString: "mate", reasoning: "because" };
    const { proposal } = await memories().proposeEdit({ namespace, target, ...edit }, as("agent"));
    await createClient(ProposalService, connection().transport).approveProposal(
      { userId: "ann", id: proposal?.id ?? "", editedNewString: "green tea" },
      as("reviewer"),
    );
    expect(await failureOf(update(id, "likes mate", "agent"))).toMatchObject(needsCurator);
    expect(await contentOf(id)).toBe("likes green tea");

    const { id: corrected } = await add("lives in Lion", "agent");
    await update(corrected, "lives in Lyon", "host");
    expect(await failureOf(update(corrected, "lives in Lion", "agent"))).toMatchObject(
      needsCurator,
    );
    const { memory } = await memories().update(
      {
        namespace,
        id: (await add("call the bank", "agent")).id,
        changes: { importance: 1 },
        updateMask: { paths: ["importance"] },
      },
      as("host"),
    );
    // A change of other fields leaves the content with its writer.
    await update(memory?.id ?? "", "called the bank", "agent");
  });

  it("correct_memory changes what the caller wrote, and else proposes the change; forget_memory deletes only that", async () => {
    const tools = createClient(ToolService, connection().transport);
    const dispatch = (toolName: string, toolArguments: JsonObject, name: string) =>
      tools.dispatch({ namespace, toolName, arguments: toolArguments }, as(name));
    const { id } = await add("Ann drinks tea", "agent");
    const correct = (content: string, name: string) =>
      dispatch("correct_memory", { id, content, reasoning: "She said so" }, name);
    expect(await correct("Ann drinks coffee", "agent")).toMatchObject({
      isError: false,
      structured: { id, outcome: "corrected" },
    });
    for (const [name, why] of [
      ["proposer", "your credentials may only propose"],
      ["colleague", "others wrote this memory"],
    ] as const) {
      const { result, structured } = await correct(`Ann drinks milk (${name})`, name);
      expect(result).toContain(`Not changed yet, because ${why}. Edit proposal created for memory`);
      expect(structured).toMatchObject({ id, outcome: "proposed" });
      const { proposal_id: proposalId } = structured as { proposal_id: string };
      const proposals = createClient(ProposalService, connection().transport);
      const request = { userId: "ann", id: proposalId };
      const reply = await proposals.getProposal(request, as("reviewer"));
      expect(reply.proposal).toMatchObject({
        oldString: "Ann drinks coffee",
        newString: `Ann drinks milk (${name})`,
      });
    }
    expect(await correct("x", "other")).toMatchObject({
      isError: true,
      result: expect.stringContaining("others wrote this memory") as unknown,
    });
    expect(await contentOf(id)).toBe("Ann drinks coffee");
    expect(await dispatch("forget_memory", { id }, "other")).toMatchObject({ isError: true });
    expect(await failureOf(dispatch("forget_memory", { id }, "proposer"))).toMatchObject({
      reason: "ROLE_REQUIRED",
    });
    expect(await dispatch("forget_memory", { id }, "agent")).toMatchObject({
      structured: { id, deleted: true },
    });
  });
});

describeOver("skills of others", protocols, (protocol) => {
  const connection = useConnection(protocol, () => server);
  const as = (name: string) => ({ headers: required(server, "no server").headerOf(name) });
  const skills = () => createClient(SkillService, connection().transport);
  const namespace = { userId: "ann", agentId: "coder" };
  const store = (name: string, id: string, lesson: string) =>
    skills().storeSkill({ namespace, id, context: "a scan", lesson }, as(name));
  const lessonOf = async (id: string) =>
    (await skills().listSkills({ namespace }, as("other"))).skills.find((it) => it.id === id)
      ?.lesson;

  it("a writer replaces and deletes the skills that it stored itself, and nothing else", async () => {
    const id = `scan over ${protocol.name}`;
    await store("agent", id, "run OCR");
    const refused = await failureOf(store("other", id, "delete the file"));
    expect(refused).toMatchObject({ ...needsCurator, fields: ["id"] });
    expect(refused.message).toContain("store a skill without an id");
    expect(await failureOf(skills().deleteSkill({ namespace, id }, as("other")))).toMatchObject(
      needsCurator,
    );
    expect(await lessonOf(id)).toBe("run OCR");
    await store("agent", id, "run OCR first");
    await store("host", id, "ask first");
    expect(await failureOf(store("agent", id, "run OCR"))).toMatchObject(needsCurator);
    expect(await lessonOf(id)).toBe("ask first");
    expect((await skills().deleteSkill({ namespace, id }, as("host"))).deleted).toBe(true);
    expect((await skills().deleteSkill({ namespace, id }, as("other"))).deleted).toBe(false);
    await store("other", id, "a skill of its own");
    expect((await skills().deleteSkill({ namespace, id }, as("other"))).deleted).toBe(true);
  });
});

describeOver("a batch of a writer", [nativeGrpc], (protocol) => {
  const connection = useConnection(protocol, () => server);
  const as = (name: string) => ({ headers: required(server, "no server").headerOf(name) });
  const namespace = { userId: "ann", agentId: "batch" };

  it("an item that supersedes the memory of another principal fails alone", async () => {
    const memories = createClient(MemoryProvider, connection().transport);
    const { id } = await memories.add({ namespace, content: "first" }, as("agent"));
    const items = [
      { clientId: "1", add: { namespace, content: "other", supersedes: id } },
      { clientId: "2", add: { namespace, content: "new" } },
    ];
    const answers = await collect(memories.addBatch(streamOf(items), as("other")));
    expect(answers.map(({ result }) => result.case)).toEqual(["error", "id"]);
  });
});
