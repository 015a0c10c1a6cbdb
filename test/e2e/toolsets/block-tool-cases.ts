import { type Client, createClient } from "@connectrpc/connect";
import { expect, type TestAPI } from "vitest";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { isFullSuite } from "../../suite.js";
import { failureOf } from "../harness/failure.js";
import type { Connection } from "../harness/protocols.js";
import type { ToolClient } from "../harness/tool-client.js";

/** A host of a new user, and the blocks and proposals of that user. */
export interface BlockHost {
  readonly userId: string;
  readonly tools: ToolClient;
  readonly blocks: Client<typeof BlockService>;
  readonly proposals: Client<typeof ProposalService>;
  readonly put: (label: string, body: string, title?: string) => Promise<void>;
}

/** Creates a host with the clients of its user's approver. */
export function blockHostOf(
  { transport }: Connection,
  userId: string,
  tools: ToolClient,
): BlockHost {
  const blocks = createClient(BlockService, transport);
  return {
    userId,
    tools,
    blocks,
    proposals: createClient(ProposalService, transport),
    async put(label, body, title) {
      await blocks.putBlock({ userId, label, body, ...(title !== undefined && { title }) });
    },
  };
}

/** Cases of the texts that the tools of `blocks` return to models. */
export function blockToolCases(
  it: TestAPI,
  openUser: () => BlockHost,
  openNobody: () => ToolClient,
): void {
  readingCases(it, openUser);
  proposingCases(it, openUser);

  it("block tools fail with a clear text when the call has no user", async () => {
    const nobody = openNobody();
    const noUser = "Unable to identify user. No user context available.";
    expect(await nobody.fail("list_memory_blocks")).toBe(noUser);
    expect(await nobody.fail("read_memory_block", { block_label: "student" })).toBe(noUser);
    const edit = { block_label: "student", old_string: "same", new_string: "same", reasoning: "" };
    expect(await nobody.fail("propose_memory_edit", edit)).toBe(noUser);
  });
}

function readingCases(it: TestAPI, openUser: () => BlockHost): void {
  it("list_memory_blocks shows labels and titles, and the label in title case as the default title", async () => {
    const { tools, put } = openUser();
    expect(await tools.dispatch("list_memory_blocks")).toBe(
      "No memory blocks exist for this user yet.",
    );
    await put("student", "Likes math", "About the student");
    await put("learning_goals", "");
    expect(await tools.dispatch("list_memory_blocks")).toBe(
      "Available memory blocks:\n\n- learning_goals: Learning Goals\n- student: About the student",
    );
  });

  it("list_memory_blocks has one row for each block, despite line breaks in labels and titles", async () => {
    const { tools, put } = openUser();
    await put("two\nlines", "", "First\r\nSecond");
    await put('a "quoted" name', "");
    await put("\u2028separator", "", "Title");
    expect(await tools.dispatch("list_memory_blocks")).toBe(
      [
        "Available memory blocks:",
        "",
        '- a "quoted" name: A "Quoted" Name',
        '- "two\\nlines": First Second',
        '- "\\u2028separator": Title',
      ].join("\n"),
    );
    const shown = JSON.parse('"two\\nlines"') as string;
    expect(await tools.dispatch("read_memory_block", { block_label: shown })).toBe(
      "# First Second\n\n(empty)",
    );
  });

  it("read_memory_block shows title and body, and an error for a missing block", async () => {
    const { tools, put } = openUser();
    await put("student", "Likes math.\r\n  Knows $& and \\ 🍷\n", "About the student");
    await put("learning_goals", "");
    expect(await tools.dispatch("read_memory_block", { block_label: "student" })).toBe(
      "# About the student\n\nLikes math.\r\n  Knows $& and \\ 🍷\n",
    );
    expect(await tools.dispatch("read_memory_block", { block_label: "learning_goals" })).toBe(
      "# Learning Goals\n\n(empty)",
    );
    expect(await tools.fail("read_memory_block", { block_label: "x" })).toBe(
      "Memory block 'x' not found.",
    );
    expect(await tools.fail("read_memory_block", { block_label: "" })).toBe(
      "Memory block '' not found.",
    );
  });

  it.runIf(isFullSuite)(
    "list_memory_blocks lists all of many blocks, and only the user's own",
    async () => {
      const [{ tools, put }, other] = [openUser(), openUser()];
      const labels = Array.from({ length: 12 }, (_, i) => `block ${String(i).padStart(2, "0")}`);
      await Promise.all(labels.map((label) => put(label, "x".repeat(256 * 1024))));
      const [, , ...rows] = (await tools.dispatch("list_memory_blocks")).split("\n");
      expect(rows).toEqual(labels.map((label) => `- ${label}: B${label.slice(1)}`));
      expect(await other.tools.dispatch("list_memory_blocks")).toBe(
        "No memory blocks exist for this user yet.",
      );
      expect(await other.tools.fail("read_memory_block", { block_label: "block 00" })).toBe(
        "Memory block 'block 00' not found.",
      );
    },
  );
}

