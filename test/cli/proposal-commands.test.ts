import { fromJsonString } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProposeEditResponseSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalSchema } from "#gen/vademecum/v1/proposal_pb.js";
import {
  ApproveProposalResponseSchema,
  GetProposalResponseSchema,
} from "#gen/vademecum/v1/proposal_service_pb.js";
import { type Connection, nativeGrpc } from "../e2e/harness/protocols.js";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { createUserClient } from "../e2e/harness/user-client.js";
import { runCommand } from "./run-command.js";

let server: TestServer;
let connection: Connection;
let users = 0;

beforeAll(async () => {
  server = await startTestServer({ provider: "memory", embedder: "none" });
  connection = nativeGrpc.connect(server);
});

afterAll(async () => {
  connection.close();
  await server.stop();
});

/** Creates a new user with the block `student`, and commands of an agent. */
async function createShell() {
  const userId = `user-${++users}`;
  const user = createUserClient(connection, { userId, agentId: "tutor" });
  await user.put("Name: Ada\nLikes: math\n");
  const environment = {
    VADEMECUM_SERVER: server.grpcUrl,
    VADEMECUM_USER: userId,
    VADEMECUM_AGENT: "tutor",
  };
  const shell = (...args: readonly string[]) => runCommand(args, { environment });
  const propose = (...args: readonly string[]) =>
    shell(
      "propose",
      "--block",
      "student",
      "--old-string",
      "math",
      "--reasoning",
      "She said so",
      ...args,
    );
  const proposed = async (newString: string) => {
    const { stdout } = await propose("--new-string", newString, "--json");
    return fromJsonString(ProposeEditResponseSchema, stdout).proposal?.id ?? "";
  };
  return { user, shell, propose, proposed };
}

describe("propose", () => {
  it("propose records an edit, and prints its id and the message for the agent", async () => {
    const { user, propose } = await createShell();
    const { stdout, exitCode } = await propose(
      "--new-string",
      "mathematics",
      "--confidence",
      "high",
    );
    expect(exitCode).toBe(0);
    const [, id = ""] = /Proposal id: (\S+)\n$/.exec(stdout) ?? [];
    expect(stdout).toMatch(
      /^Edit proposal created for block 'student'\. The user will be asked to approve this change\. /,
    );
    expect((await user.proposal(id)).proposal).toMatchObject({
      newString: "mathematics",
      reasoning: "She said so",
      confidence: 3,
    });
  });

  it("propose can edit a memory, and can make a text empty", async () => {
    const { user, shell } = await createShell();
    const { id } = await user.memories.add("Likes math, math, math");
    const edit = ["--old-string", ", math", "--new-string", "", "--reasoning", "once is enough"];
    expect((await shell("propose", "--memory", id, ...edit)).stderr).toContain(
      "old_string appears 2 times",
    );
    const { stdout } = await shell("propose", "--memory", id, ...edit, "--replace-all");
    expect(stdout).toContain(`memory '${id}'`);
  });

  it("propose can rewrite a text whole, add to its end, and create a block", async () => {
    const { user, shell } = await createShell();
    const reasoning = ["--reasoning", "She said so"];
    const propose = (...args: string[]) => shell("propose", ...reasoning, ...args);
    await propose("--block", "student", "--append", "Goal: a degree");
    await propose("--block", "goals", "--new-body", "- Learn to sail");
    const { stdout } = await shell("proposals");
    for (const part of ["added at the end: Goal: a degree", "new body: - Learn to sail"])
      expect(stdout).toContain(part);
    const { proposals } = await user.proposals.listProposals({ userId: user.userId });
    await shell("approve", ...proposals.map(({ id }) => id));
    expect((await user.block()).body).toBe("Name: Ada\nLikes: math\nGoal: a degree");
    expect((await user.block("goals")).body).toBe("- Learn to sail");
    const incomplete = await propose("--block", "student", "--old-string", "a");
    expect(incomplete).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--new-body, or --append") as unknown,
    });
  });

  it("a proposal is shown against the text as it is now", async () => {
    const { user, shell, proposed } = await createShell();
    const id = await proposed("maths");
    await user.put("Name: Ada L.\nLikes: math\n");
    const { stdout } = await shell("proposals", id);
    expect(stdout).toContain("  now: the text has changed since\n");
    expect(stdout).toContain("--- version 2\n+++ proposal\n@@ -1,2 +1,2 @@\n Name: Ada L.\n");
    await user.put("");
    expect((await shell("proposals", id)).stdout).toContain(
      "  now: does not apply: the old text is gone\n",
    );
  });

  it("propose requires exactly one target", async () => {
    const { propose, shell } = await createShell();
    const none = await shell(
      "propose",
      "--old-string",
      "a",
      "--new-string",
      "b",
      "--reasoning",
      "c",
    );
    expect(none).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--block LABEL or --memory ID") as unknown,
    });
    expect(await propose("--new-string", "b", "--memory", "id")).toMatchObject({ exitCode: 2 });
  });

  it("propose prints the service's error", async () => {
    const { propose } = await createShell();
    expect(await propose("--new-string", "math")).toMatchObject({
      exitCode: 1,
      stderr:
        "error: old_string and new_string must be different. (INVALID_ARGUMENT, INVALID_FIELD)\n",
    });
  });
});

