import { expect, test } from "vitest";
import type { Scope } from "../../../src/core/model/namespace.js";
import { examples } from "./mutations.js";
import { call, createWorld, registerWriter, type World } from "./world.js";

const namespace = { userId: "kim", agentId: "guide" };
const idempotencyKey = "a key of a caller";
const addition = { namespace, content: "red wine" };

async function contentsOf({ memories }: World): Promise<string[]> {
  const query = { namespace, filter: {}, limit: 100, pageToken: "", includeSuperseded: true };
  return (await memories.getAll(query, call)).memories.map(({ content }) => content);
}

test.each([
  ["Delete", ({ memories }: World, id: string) => memories.delete({ namespace, id }, call)],
  [
    "DeleteWhere",
    ({ memories }: World) =>
      memories.deleteWhere(
        { namespace, filter: { memoryTypes: ["EPISODIC"] }, dryRun: false },
        call,
      ),
  ],
  ["Reset", ({ memories }: World) => memories.reset({ target: namespace }, call)],
  ["Reset of everything", ({ memories }: World) => memories.reset({ target: "everything" }, call)],
])("an Add repeated after %s stores the memory again", async (_, remove) => {
  const world = await createWorld();
  const { id } = await world.memories.add({ ...addition, idempotencyKey }, call);
  await remove(world, id);
  const again = await world.memories.add({ ...addition, idempotencyKey }, call);
  expect(again.id).not.toBe(id);
  expect(await contentsOf(world)).toContain("red wine");
  expect((await world.memories.add({ ...addition, idempotencyKey }, call)).id).toBe(again.id);
});

test("a batch repeated after a Delete stores only the deleted memory again", async () => {
  const world = await createWorld();
  await world.memories.reset({ target: namespace }, call);
  const addAll = () => {
    const batch = world.memories.openBatch(call);
    const items = ["a", "b"].map((content) => ({ namespace, content, idempotencyKey: content }));
    return Promise.all(items.map((item) => batch.add(item)));
  };
  const [first, second] = await addAll();
  await world.memories.delete({ namespace, id: first?.id ?? "" }, call);
  const repeated = await addAll();
  expect(repeated[1]).toEqual(second);
  expect(repeated[0]).not.toEqual(first);
  expect((await contentsOf(world)).toSorted()).toEqual(["a", "b"]);
});

test("a batch refuses only the memory whose expire_time has passed", async () => {
  const { memories } = await createWorld();
  const batch = memories.openBatch(call);
  const expired = { namespace, content: "gone", expireTime: { seconds: 1, nanos: 0 } };
  const [kept, refused] = await Promise.allSettled([batch.add(addition), batch.add(expired)]);
  expect(kept.status).toBe("fulfilled");
  expect(refused).toMatchObject({ reason: { fields: [{ field: "expire_time" }] } });
});

test("a SubmitToolResponse repeated after a Delete stores only the deleted memory again", async () => {
  const world = await createWorld();
  await world.memories.reset({ target: namespace }, call);
  const response = {
    ...{ namespace, requestId: "r", toolId: "writer", toolVersion: "1" },
    ...{ taskId: "t", planId: "p" },
    memoryWrites: [{ content: "kept" }, { content: "deleted" }],
    scratchPageWrites: [],
    idempotencyKey,
  };
  await registerWriter(world);
  const first = await world.tools.submitToolResponse(response, call);
  await world.memories.delete({ namespace, id: first.ids[1] ?? "" }, call);
  const again = await world.tools.submitToolResponse(response, call);
  expect(again.ids[0]).toBe(first.ids[0]);
  expect(again.ids[1]).not.toBe(first.ids[1]);
  expect((await contentsOf(world)).toSorted()).toEqual(["deleted", "kept"]);
  expect(await world.tools.submitToolResponse(response, call)).toEqual(again);
});