function proposingCases(it: TestAPI, openUser: () => BlockHost): void {
  const edit = {
    block_label: "student",
    old_string: "likes math",
    new_string: "loves mathematics",
    reasoning: "Stronger enthusiasm",
  };

  it("propose_memory_edit records a proposal for a person to approve", async () => {
    const { userId, tools, put, proposals, blocks } = openUser();
    await put("student", "The student likes math.");
    expect(await tools.dispatch("propose_memory_edit", edit)).toBe(
      "Edit proposal created for block 'student'. The user will be asked to approve this change. Reasoning provided: Stronger enthusiasm",
    );
    const { proposals: listed } = await proposals.listProposals({ userId });
    expect(listed).toMatchObject([
      {
        namespace: { userId, agentId: "agent" },
        replaceAll: false,
        reasoning: "Stronger enthusiasm",
      },
    ]);
    expect((await blocks.getBlock({ userId, label: "student" })).block?.body).toBe(
      "The student likes math.",
    );
    await proposals.approveProposal({ userId, id: listed[0]?.id ?? "" });
    expect(await tools.dispatch("read_memory_block", { block_label: "student" })).toBe(
      "# Student\n\nThe student loves mathematics.",
    );
  });

  it('a refused proposal returns the service\'s message after "Error"', async () => {
    const { userId, tools, put, proposals } = openUser();
    await put("student", "aaaa and math");
    const told = async (changes: Partial<typeof edit>) =>
      tools.fail("propose_memory_edit", { ...edit, ...changes });
    expect(await told({ old_string: "same", new_string: "same" })).toBe(
      "Error: old_string and new_string must be different.",
    );
    expect(await told({ old_string: "" })).toBe("Error: old_string cannot be empty.");
    expect(await told({ reasoning: "" })).toBe(
      "Error: reasoning is required to explain the edit to the user.",
    );
    expect(await told({ block_label: "x" })).toBe("Error: Memory block 'x' not found.");
    expect(await told({})).toBe(
      "Error: old_string not found in block 'student'. Make sure you've read the block first and the text matches exactly (including whitespace and newlines).",
    );
    expect(await told({ old_string: "aa" })).toBe(
      "Error: old_string appears 3 times in block 'student'. Provide a larger unique string with more surrounding context, or set replace_all=True to replace all occurrences.\n\nFound on line 1.",
    );
    await put("windows", "and\r\nmath");
    expect(await told({ block_label: "windows", old_string: "and\nmath" })).toBe(
      "Error: old_string not found in block 'windows'. Make sure you've read the block first and the text matches exactly (including whitespace and newlines).\n\nThe block has CRLF line ends.",
    );
    expect((await proposals.listProposals({ userId })).proposals).toEqual([]);
    expect(
      await tools.dispatch("propose_memory_edit", { ...edit, old_string: "aa", replace_all: true }),
    ).toMatch(/^Edit proposal created/);
  });

  it("invalid edit arguments return an error text", async () => {
    const { tools } = openUser();
    const { reasoning: _, ...unexplained } = edit;
    const prefix = "Error: Invalid arguments for tool 'propose_memory_edit': ";
    expect(await tools.fail("propose_memory_edit", unexplained)).toBe(
      `${prefix}reasoning is missing`,
    );
    expect(await tools.fail("propose_memory_edit", { ...edit, replace_all: "yes" })).toBe(
      `${prefix}replace_all must be a boolean, and is a string`,
    );
    expect(
      await tools.fail("propose_memory_edit", { ...edit, new_string: "x".repeat(262_145) }),
    ).toMatch(`${prefix}they must have at most 65,536 bytes as compact JSON, but have 262,`);
  });

  it("an agent fills an empty block, creates a block and adds to it, when a person approves", async () => {
    const { userId, tools, blocks, proposals, put } = openUser();
    await put("student", "");
    const approveAll = async () => {
      const pending = await proposals.listProposals({ userId, status: ProposalStatus.PENDING });
      for (const { id } of pending.proposals) await proposals.approveProposal({ userId, id });
    };
    const reasoning = "She said so";
    const rewrite = { block_label: "student", new_body: "Likes math", reasoning };
    expect(await tools.dispatch("propose_memory_rewrite", rewrite)).toBe(
      "Edit proposal created for block 'student'. The user will be asked to approve this change. Reasoning provided: She said so",
    );
    await tools.dispatch("propose_memory_rewrite", { ...rewrite, block_label: "goals" });
    await approveAll();
    const append = { block_label: "goals", append: "Likes art", reasoning };
    await tools.dispatch("propose_memory_append", append);
    await approveAll();
    const bodyOf = async (label: string) => (await blocks.getBlock({ userId, label })).block?.body;
    expect(await bodyOf("student")).toBe("Likes math");
    expect(await bodyOf("goals")).toBe("Likes math\nLikes art");
    expect(await tools.fail("propose_memory_append", { ...append, block_label: "x" })).toBe(
      "Error: Memory block 'x' not found.",
    );
    expect(await tools.fail("propose_memory_rewrite", rewrite)).toMatch(
      /^Error: new_body: block 'student' has exactly this text already/,
    );
  });

  it("an agent learns that an edit repeats one that waits, and what became of its edits", async () => {
    const { userId, tools, proposals, put } = openUser();
    await put("student", `Ann: ${edit.old_string}`);
    expect(await tools.dispatch("list_my_edit_proposals")).toBe("You have proposed no edits yet.");
    const first = await tools.dispatch("propose_memory_edit", edit);
    expect(first).not.toContain("\n");
    const [waiting] = (await proposals.listProposals({ userId })).proposals;
    const again = await tools.dispatch("propose_memory_edit", edit);
    expect(again).toBe(`${first}\n\nThe same edit waits already (proposal ${waiting?.id}).`);
    for (const { id } of (await proposals.listProposals({ userId })).proposals)
      await proposals.rejectProposal({ userId, id, reason: "She\nnever said so" });
    const [rejected] = (await proposals.listProposals({ userId })).proposals;
    expect(await tools.dispatch("propose_memory_edit", edit)).toMatch(
      /\n\nThe same edit was rejected before \(proposal \S+\)\.$/,
    );
    const both = await tools.dispatch("propose_memory_edit", edit);
    expect(both).toMatch(/rejected before \(proposal \S+\)\. The same edit waits already/);
    const listed = await tools.dispatch("list_my_edit_proposals");
    const day = new Date(Number(rejected?.createTime?.seconds ?? 0n) * 1000);
    const entry = (outcome: string) =>
      `- [${day.toISOString().slice(0, 10)}] block 'student': ${outcome}\n  "${edit.old_string}" -> "${edit.new_string}"`;
    expect(listed).toBe(
      [
        "Your edit proposals, newest first:\n",
        ...[entry("pending"), entry("pending")],
        ...[
          entry("rejected. Reason: She never said so"),
          entry("rejected. Reason: She never said so"),
        ],
      ].join("\n"),
    );
    expect(await tools.dispatch("list_my_edit_proposals", { limit: 1 })).not.toContain("rejected");
  });

  it("a repeated proposal with an idempotency key is recorded once", async () => {
    const { userId, tools, put, proposals } = openUser();
    await put("student", "The student likes math.");
    const message = await tools.dispatch("propose_memory_edit", edit, "key");
    expect(await tools.dispatch("propose_memory_edit", edit, "key")).toBe(message);
    expect((await proposals.listProposals({ userId })).proposals).toHaveLength(1);
    const other = tools.dispatch("propose_memory_edit", { ...edit, new_string: "x" }, "key");
    expect(await failureOf(other)).toMatchObject({
      code: "INVALID_ARGUMENT",
      reason: "IDEMPOTENCY_KEY_REUSED",
    });
  });
}
