import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Memory } from "../../../../src/core/model/memory.js";
import { memoryStatuses, memoryTypes } from "../../../../src/core/model/memory.js";
import { checksumOf, seal, unseal } from "../../../../src/store/codec/envelope.js";
import { codecOf } from "../../../../src/store/codec/table-codecs.js";
import {
  decodeNamespaceHead,
  decodeScopeHead,
  encodeNamespaceHead,
  encodeScopeHead,
} from "../../../../src/store/level/format/heads.js";
import { decodeMark, encodeMark } from "../../../../src/store/level/format/marks.js";
import { fullMemory, sampleMemory } from "../../../contract/sample-records.js";

const key = Buffer.from("key");

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

describe("the envelope of a value", () => {
  it("the envelope of a value keeps its format in all versions", () => {
    const value = seal(key, Buffer.from("payload"));
    expect(hex(value)).toBe("017061796c6f6164dfaf5660");
    expect(checksumOf(value)).toBe(0x6056afdf);
    expect(unseal(key, value)?.toString()).toBe("payload");
  });

  it("the envelope of a value detects every flipped bit of value and key", () => {
    const value = seal(key, Buffer.from("payload"));
    for (let bit = 0; bit < value.length * 8; bit++) {
      const flipped = Buffer.from(value);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(unseal(key, flipped)).toBeUndefined();
    }
    for (const otherKey of ["keY", "ke", "keyy", ""])
      expect(unseal(Buffer.from(otherKey), value)).toBeUndefined();
    for (let length = 0; length < value.length; length++)
      expect(unseal(key, value.subarray(0, length))).toBeUndefined();
  });
});