describe("proposals", () => {
  it("the command proposals lists proposals page by page and by status", async () => {
    const { shell, proposed } = await createShell();
    expect((await shell("proposals")).stdout).toBe("No proposals.\n");
    const ids = [await proposed("art"), await proposed("music")];
    const { stdout } = await shell("proposals");
    expect(stdout).toMatch(/^block 'student' of user 'user-\d+' · pending\n {2}old text: math\n/);
    for (const part of [
      "new text: music",
      `id: ${ids[1]} · `,
      "by: tutor, confidence medium",
      "why: She said so",
      "expires: ",
    ])
      expect(stdout).toContain(part);
    const page = await shell("proposals", "--limit", "1", "--status", "pending");
    const [, token = ""] = /Next page: --page-token (\S+)/.exec(page.stdout) ?? [];
    const next = await shell(
      "proposals",
      "--limit",
      "1",
      "--status",
      "pending",
      "--page-token",
      token,
      "--json",
    );
    expect(fromJsonString(ProposalSchema, next.stdout).id).toBe(ids[0]);
    const all = await shell("proposals", "--all", "--json");
    expect(
      all.stdout
        .trim()
        .split("\n")
        .map((line) => fromJsonString(ProposalSchema, line).id),
    ).toEqual(ids.toReversed());
  });

  it("the command proposals shows a proposal with its diff, and a conflict with its three texts", async () => {
    const { user, shell, proposed } = await createShell();
    const id = await proposed("art");
    expect((await shell("proposals", id)).stdout).toContain(
      "--- version 1\n+++ proposal\n@@ -1,2 +1,2 @@\n Name: Ada\n-Likes: math\n+Likes: art\n",
    );
    await user.put("Name: Eve");
    expect(await shell("approve", id)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("PROPOSAL_CONFLICTED") as unknown,
    });
    const { stdout } = await shell("proposals", id);
    expect(stdout).toContain("The text when approval was tried:\n  Name: Eve");
    const { conflict } = fromJsonString(
      GetProposalResponseSchema,
      (await shell("proposals", "--json", id)).stdout,
    );
    expect(conflict?.proposedText).toBe("Name: Ada\nLikes: art\n");
  });

  it("a reason cannot look like the diff, and a diff shows characters that are invisible", async () => {
    const { shell, propose } = await createShell();
    const forged = "Spelling\n\n--- version 1\n+++ proposal\n+Likes: maths\u2028+all";
    const reply = await propose("--new-string", "m\u202eth\u200b", "--reasoning", forged, "--json");
    const { proposal } = fromJsonString(ProposeEditResponseSchema, reply.stdout);
    const { stdout } = await shell("proposals", proposal?.id ?? "");
    expect(stdout.match(/^\+.*$/gm)).toEqual(["+++ proposal", "+Likes: m\\u202eth\\u200b"]);
    expect(stdout).toContain(
      "  why: Spelling\n    \n    --- version 1\n    +++ proposal\n    +Likes: maths\n    +all\n",
    );
  });

  it("the command proposals says that texts were removed with their target", async () => {
    const { user, shell, proposed } = await createShell();
    const id = await proposed("art");
    await user.blocks.deleteBlock({ userId: user.userId, label: "student" });
    const { stdout } = await shell("proposals", id);
    expect(stdout).toContain(" · conflicted\n");
    expect(stdout).toContain(`id: ${id} · `);
    expect(stdout).toContain("texts: removed, because block 'student' was deleted");
    expect(stdout).not.toContain("why:");
    expect(stdout).not.toMatch(/\n\n$/);
  });
});

