import { readdirSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { describe, expect, it, onTestFinished } from "vitest";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { folderFormat } from "../../src/store/level/folder/mark-file.js";
import { verifyFolder } from "../../src/store/level/recovery/verify-folder.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer } from "./harness/test-server.js";
import { createUserClient } from "./harness/user-client.js";

const fixtures = join(import.meta.dirname, "../fixtures/folders");
const formats = readdirSync(fixtures).filter((name) => name.startsWith("format-"));
const desktop = { userId: "kim", agentId: "desktop" };
const phone = { userId: "kim", agentId: "phone" };
const watch = { userId: "kim", agentId: "watch" };

/** Returns the path of a copy of a folder, which is removed at the end of the test. */
async function copyOf(format: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-formats-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const data = join(folder, "data");
  await cp(join(fixtures, format), data, { recursive: true });
  return data;
}

it("there is a data folder in the current format", () => {
  expect(formats).toContain(`format-${folderFormat}`);
});

describe.each(formats)("a data folder in %s", (format) => {
  it(`a server reads every kind of record in a folder of ${format}, and writes to it`, async () => {
    const data = await copyOf(format);
    expect((await verifyFolder(data)).findings).toEqual([]);
    // Without pruning, so that the age of the folder does not matter.
    const server = await startTestServer({ data, pruning: "off" });
    onTestFinished(() => server.stop());
    const connection = nativeGrpc.connect(server);
    onTestFinished(() => connection.close());
    const { transport } = connection;

    const kim = createUserClient(connection, desktop);
    const notes = await kim.memories.contents();
    expect(notes).toEqual(
      expect.arrayContaining([
        "Kim keeps note 1 in the blue folder",
        "Kim keeps note 2 in the blue folder",
        "Kim keeps note 3 in the blue folder",
        "Kim wrote a diary",
      ]),
    );
    expect(notes).toHaveLength(4);
    const [tea, ...more] = await createUserClient(connection, phone).memories.list();
    expect(tea).toMatchObject({ content: "Kim likes tea", importance: 1, version: 2n });
    expect(more).toEqual([]);
    expect(await createUserClient(connection, watch).memories.list()).toEqual([]);
    const { hits } = await kim.memories.search("where is note 2?");
    expect(hits[0]?.memory).toMatchObject({
      content: "Kim keeps note 2 in the blue folder",
      tags: ["folder", "note-2"],
      externalId: "note-2",
      metadata: { note: 2, seen: [true, null] },
    });

    expect((await kim.block("profile")).body).toBe("Kim lives in Dijon.");
    expect(await kim.versions("profile")).toHaveLength(3);
    const { proposals } = await kim.proposals.listProposals({ userId: "kim" });
    expect(proposals.map(({ newString }) => newString).sort()).toEqual([
      "Dijon",
      "black tea",
      "coffee",
    ]);
    const decided = new Map(proposals.map(({ newString, status }) => [newString, status]));
    expect(decided.get("Dijon")).toBe(ProposalStatus.APPROVED);
    expect(decided.get("coffee")).toBe(ProposalStatus.REJECTED);

    const skills = createClient(SkillService, transport);
    expect((await skills.listSkills({ namespace: desktop })).skills).toMatchObject([
      { lesson: "Ask for the number of guests first", successCount: 1n },
    ]);
    const keys = createClient(KeyValueService, transport);
    expect(await keys.readKey({ runId: "run-1", key: "plan" })).toMatchObject({
      value: "First the tea.",
    });
    const chat = { namespace: { userId: "kim", agentId: "chat" }, threadId: "thread-1" };
    const { turns } = await createClient(ThreadService, transport).getTurns(chat);
    // The second turn has an earlier time than the first.
    expect(turns.map(({ content }) => content)).toEqual(["On the shelf.", "Where is the folder?"]);
    const tools = createClient(ToolService, transport);
    expect((await tools.listTools({})).manifests).toHaveLength(1);

    await kim.put("Kim lives in Lyon again.", { label: "profile" });
    await kim.memories.add("Kim keeps note 4 in the red folder");
    const found = await kim.memories.search("red folder");
    expect(found.hits[0]?.memory?.content).toBe("Kim keeps note 4 in the red folder");
  });

  it(`a folder of ${format} has no damage after a server has written to it`, async () => {
    const data = await copyOf(format);
    const server = await startTestServer({ data });
    const connection = nativeGrpc.connect(server);
    await createUserClient(connection, phone).memories.add("Kim likes coffee");
    connection.close();
    await server.stop();
    expect((await verifyFolder(data)).findings).toEqual([]);
  });
});