test("an Update repeated after the memory's Delete fails as a new Update does", async () => {
  const world = await createWorld();
  const { id } = await world.memories.add(addition, call);
  const update = { namespace, id, changes: { content: "white wine" }, idempotencyKey };
  await world.memories.update(update, call);
  await world.memories.delete({ namespace, id }, call);
  await expect(world.memories.update(update, call)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a repeated Update returns the memory as it is now, and the version that it made", async () => {
  const { memories } = await createWorld();
  const { id } = await memories.add(addition, call);
  const update = { namespace, id, changes: { content: "white wine" }, idempotencyKey };
  expect(await memories.update(update, call)).not.toHaveProperty("replayedVersion");
  await memories.update({ namespace, id, changes: { content: "rose" } }, call);
  expect(await memories.update(update, call)).toMatchObject({
    memory: { content: "rose", version: 3 },
    replayedVersion: 2,
  });
});

test("a WriteKey repeated after DeleteKey writes the key again", async () => {
  const { keyValues } = await createWorld();
  const write = { runId: "r", key: "k", value: "v", idempotencyKey };
  expect(await keyValues.write(write, call)).toMatchObject({ created: true });
  await keyValues.delete({ runId: "r", key: "k" }, call);
  expect(await keyValues.write(write, call)).toMatchObject({ created: true });
  expect(await keyValues.read("r", "k")).toBe("v");
  await keyValues.delete({ runId: "r", key: "k" }, call);
  await keyValues.write({ runId: "r", key: "k", value: "of another call" }, call);
  expect(await keyValues.write(write, call)).toMatchObject({ created: false });
  expect(await keyValues.read("r", "k")).toBe("v");
});

test("a PutBlock repeated after DeleteBlock writes the block again", async () => {
  const { blocks } = await createWorld();
  const put = { userId: "kim", label: "l", body: "b", writtenBy: "kim", idempotencyKey };
  const remove = () => blocks.delete({ userId: "kim", label: "l" });
  await blocks.put(put);
  await remove();
  expect((await blocks.put(put)).block).toMatchObject({ body: "b", version: 1 });
  await remove();
  await blocks.put({ userId: "kim", label: "l", body: "of another call", writtenBy: "kim" });
  expect(await blocks.put(put)).toMatchObject({ block: { body: "b", version: 2 } });
  expect(await blocks.put(put)).toMatchObject({ block: { body: "b" }, replayedVersion: 2 });
});

test("a StoreSkill repeated after DeleteSkill stores the skill again", async () => {
  const { skills } = await createWorld();
  const skill = { namespace, id: "s", context: "c", lesson: "l", idempotencyKey };
  const remove = () => skills.delete({ namespace, id: "s" }, call);
  const count = { namespace, id: "s", idempotencyKey };
  await skills.store(skill, call);
  expect(await skills.updateSuccessCount(count, call)).toMatchObject({ successCount: 1 });
  await remove();
  expect(await skills.store(skill, call)).toMatchObject({ created: true });
  expect(await skills.updateSuccessCount(count, call)).toMatchObject({ successCount: 1 });
  await remove();
  await skills.store({ namespace, id: "s", context: "c", lesson: "of another call" }, call);
  expect(await skills.store(skill, call)).toMatchObject({
    known: { skill: { lesson: "l" } },
    created: false,
  });
});

test("a RegisterTool repeated after DeleteTool registers the tool again", async () => {
  const { tools } = await createWorld();
  const manifest = { toolId: "tool", version: "1", memoryAccess: [] };
  const list = async () =>
    (await tools.listTools({ toolId: "", limit: 10, pageToken: "" })).manifests;
  await tools.registerTool({ manifest, idempotencyKey });
  await tools.deleteTool({ toolId: "tool" });
  expect(await tools.registerTool({ manifest, idempotencyKey })).toEqual({ changed: true });
  expect(await list()).toEqual([manifest]);
});

test("a ProposeEdit repeated after DeleteBlock returns the proposal without its texts", async () => {
  const { proposals, blocks } = await createWorld();
  const edit = {
    ...{ namespace, target: { kind: "block", label: "notes" } as const, replaceAll: false },
    ...{ oldString: "red", newString: "white", reasoning: "said so", idempotencyKey },
  };
  await proposals.propose(edit);
  await blocks.delete({ userId: "kim", label: "notes" });
  const { proposal, message } = await proposals.propose(edit);
  expect(proposal).toMatchObject({ status: "CONFLICTED", newString: "", reasoning: "" });
  expect(message).not.toContain("said so");
});

test("a repeated deletion answers as the first, whatever was stored since", async () => {
  const { memories } = await createWorld();
  const deleteOne = () => memories.delete({ namespace, id: "id22", idempotencyKey }, call);
  expect(await deleteOne()).toEqual({ deleted: true });
  expect(await deleteOne()).toEqual({ deleted: true });
  await memories.add(addition, call);
  const filter = { memoryTypes: ["EPISODIC"] } as const;
  const deleteAll = () =>
    memories.deleteWhere({ namespace, filter, dryRun: false, idempotencyKey }, call);
  const first = await deleteAll();
  expect(first).toMatchObject({ deleted: 1 });
  await memories.add(addition, call);
  expect(await deleteAll()).toEqual(first);
});

test.each([
  ["memory_type", { memoryType: "EPISODIC" }],
  ["importance", { importance: 0.5 }],
  ["status", { status: "ACTIVE" }],
  ["restricted", { restricted: false }],
  ["tags", { tags: [] }],
] as const)("an Add with the default of %s repeats an Add that leaves it out", async (_, field) => {
  const { memories } = await createWorld();
  const { id } = await memories.add({ ...addition, idempotencyKey }, call);
  expect((await memories.add({ ...addition, ...field, idempotencyKey }, call)).id).toBe(id);
});

test("defaults that other calls name repeat calls that leave them out", async () => {
  const world = await createWorld();
  const { id } = await world.memories.add(addition, call);
  const update = { namespace, id, idempotencyKey };
  await world.memories.update({ ...update, changes: { importance: undefined } }, call);
  expect(
    await world.memories.update({ ...update, changes: { importance: 0.5 } }, call),
  ).toHaveProperty("replayedVersion");
  await world.skills.store({ namespace, id: "s", context: "c", lesson: "l" }, call);
  const count = { namespace, id: "s", idempotencyKey };
  await world.skills.updateSuccessCount(count, call);
  expect(
    await world.skills.updateSuccessCount({ ...count, increment: 1, failureIncrement: 0 }, call),
  ).toMatchObject({ successCount: 1 });
  const edit = {
    ...{ namespace, target: { kind: "block", label: "notes" } as const, replaceAll: false },
    ...{ oldString: "red", newString: "white", reasoning: "said so", idempotencyKey },
  };
  const { proposal } = await world.proposals.propose(edit);
  expect((await world.proposals.propose({ ...edit, confidence: "MEDIUM" })).proposal.id).toBe(
    proposal.id,
  );
});

/** Fields whose values are texts of callers. Ids, labels and names are no texts. */
const textFields =
  /^(?:content|body|title|schemaRef|value|context|lesson|oldString|newString|editedNewString|reasoning|reason|traceData|metadata|author|source|kind|tags)$/;

function* textsIn(value: unknown, field = ""): Generator<string> {
  if (typeof value === "string") {
    if (textFields.test(field)) yield value;
  } else if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value)) {
    for (const [name, inner] of Object.entries(value))
      yield* textsIn(inner, Array.isArray(value) ? field : name);
  }
}

test("no stored reply holds a text of its request, or the idempotency key", async () => {
  let texts = 0;
  for (const { rpc, scope, input, run } of examples) {
    const world = await createWorld();
    await run(world, { ...input, idempotencyKey });
    const kept = await repliesIn(world, scope);
    expect(kept, rpc).toContain("requestDigest");
    for (const text of textsIn(input)) {
      texts += 1;
      expect(kept, `${rpc} keeps ${text}`).not.toContain(JSON.stringify(text));
    }
    expect(kept, rpc).not.toContain(idempotencyKey);
  }
  expect(texts).toBeGreaterThan(20);
});

async function repliesIn({ store }: World, scope: Scope): Promise<string> {
  await using snapshot = await store.snapshot(scope);
  const kept: unknown[] = [];
  for await (const entry of snapshot.scan("replies", scope)) kept.push(entry);
  for await (const entry of snapshot.scan("replyExpiries", scope)) kept.push(entry);
  return JSON.stringify(kept);
}
