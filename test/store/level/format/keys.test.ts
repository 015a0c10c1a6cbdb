import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Scope } from "../../../../src/core/model/namespace.js";
import { tableCodes } from "../../../../src/store/codec/table-codes.js";
import {
  changeKey,
  markKey,
  metaKey,
  namespaceHeadKey,
  namespaceTableRange,
  recordKey,
  scopeHeadKey,
  scopePart,
  scopeTableRange,
  sweepKey,
  textOfRecordKey,
} from "../../../../src/store/level/format/keys.js";
import { parseKey } from "../../../../src/store/level/format/parse-key.js";

const id = fc.string({ unit: "binary", maxLength: 5 });
const ownScope: fc.Arbitrary<Scope> = fc.oneof(
  fc.record({ kind: fc.constant("user" as const), userId: id }),
  fc.record({ kind: fc.constant("run" as const), runId: id }),
  fc.constant({ kind: "server" as const }),
);
const scope: fc.Arbitrary<Scope> = fc.oneof(
  ownScope,
  fc.tuple(ownScope, id).map(([own, tenant]) => ({ ...own, tenant })),
);
const number = fc.integer({ min: 0, max: 0xffffffff });

describe("keys on disk", () => {
  it("keys on disk never change their bytes", () => {
    const user = scopePart({ kind: "user", userId: "kim" });
    const golden = {
      meta: metaKey,
      mark: markKey(258),
      scopeHead: scopeHeadKey(user),
      namespaceHead: namespaceHeadKey(user, "é"),
      sweep: sweepKey(user, "a", 7),
      memory: recordKey(namespaceTableRange(user, "a", 7, "memories"), "id"),
      vector: recordKey(namespaceTableRange(user, "a", 7, "vectors"), "id"),
      timeline: recordKey(namespaceTableRange(user, "a", 7, "timeline"), "id"),
      profile: recordKey(namespaceTableRange(user, "a", 7, "profiles"), "id"),
      sweepOfScope: sweepKey(user, undefined, 7),
      reply: recordKey(scopeTableRange(scopePart({ kind: "run", runId: "r" }), 0, "replies"), "k"),
      replyExpiry: recordKey(
        scopeTableRange(scopePart({ kind: "server" }), 0, "replyExpiries"),
        "k",
      ),
      restoredReply: recordKey(scopeTableRange(user, 258, "replies"), "k"),
      change: changeKey(user, 258),
      tenantsUser: scopeHeadKey(scopePart({ kind: "user", userId: "kim", tenant: "acme" })),
    };
    expect(tableCodes).toEqual({
      memories: 0x01,
      vectors: 0x02,
      timeline: 0x03,
      profiles: 0x04,
      skills: 0x05,
      skillVectors: 0x06,
      skillUses: 0x07,
      turnEntries: 0x08,
      turnsByRequest: 0x09,
      turnsByTask: 0x0a,
      alternateVectors: 0x0b,
      skillTimeline: 0x0c,
      alternateSkillVectors: 0x0d,
      externalIds: 0x0e,
      memoryVersions: 0x0f,
      threads: 0x10,
      threadTurns: 0x11,
      memoryUses: 0x12,
      replies: 0x40,
      replyExpiries: 0x41,
      digestKeys: 0x50,
      blocks: 0x42,
      blockVersions: 0x43,
      proposals: 0x44,
      pendingProposals: 0x45,
      rejectedEdits: 0x46,
      keyValues: 0x47,
      keyPositions: 0x48,
      toolManifests: 0x49,
      proposalsByTarget: 0x4a,
      erasures: 0x51,
      deliveries: 0x52,
    });
    expect(
      Object.fromEntries(Object.entries(golden).map(([name, key]) => [name, key.toString("hex")])),
    ).toEqual({
      meta: "01",
      mark: "020000000000000102",
      scopeHead: "030100036b696d00",
      namespaceHead: "030100036b696d010002c3a9",
      sweep: "040100036b696d0100016100000007",
      sweepOfScope: "040100036b696d0000000007",
      memory: "100100036b696d0100016100000007016964",
      vector: "100100036b696d0100016100000007026964",
      timeline: "100100036b696d0100016100000007036964",
      profile: "100100036b696d0100016100000007046964",
      reply: "10020001720000000000406b",
      replyExpiry: "100300000000000000416b",
      restoredReply: "100100036b696d0000000102406b",
      change: "110100036b696d0000000000000102",
      tenantsUser: "0304000461636d650100036b696d00",
    });
  });

  it("keys on disk can be parsed", () => {
    fc.assert(
      fc.property(scope, id, id, number, (anyScope, agentId, key, place) => {
        const part = scopePart(anyScope);
        expect(parseKey(scopeHeadKey(part))).toEqual({ kind: "scopeHead", scope: anyScope });
        expect(parseKey(changeKey(part, place))).toEqual({
          kind: "change",
          scope: anyScope,
          seq: place,
        });
        const replies = scopeTableRange(part, place, "replies");
        expect(parseKey(recordKey(replies, key))).toEqual({
          kind: "scopeRecord",
          scope: anyScope,
          place,
          table: "replies",
          key,
        });
        expect(textOfRecordKey(replies, recordKey(replies, key))).toBe(key);
        expect(parseKey(sweepKey(part, undefined, place))).toEqual({
          kind: "sweep",
          scope: anyScope,
          agentId: undefined,
          place,
        });
        const tenancy = anyScope.tenant === undefined ? {} : { tenant: anyScope.tenant };
        const namespace = { userId: "u", agentId, ...tenancy };
        const user = scopePart({ kind: "user", userId: "u", ...tenancy });
        expect(parseKey(namespaceHeadKey(user, agentId))).toEqual({
          kind: "namespaceHead",
          namespace,
        });
        expect(parseKey(sweepKey(user, agentId, place))).toEqual({
          kind: "sweep",
          scope: { kind: "user", userId: "u", ...tenancy },
          agentId,
          place,
        });
        const record = recordKey(namespaceTableRange(user, agentId, place, "vectors"), key);
        expect(parseKey(record)).toEqual({
          kind: "namespaceRecord",
          namespace,
          place,
          table: "vectors",
          key,
        });
      }),
    );
  });

  it("keys of one table are inside its range, and keys of other tables are outside", () => {
    fc.assert(
      fc.property(scope, scope, id, (scopeA, scopeB, key) => {
        const range = scopeTableRange(scopePart(scopeA), 0, "replies");
        const foreign = recordKey(scopeTableRange(scopePart(scopeB), 0, "replies"), key);
        const inRange = foreign.compare(range.prefix) >= 0 && foreign.compare(range.end) < 0;
        expect(inRange).toBe(JSON.stringify(scopeA) === JSON.stringify(scopeB));
      }),
    );
  });

  it("keys of other layouts are not parsed", () => {
    const valid = recordKey(
      namespaceTableRange(scopePart({ kind: "user", userId: "kim" }), "a", 7, "memories"),
      "",
    );
    for (let length = 0; length < valid.length; length++)
      expect(parseKey(valid.subarray(0, length))).toBeUndefined();
    for (const hex of [
      "",
      "00",
      "0101",
      "0200",
      "0301000161",
      "1004000000416b",
      "1001000161007f",
    ]) {
      expect(parseKey(Buffer.from(hex, "hex"))).toBeUndefined();
    }
  });

  it("keys refuse a text with half a surrogate pair, and an id that is too long", () => {
    const range = scopeTableRange(scopePart({ kind: "server" }), 0, "replies");
    for (const broken of ["\ud800", "a\udc00"]) {
      expect(() => scopePart({ kind: "user", userId: broken })).toThrow("valid Unicode");
      expect(() => recordKey(range, broken)).toThrow("valid Unicode");
    }
    expect(() => scopePart({ kind: "user", userId: "x".repeat(65_536) })).toThrow("too long");
  });
});
