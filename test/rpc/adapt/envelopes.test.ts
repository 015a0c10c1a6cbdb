import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitEnvelopes } from "../../../src/rpc/adapt/envelopes.js";
import { requestTooLarge } from "../../../src/rpc/adapt/request-errors.js";
import { messageMaxBytes } from "../../../src/rpc/limits.js";
import { isFullSuite } from "../../suite.js";
import { collect, streamOf } from "../streams.js";

interface Envelope {
  readonly flags: number;
  readonly data: Uint8Array;
}

function bodyOf(envelopes: readonly Envelope[]): Buffer {
  return Buffer.concat(
    envelopes.flatMap(({ flags, data }) => {
      const prefix = Buffer.alloc(5);
      prefix.writeUInt8(flags, 0);
      prefix.writeUInt32BE(data.byteLength, 1);
      return [prefix, data];
    }),
  );
}

/** Splits a body into chunks that end at the given offsets. */
function chunksOf(body: Buffer, ends: readonly number[]): Buffer[] {
  const places = [...new Set([0, ...ends.map((end) => end % (body.length + 1)), body.length])].sort(
    (a, b) => a - b,
  );
  return places.slice(1).map((end, i) => body.subarray(places[i], end));
}

const limits = {
  maxBytes: messageMaxBytes,
  tooLarge: () => requestTooLarge(),
  openSlot: () => undefined,
};

const split = async (chunks: readonly Uint8Array[]) =>
  (await collect(splitEnvelopes(streamOf(chunks), limits))).map(({ flags, data }) => ({
    flags,
    data: Buffer.from(data).toString("hex"),
  }));

describe("splitEnvelopes", () => {
  it("splitEnvelopes yields the same messages however the body is divided into chunks", async () => {
    const envelopes = fc.array(
      fc.record({ flags: fc.nat(255), data: fc.uint8Array({ maxLength: 40 }) }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(envelopes, fc.array(fc.nat(1000)), async (messages, ends) => {
        const expected = messages.map(({ flags, data }) => ({
          flags,
          data: Buffer.from(data).toString("hex"),
        }));
        expect(await split(chunksOf(bodyOf(messages), ends))).toEqual(expected);
      }),
    );
  });

  it("splitEnvelopes refuses a message that is too large, even in one chunk", async () => {
    const body = bodyOf([{ flags: 0, data: Buffer.alloc(messageMaxBytes + 1) }]);
    for (const chunks of [[body], chunksOf(body, [3, 70_000])])
      await expect(split(chunks)).rejects.toMatchObject({ reason: "REQUEST_TOO_LARGE" });
  });

  it("splitEnvelopes refuses a body that ends inside a message", async () => {
    const body = bodyOf([{ flags: 0, data: Buffer.from("abc") }]);
    for (let length = 1; length < body.length; length++) {
      await expect(split([body.subarray(0, length)])).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        reason: "MALFORMED_REQUEST",
      });
    }
  });

  it("splitEnvelopes refuses a message by its declared length, before the message arrives", async () => {
    const prefix = Buffer.from([0, 0, 64, 0, 1]);
    await expect(split([prefix])).rejects.toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      reason: "REQUEST_TOO_LARGE",
    });
  });

  it.runIf(isFullSuite)(
    "splitEnvelopes takes linear time for a body that arrives byte by byte",
    async () => {
      const body = bodyOf([{ flags: 0, data: Buffer.alloc(1_000_000) }]);
      const bytes = Array.from(body, (byte) => Uint8Array.of(byte));
      const [message] = await collect(splitEnvelopes(streamOf(bytes), limits));
      expect(message?.data.byteLength).toBe(1_000_000);
    },
  );
});
