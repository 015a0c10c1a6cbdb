import { describe, expect, test } from "vitest";
import type { ProposalTarget } from "../../../src/core/model/proposal.js";
import {
  blockVersionKey,
  blockVersionPrefix,
  expiryKey,
  idOfTimelineKey,
  idsOfAgentProposalKey,
  manifestKey,
  positionKey,
  positionOfKey,
  proposalByTargetKey,
  proposalsOfAgentPrefix,
  proposalsOfBlockPrefix,
  proposalsOfMemoryPrefix,
  rejectedEditKey,
  replyKey,
  timelineKey,
  toolPrefix,
  turnKey,
  turnPrefix,
} from "../../../src/core/model/record-keys.js";

/** 2026-01-01T00:00:00.007Z */
const instant = { seconds: 1_767_225_600, nanos: 7_000_000 };
const edit = { oldString: "red", newString: "white", replaceAll: false };
/** SHA-256 of `k`, in base64url. */
const digest = "glTDKakoUPbVOd03b0gW7idkUX2l4CNVFK9DMWRIDXo";

describe("record keys", () => {
  test.each([
    ["timeline", timelineKey({ createTime: instant, id: "m1" }), "019b76daa807m1"],
    ["replies of a scope", replyKey("PutBlock", undefined, "k"), `PutBlock\0${digest}`],
    ["replies of an agent", replyKey("Add", "a1", "k"), `Add\x012:a1${digest}`],
    ["replyExpiries", expiryKey(1_767_225_600_007, "Add\0k"), "019b76daa807\0Add\0k"],
    ["blockVersions", blockVersionKey("notes", 26), "0005notes00000000001a"],
    ["blockVersions, by bytes of UTF-8", blockVersionKey("é", 1), "0002é000000000001"],
    ["keyPositions", positionKey(4095), "00000000000fff"],
    ["turnsByRequest", turnKey("request", "e1"), "0007requeste1"],
    ["turnsByRequest, by UTF-16 units", turnKey("é", "e1"), "0001ée1"],
    ["toolManifests", manifestKey("tool", "1.0"), "tool\0\x001.0"],
    ["toolManifests, with a NUL in the name", manifestKey("a\0b", "1"), "a\0\u0001b\0\x001"],
    [
      "proposalsByTarget, of a block",
      proposalByTargetKey({ id: "p1", agentId: "a", target: { kind: "block", label: "é" } }),
      "b0001ép1",
    ],
    [
      "proposalsByTarget, of a memory",
      proposalByTargetKey({ id: "p1", agentId: "guide", target: { kind: "memory", id: "m1" } }),
      "m0005guide0002m1p1",
    ],
    [
      "rejectedEdits, of a block",
      rejectedEditKey("guide", { kind: "block", label: "notes" }, edit),
      "83ecc1b421f47454732d3e3b981534b3a9ceb110306a9086f7fff7942c4bbc66",
    ],
    [
      "rejectedEdits, of a memory",
      rejectedEditKey("guide", { kind: "memory", id: "m1" }, edit),
      "8390277801b129beb249d33c4a1a3adeb6d9067368a83f8c5f04c84c0ff682d5",
    ],
  ])(
    "the key of a record in %s has the same bytes as in existing data folders",
    (_, key, bytes) => {
      expect(key).toBe(bytes);
    },
  );
});

test("timeline keys and position keys can be parsed", () => {
  expect(idOfTimelineKey(timelineKey({ createTime: instant, id: "m1" }))).toBe("m1");
  expect(positionOfKey(positionKey(Number.MAX_SAFE_INTEGER))).toBe(Number.MAX_SAFE_INTEGER);
});

test("the key of a proposal about a memory can be parsed", () => {
  const target = { kind: "memory", id: "m\0é0001" } as const;
  const key = proposalByTargetKey({ id: "p1", agentId: "guide", target });
  expect(idsOfAgentProposalKey(proposalsOfAgentPrefix("guide"), key)).toEqual({
    memoryId: target.id,
    proposalId: "p1",
  });
});

const proposalOf = (agentId: string, target: ProposalTarget) =>
  proposalByTargetKey({ id: "p1", agentId, target });

/** Sorts keys as a store does, by their bytes in UTF-8. */
const inByteOrder = (keys: readonly string[]) =>
  keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

test.each([
  ["times", [0, 1, 15, 16, 255, 4096, 1_767_225_600_000].map((ms) => expiryKey(ms, "k"))],
  ["versions", [1, 9, 10, 15, 16, 17, 255, 256].map((version) => blockVersionKey("l", version))],
  ["positions", [0, 1, 16, 4096, Number.MAX_SAFE_INTEGER].map(positionKey)],
  ["tools", ["", "a", "a\0", "a\0b", "a\u0001", "ab"].map((tool) => manifestKey(tool, "1"))],
])("sorting keys by their bytes puts the %s in ascending order", (_, keys) => {
  expect(inByteOrder(keys)).toEqual(keys);
});

test("no key of one owner, such as a block, begins with the key prefix of another owner", () => {
  const names = ["a", "aa", "a\0", "a\0\u0001", "é", "e", ""];
  for (const [prefix, key] of [
    [blockVersionPrefix, (name: string) => blockVersionKey(name, 1)],
    [turnPrefix, (name: string) => turnKey(name, "e1")],
    [toolPrefix, (name: string) => manifestKey(name, "1")],
    [proposalsOfBlockPrefix, (label: string) => proposalOf("a", { kind: "block", label })],
    [proposalsOfAgentPrefix, (agent: string) => proposalOf(agent, { kind: "memory", id: "m" })],
    [
      (id: string) => proposalsOfMemoryPrefix("a", id),
      (id: string) => proposalOf("a", { kind: "memory", id }),
    ],
  ] as const) {
    for (const name of names) {
      const owners = names.filter((other) => key(name).startsWith(prefix(other)));
      expect(owners).toEqual([name]);
    }
  }
});
