import { expect } from "vitest";
import { Confidence, ProposalStatus } from "#gen/vademecum/v1/proposal_pb.js";
import { failureOf } from "./harness/failure.js";
import { describeUsers } from "./harness/user-suite.js";

const lifetimeSeconds = 30n * 24n * 3600n;

describeUsers((it) => {
  it("ProposeEdit records a proposal and leaves the target unchanged", async ({ user }) => {
    await user.put("The student likes math.");
    const before = await user.block();
    const { proposal, message } = await user.propose({
      old: "likes math",
      new: "loves mathematics",
      reasoning: "Stronger enthusiasm",
    });
    expect(message).toBe(
      "Edit proposal created for block 'student'. The user will be asked to approve this change. Reasoning provided: Stronger enthusiasm",
    );
    expect(proposal).toMatchObject({
      namespace: { userId: user.userId, agentId: "agent" },
      target: { case: "blockLabel", value: "student" },
      oldString: "likes math",
      newString: "loves mathematics",
      replaceAll: false,
      reasoning: "Stronger enthusiasm",
      confidence: Confidence.MEDIUM,
      status: ProposalStatus.PENDING,
      baseVersion: 1n,
      diff: "",
    });
    const { createTime, expireTime, decidedBy, decideTime, repeatOf, resultVersion } =
      proposal ?? {};
    expect([decidedBy, decideTime, repeatOf, resultVersion]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(expireTime).toMatchObject({
      seconds: (createTime?.seconds ?? 0n) + lifetimeSeconds,
      nanos: createTime?.nanos,
    });
    expect(await user.block()).toEqual(before);
    expect(await user.versions()).toHaveLength(1);
  });

  it("the message of ProposeEdit names a memory as `memory 'id'`", async ({ user }) => {
    const { id } = await user.memories.add("Likes math");
    const { message, proposal } = await user.propose({
      memoryId: id,
      old: "math",
      new: "maths",
      reasoning: "spelling",
    });
    expect(message).toBe(
      `Edit proposal created for memory '${id}'. The user will be asked to approve this change. Reasoning provided: spelling`,
    );
    expect(proposal?.target).toEqual({ case: "memoryId", value: id });
    expect((await user.memories.get(id)).content).toBe("Likes math");
  });

  it("ProposeEdit checks for equal texts, then an empty text, then missing reasoning, before it reads the target", async ({
    user,
  }) => {
    const refused = async (edit: { old: string; new: string; reasoning?: string }) =>
      failureOf(user.propose({ label: "missing", reasoning: "why", ...edit }));
    const equal = {
      code: "INVALID_ARGUMENT",
      message: "old_string and new_string must be different.",
      fields: ["new_string"],
    };
    expect(await refused({ old: "same", new: "same" })).toMatchObject(equal);
    expect(await refused({ old: "", new: "", reasoning: "" })).toMatchObject(equal);
    const empty = {
      code: "INVALID_ARGUMENT",
      message: "old_string cannot be empty.",
      fields: ["old_string"],
    };
    expect(await refused({ old: "", new: "x" })).toMatchObject(empty);
    expect(await refused({ old: "", new: "x", reasoning: "" })).toMatchObject(empty);
    const unexplained = {
      code: "INVALID_ARGUMENT",
      message: "reasoning is required to explain the edit to the user.",
      fields: ["reasoning"],
    };
    expect(await refused({ old: "x", new: "y", reasoning: "" })).toMatchObject(unexplained);
    expect(await refused({ old: "x", new: "y", reasoning: " \n" })).toMatchObject(unexplained);
  });

  it("ProposeEdit about a missing target fails with NOT_FOUND, even if another user has a target of that name", async ({
    user,
    another,
  }) => {
    const stranger = another({ userId: "stranger" });
    await stranger.put("x", { label: "x" });
    const missing = {
      code: "NOT_FOUND",
      reason: "BLOCK_NOT_FOUND",
      message: "Memory block 'x' not found.",
    };
    expect(await failureOf(user.propose({ label: "x", old: "x", new: "y" }))).toMatchObject(
      missing,
    );
    const { id } = await another({ agentId: "another agent" }).memories.add("Likes math");
    const { id: gone } = await user.memories.add("gone");
    await user.memories.expire(gone);
    for (const memoryId of ["no such id", id, gone]) {
      expect(await failureOf(user.propose({ memoryId, old: "math", new: "maths" }))).toMatchObject({
        code: "NOT_FOUND",
        reason: "MEMORY_NOT_FOUND",
        message: `Memory '${memoryId}' not found.`,
      });
    }
  });

  it("ProposeEdit fails with OLD_STRING_NOT_FOUND if the target does not contain the old text", async ({
    user,
  }) => {
    await user.put("The student likes math.");
    const { id } = await user.memories.add("Likes math");
    const notFound = (target: string) =>
      `old_string not found in ${target}. Make sure you've read the ${target.split(" ")[0]} first and the text matches exactly (including whitespace and newlines).`;
    const refused = {
      code: "FAILED_PRECONDITION",
      reason: "OLD_STRING_NOT_FOUND",
      fields: ["old_string"],
    };
    for (const old of ["Likes", "likes  math", "likes\nmath", "likes math.\n", "math?"]) {
      expect(await failureOf(user.propose({ old, new: "x" }))).toMatchObject({
        ...refused,
        message: notFound("block 'student'"),
      });
    }
    expect(await failureOf(user.propose({ memoryId: id, old: "x", new: "y" }))).toMatchObject({
      ...refused,
      message: notFound(`memory '${id}'`),
    });
    await user.put("", { label: "empty" });
    expect(await failureOf(user.propose({ label: "empty", old: "x", new: "y" }))).toMatchObject(
      refused,
    );
  });

  it("the error of ProposeEdit mentions CRLF when only the target has CRLF line ends", async ({
    user,
  }) => {
    const body = "one\r\ntwo\r\n";
    await user.put(body);
    const { id: memoryId } = await user.memories.add(body);
    const descriptionOf = async (old: string, fields = {}) => {
      const { message, descriptions } = await failureOf(user.propose({ ...fields, old, new: "x" }));
      expect(message).toMatch(/ matches exactly \(including whitespace and newlines\)\.$/);
      return descriptions[0];
    };
    expect(await descriptionOf("one\ntwo")).toMatch(
      / matches exactly \(including whitespace and newlines\)\. The block has CRLF line ends\.$/,
    );
    expect(await descriptionOf("one\ntwo", { memoryId })).toMatch(
      / The memory has CRLF line ends\.$/,
    );
    for (const old of ["three", "one\r\nthree"])
      expect(await descriptionOf(old), old).toMatch(/newlines\)\.$/);
    await user.put("one\ntwo\n", { label: "plain" });
    expect(await descriptionOf("one\nthree", { label: "plain" })).toMatch(/newlines\)\.$/);
    await user.approve(await user.proposed({ old: "one\r\ntwo", new: "1" }));
    expect((await user.block()).body).toBe("1\r\n");
  });

  it.for([
    ["aaaa", "aa", 3, "1"],
    ["The student likes math.\n\nThe student also likes science.", "The student", 2, "1, 3"],
    ["abababa", "aba", 3, "1"],
    ["🧠🧠🧠", "🧠", 3, "1"],
    ["a\r\n\r\n", "\r\n", 2, "1, 2"],
    ["y\n".repeat(11), "y", 11, "1, 2, 3, 4, 5, 6, 7, 8, 9, 10"],
  ] as const)(
    "an ambiguous edit is refused: '%s' contains '%s' %s times, with overlaps, on the lines %s",
    async ([body, old, count, lines], { user }) => {
      const found = `Found on ${lines === "1" ? "line" : "lines"} ${lines}.`;
      await user.put(body);
      const { id } = await user.memories.add(body);
      for (const [edit, target] of [
        [{}, "block 'student'"],
        [{ memoryId: id }, `memory '${id}'`],
      ] as const) {
        const message = `old_string appears ${count} times in ${target}. Provide a larger unique string with more surrounding context, or set replace_all=True to replace all occurrences.`;
        expect(await failureOf(user.propose({ ...edit, old, new: "x" }))).toMatchObject({
          code: "FAILED_PRECONDITION",
          reason: "OLD_STRING_AMBIGUOUS",
          message,
          fields: ["old_string"],
          descriptions: [`${message} ${found}`],
          metadata: { lines },
        });
      }
      await user.propose({ old, new: "x", replaceAll: true });
    },
  );

  it.for([
    [
      "dollar signs in the replacement",
      "costs 5",
      "5",
      "$& $1 $$ $` $' $<name>",
      "costs $& $1 $$ $` $' $<name>",
    ],
    [
      "characters that are special in regular expressions",
      "a.c (x) [y] a^c",
      "a.c (x) [y]",
      "\\1 \\0 \\n .*",
      "\\1 \\0 \\n .* a^c",
    ],
    ["a dot, which matches only a dot", "abc a.c", "a.c", "x", "abc x"],
    ["backslashes", "C:\\dir\\file", "\\", "\\\\", undefined],
    ["line breaks of both kinds", "one\r\ntwo\nthree", "two\n", "2\r\n", "one\r\n2\r\nthree"],
    ["a line break alone", "one\r\ntwo", "\r\n", "\n", "one\ntwo"],
    ["emoji of several characters", "a 👩‍👩‍👧 b 👧🏽", "👩‍👩‍👧", "👧🏽‍", "a 👧🏽‍ b 👧🏽"],
    [
      "a composed letter, not its decomposed twin",
      "café cafe\u0301",
      "café",
      "tea",
      "tea cafe\u0301",
    ],
    ["a decomposed letter, not its composed twin", "café cafe\u0301", "e\u0301", "é", "café café"],
    ["a letter without the mark that follows it", "xe\u0301", "e", "a", "xa\u0301"],
    ["NUL and other controls", "a\0b\u0007c", "\0b\u0007", "\u001b", "a\u001bc"],
    ["white space of many kinds", "a\u00a0b c\u2028d", "\u00a0b c\u2028", "\t", "a\td"],
    ["an empty replacement", "a, b", ", b", "", "a"],
  ] as const)(
    "an edit finds and replaces its text literally: %s",
    async ([, body, old, replacement, expected], { user }) => {
      await user.put(body);
      const { id: memoryId } = await user.memories.add(body);
      for (const target of [{}, { memoryId }]) {
        if (expected === undefined) {
          expect((await failureOf(user.propose({ ...target, old, new: replacement }))).reason).toBe(
            "OLD_STRING_AMBIGUOUS",
          );
          await user.approve(
            await user.proposed({ ...target, old, new: replacement, replaceAll: true }),
          );
        } else {
          await user.approve(await user.proposed({ ...target, old, new: replacement }));
        }
      }
      const wanted = expected ?? body.split(old).join(replacement);
      expect((await user.block()).body).toBe(wanted);
      expect((await user.memories.get(memoryId)).content).toBe(wanted);
    },
  );

  it.for([
    ["aaaaa", "aa", "b", "bba"],
    ["aaaa", "aa", "a", "aa"],
    ["ab ab ab", "ab", "$&", "$& $& $&"],
    ["abababa", "aba", "", "b"],
  ] as const)(
    "replace_all in '%s' replaces '%s' by '%s' from left to right, without overlap",
    async ([body, old, replacement, expected], { user }) => {
      await user.put(body);
      const { target } = await user.approve(
        await user.proposed({ old, new: replacement, replaceAll: true }),
      );
      expect(target).toMatchObject({ case: "block", value: { body: expected, version: 2n } });
    },
  );

  it("an edit is refused if its result exceeds the size limit of the target", async ({ user }) => {
    const refused = {
      code: "FAILED_PRECONDITION",
      reason: "EDIT_RESULT_REFUSED",
      fields: ["new_string"],
    };
    await user.put("a".repeat(100_000));
    // The result would have 25 GB.
    expect(
      await failureOf(user.propose({ old: "a", new: "x".repeat(250_000), replaceAll: true })),
    ).toMatchObject(refused);
    const { id: memoryId } = await user.memories.add("math");
    expect(
      await failureOf(user.propose({ memoryId, old: "math", new: "é".repeat(32_769) })),
    ).toMatchObject(refused);
    expect(await failureOf(user.propose({ memoryId, old: "math", new: "" }))).toMatchObject(
      refused,
    );
    expect(await failureOf(user.propose({ memoryId, old: "math", new: " \n" }))).toMatchObject(
      refused,
    );
    await user.proposed({ memoryId, old: "math", new: "é".repeat(32_768) });
  });

  it("a repeated ProposeEdit returns the first proposal as it is now", async ({ user }) => {
    await user.put("one");
    const edit = { old: "one", new: "two", idempotencyKey: "key" };
    const first = await user.propose(edit);
    expect(await user.propose(edit)).toEqual(first);
    await user.approve(first.proposal?.id ?? "", { editedNewString: "three" });
    const { proposal, message } = await user.propose(edit);
    expect(message).toBe(first.message);
    expect(proposal).toMatchObject({
      id: first.proposal?.id,
      status: ProposalStatus.APPROVED,
      editedNewString: "three",
    });
    const other = await failureOf(user.propose({ ...edit, new: "four" }));
    expect(other).toMatchObject({ code: "INVALID_ARGUMENT", reason: "IDEMPOTENCY_KEY_REUSED" });
    expect((await user.proposals.listProposals({ userId: user.userId })).proposals).toHaveLength(1);
  });
});
