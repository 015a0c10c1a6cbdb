import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decompressedMaxBytes,
  EnvelopeCounter,
  WholeCounter,
  withRoom,
} from "../../../src/rpc/adapt/request-counters.js";
import { RequestBody } from "../../../src/rpc/admit/request-body.js";
import { RequestBuffer } from "../../../src/rpc/admit/request-buffer.js";
import { defaultTrafficLimits } from "../../../src/rpc/admit/traffic-limits.js";
import { messageMaxBytes } from "../../../src/rpc/limits.js";
import { newRefusals } from "../admit/new-refusals.js";
import { grpcFrame } from "../raw-http2.js";
import { collect, streamOf } from "../streams.js";

const newShares = () => ({ small: { bytes: 0 }, large: { bytes: 0 } });

function newBody() {
  const buffer = new RequestBuffer(defaultTrafficLimits, newRefusals());
  return { buffer, body: new RequestBody(buffer, newShares()) };
}

/**
 * Creates a body for a buffer of 400 bytes, of which another request takes 300. A request waits
 * 0 ms for free bytes.
 */
function newBodyWithoutRoom() {
  const limits = {
    ...defaultTrafficLimits,
    requestBytes: 400,
    smallRequestBytes: 10,
    tinyRequestBytes: 0,
    requestWaitMs: 0,
  };
  const buffer = new RequestBuffer(limits, newRefusals());
  void new RequestBody(buffer, newShares()).begin().receive(300, 300);
  return new RequestBody(buffer, newShares());
}

describe("EnvelopeCounter", () => {
  it("EnvelopeCounter counts the bytes of each message, however the body is divided into chunks", () => {
    const sizes = fc.array(fc.nat(40), { maxLength: 8 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 60 }), (messages, chunkBytes) => {
        const { buffer, body } = newBody();
        const counter = new EnvelopeCounter(body);
        const bytes = Buffer.concat(messages.map((size) => grpcFrame(Buffer.alloc(size))));
        for (let at = 0; at < bytes.byteLength; at += chunkBytes)
          expect(counter.read(bytes.subarray(at, at + chunkBytes))).toBeUndefined();
        expect(counter.unreadBytes).toBe(0);
        let left = messages.reduce((sum, size) => sum + size, 0);
        expect(buffer.bytes).toBe(left);
        for (const size of messages) {
          body.next().release();
          left -= size;
          expect(buffer.bytes).toBe(left);
        }
        expect(() => body.next()).toThrow();
      }),
    );
  });

  it("EnvelopeCounter reserves the size that a large compressed message can have", () => {
    const { buffer, body } = newBody();
    const frame = grpcFrame(Buffer.alloc(100_000));
    frame.writeUInt8(1, 0);
    expect(new EnvelopeCounter(body).read(frame.subarray(0, 90_000))).toBeUndefined();
    expect(buffer.bytes).toBe(messageMaxBytes);
    expect(decompressedMaxBytes(100)).toBe(103_200);
  });

  it("EnvelopeCounter waits for each message of a chunk, and fails if one of them is refused", async () => {
    const body = newBodyWithoutRoom();
    const chunk = Buffer.concat([grpcFrame(Buffer.alloc(50)), grpcFrame(Buffer.alloc(50))]);
    // Only the first message of a stream can be refused, so this error is about the first message.
    await expect(new EnvelopeCounter(body).read(chunk)).rejects.toMatchObject({
      reason: "OVERLOADED",
    });
    body.close();
  });

  it("EnvelopeCounter counts nothing of a message that is too large", () => {
    const { buffer, body } = newBody();
    const counter = new EnvelopeCounter(body);
    const frame = grpcFrame(Buffer.alloc(messageMaxBytes + 1));
    for (const chunk of [frame, Buffer.alloc(1_000)]) void counter.read(chunk);
    expect(buffer.bytes).toBe(0);
  });
});

describe("withRoom", () => {
  it("WholeCounter counts no more of a body than the server keeps", async () => {
    const { buffer, body } = newBody();
    const counter = new WholeCounter(body, { size: 300, maxBytes: 100, isCompressed: false });
    const chunks = [Buffer.alloc(80), Buffer.alloc(80), Buffer.alloc(80)];
    expect(await collect(withRoom(streamOf(chunks), counter))).toHaveLength(3);
    expect(buffer.bytes).toBe(100);
  });

  it("withRoom reads the rest of a body that does not fit into the buffer before it throws", async () => {
    const body = newBodyWithoutRoom();
    let isRead = false;
    const chunks = async function* () {
      for (let count = 0; count < 5; count++) yield Buffer.alloc(50);
      isRead = true;
    };
    const counter = new WholeCounter(body, { size: 250, maxBytes: 1_000, isCompressed: false });
    await expect(collect(withRoom(chunks(), counter))).rejects.toMatchObject({
      reason: "OVERLOADED",
    });
    expect(isRead).toBe(true);
  });

  it("withRoom throws once a message that does not fit into the buffer has arrived, even if the stream continues", async () => {
    const body = newBodyWithoutRoom();
    const chunks = async function* () {
      const frame = grpcFrame(Buffer.alloc(100));
      yield frame.subarray(0, 60);
      yield frame.subarray(60);
      await new Promise(() => undefined);
    };
    await expect(collect(withRoom(chunks(), new EnvelopeCounter(body)))).rejects.toMatchObject({
      reason: "OVERLOADED",
    });
  });
});