describe("approve and reject", () => {
  it("approve applies an edit, with the proposed text or with another text", async () => {
    const { user, shell, proposed } = await createShell();
    expect(await shell("approve", await proposed("art"))).toMatchObject({
      stdout: "Approved: block 'student' is now at version 2.\n",
    });
    await user.put("Likes: math");
    const id = await proposed("music");
    const { stdout } = await shell("approve", "--json", "--edited-new-string", "jazz", id);
    expect(fromJsonString(ApproveProposalResponseSchema, stdout).target).toMatchObject({
      value: { body: "Likes: jazz" },
    });
    expect((await shell("proposals", id)).stdout).toContain("approved as: jazz");
  });

  it("the command reject rejects an edit, and propose reports the rejection when the same edit is proposed again", async () => {
    const { user, shell, proposed } = await createShell();
    const id = await proposed("art");
    expect((await shell("reject", "--reason", "She never said so", id)).stdout).toBe(
      `Rejected ${id}.\n`,
    );
    expect((await shell("proposals", id)).stdout).toContain("reason: She never said so");
    expect((await shell("proposals", await proposed("art"))).stdout).toContain(
      `rejected before: ${id}`,
    );
    expect((await user.block()).version).toBe(1n);
    expect(await shell("approve", id)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("PROPOSAL_REJECTED") as unknown,
    });
  });

  it("approve and reject report an earlier decision, and that a new text or reason was not used", async () => {
    const { shell, proposed } = await createShell();
    const approved = await proposed("art");
    await shell("approve", approved);
    expect((await shell("approve", approved)).stdout).toBe(
      "Already approved by anonymous: the edit made version 2 of block 'student'. Nothing was changed.\n",
    );
    expect((await shell("approve", "--edited-new-string", "jazz", approved)).stdout).toBe(
      "Already approved by anonymous: the edit made version 2 of block 'student'. Your text was not used.\n",
    );
    const { shell: other, proposed: propose } = await createShell();
    const rejected = await propose("art");
    await other("reject", rejected);
    expect((await other("reject", "--reason", "no", rejected)).stdout).toBe(
      `Already rejected by anonymous: ${rejected}. Your reason was not used.\n`,
    );
  });

  it("without a user, ids of all users are found, and can be shortened where they name one proposal", async () => {
    const shells = [await createShell(), await createShell()];
    const ids = [];
    for (const { proposed } of shells) ids.push(await proposed("art"));
    const [first = "", second = ""] = ids;
    const everywhere = (...args: readonly string[]) =>
      runCommand(args, { environment: { VADEMECUM_SERVER: server.grpcUrl } });
    const listed = await everywhere("proposals", "--status", "pending", "--all");
    for (const id of ids) expect(listed.stdout).toContain(`id: ${id} · `);
    expect((await everywhere("proposals", first.slice(-8))).stdout).toContain(`id: ${first} · `);
    expect(await everywhere("approve", first.slice(0, 5))).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("several proposals have") as unknown,
    });
    expect(await everywhere("approve", "abc")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("give at least 4 characters") as unknown,
    });
    const approved = await everywhere("approve", first.slice(-8), second);
    expect(approved).toMatchObject({
      exitCode: 0,
      stdout: "Approved: block 'student' is now at version 2.\n".repeat(2),
    });
    const again = await everywhere("reject", second.slice(-8));
    expect(again.stderr).toContain("PROPOSAL_APPROVED");
  });
});