describe("payloads", () => {
  it("payloads never change their bytes", () => {
    const reply = { requestDigest: "ab", reply: { id: "x" }, expireMs: 1_760_000_000_000 };
    expect({
      memory: hex(
        codecOf("memories").encode(sampleMemory("m1", "text", { kind: "fact", tags: ["t"] })),
      ),
      vector: hex(codecOf("vectors").encode(Float32Array.of(1, -2))),
      timeline: hex(codecOf("timeline").encode(null)),
      alternateVector: hex(codecOf("alternateVectors").encode(Float32Array.of(1, -2))),
      profile: hex(codecOf("profiles").encode({ modelId: "m", dimension: 256 })),
      exchangedProfile: hex(
        codecOf("profiles").encode({ modelId: "m", dimension: 256, table: "alternateVectors" }),
      ),
      reply: hex(codecOf("replies").encode(reply)),
      replyExpiry: hex(codecOf("replyExpiries").encode("é")),
      scopeHead: hex(
        encodeScopeHead({
          seq: 3,
          lastTimeMs: 1_760_000_000_000,
          tables: new Map([["replies", { count: 2, digest: 0xfffffffe }]]),
          usage: { memories: 1, bytes: 300 },
          stored: new Map([["key:a", 400]]),
          broughtEpoch: undefined,
          place: 0,
          dueMs: 1_760_000_000_000,
        }),
      ),
      restoredHead: hex(
        encodeScopeHead({
          seq: 3,
          lastTimeMs: 0,
          tables: new Map(),
          usage: { memories: 1, bytes: 300 },
          stored: new Map(),
          broughtEpoch: { epoch: "e", within: "w" },
          place: 2,
          dueMs: Infinity,
        }),
      ),
      namespaceHead: hex(
        encodeNamespaceHead({
          place: 1,
          tables: new Map([["memories", { count: 1, digest: 5 }]]),
          bytes: 300,
          removalSeq: 2,
        }),
      ),
      mark: hex(
        encodeMark({ floor: 1, bytes: 300, groupChecksum: 7, heads: { count: 2, digest: 9 } }),
      ),
    }).toMatchInlineSnapshot(`
      {
        "alternateVector": "0000803f000000c0",
        "exchangedProfile": "93a16dcd01000b",
        "mark": "9501cd012c070209",
        "memory": "dc001aa26d31a47465787401a46661637491a174cb3fe0000000000000c001c2c0c0c0c0c0ce68e77800ce0754d4c0ce68e77800ce0754d4c0c0c0c00104c0c0c0",
        "namespaceHead": "94019193010105cd012c02",
        "profile": "92a16dcd0100",
        "reply": "93a26162aa7b226964223a2278227dcb42799c82cc000000",
        "replyExpiry": "c3a9",
        "restoredHead": "9903009001cd012c0292a165a17790c0",
        "scopeHead": "9903cb42799c82cc00000091934002cefffffffe01cd012c00c09192a56b65793a61cd0190cb42799c82cc000000",
        "timeline": "",
        "vector": "0000803f000000c0",
      }
    `);
  });

  it("payloads of heads and marks decode to equal values", () => {
    const tables = new Map([["vectors", { count: 70_000, digest: 0xffffffff }]] as const);
    const usage = { memories: 3, bytes: 2 ** 40 };
    for (const broughtEpoch of [undefined, { epoch: "e", within: "w" }])
      for (const [place, dueMs] of [[0, 2 ** 40] as const, [0xffffffff, Infinity] as const]) {
        const stored = new Map([["key:a", 2 ** 40]]);
        const head = { seq: 2 ** 40, lastTimeMs: -1, tables, usage, stored, dueMs };
        const scopeHead = { ...head, broughtEpoch, place };
        expect(decodeScopeHead(encodeScopeHead(scopeHead))).toEqual(scopeHead);
      }
    const namespaceHead = { place: 0xffffffff, tables, bytes: 2 ** 40, removalSeq: 2 ** 40 };
    expect(decodeNamespaceHead(encodeNamespaceHead(namespaceHead))).toEqual(namespaceHead);
    const mark = {
      floor: 2 ** 40,
      bytes: 2 ** 33,
      groupChecksum: 0xffffffff,
      heads: { count: 3, digest: 0xfffffff0 },
    };
    expect(decodeMark(encodeMark(mark))).toEqual(mark);
  });

  it("the payload of any memory decodes to an equal memory", () => {
    const text = fc.string({ unit: "binary" });
    const instant = fc.record({
      seconds: fc.integer({ min: -62_135_596_800, max: 253_402_300_799 }),
      nanos: fc.nat({ max: 999_999_999 }),
    });
    const memory: fc.Arbitrary<Memory> = fc.record(
      {
        id: text,
        content: text,
        memoryType: fc.constantFrom(...memoryTypes),
        tags: fc.array(text),
        importance: fc.double({ min: 0, max: 1 }),
        status: fc.constantFrom(...memoryStatuses),
        restricted: fc.boolean(),
        createTime: instant,
        updateTime: instant,
        version: fc.maxSafeNat(),
        tokenCount: fc.nat(),
        kind: text,
        source: text,
        author: text,
        threadId: text,
        // JSON.stringify writes -0 as 0, so the expected value must have 0 too.
        metadata: fc
          .dictionary(text, fc.jsonValue())
          .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, never>),
        eventTime: instant,
        expireTime: instant,
        supersedes: text,
        supersededBy: text,
      },
      {
        requiredKeys: [
          "id",
          "content",
          "memoryType",
          "tags",
          "importance",
          "status",
          "restricted",
          "createTime",
          "updateTime",
          "version",
          "tokenCount",
        ],
      },
    );
    const { encode, decode } = {
      encode: (value: Memory) => codecOf("memories").encode(value),
      decode: (bytes: Uint8Array) => codecOf("memories").decode(Buffer.from(bytes)),
    };
    fc.assert(
      fc.property(memory, (value) => {
        expect(decode(encode(value))).toEqual(value);
      }),
    );
    expect(decode(encode(fullMemory("m")))).toStrictEqual(fullMemory("m"));
  });

  it("the payload of any vector decodes bit for bit, at any alignment", () => {
    fc.assert(
      fc.property(fc.float32Array({ noNaN: true }), fc.nat({ max: 7 }), (vector, shift) => {
        const encoded = codecOf("vectors").encode(vector);
        const shifted = Buffer.concat([Buffer.alloc(shift), encoded]).subarray(shift);
        expect(codecOf("vectors").decode(shifted)).toStrictEqual(vector);
      }),
    );
  });
});
