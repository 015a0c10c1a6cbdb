import fc from "fast-check";
import { expect, it } from "vitest";
import { MessageSizes } from "../../../src/rpc/adapt/message-sizes.js";
import { grpcFrame } from "../raw-http2.js";

it("the sizes of messages are the same however the body is divided into chunks", () => {
  const lengths = fc.array(fc.nat(20), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(lengths, fc.array(fc.nat(200)), (messages, ends) => {
      const body = Buffer.concat(messages.map((length) => grpcFrame(Buffer.alloc(length))));
      const places = [0, ...ends.map((end) => end % (body.length + 1)), body.length];
      const sorted = [...new Set(places)].sort((a, b) => a - b);
      const sizes = new MessageSizes();
      const read = sorted.slice(1).map((end, at) => sizes.read(body.subarray(sorted[at], end)));
      expect(Math.max(...read)).toBe(Math.max(...messages));
      expect([sizes.isInside, sizes.unreadBytes]).toEqual([false, 0]);
    }),
  );
});

it("a body may end inside the prefix of a message, or inside the message", () => {
  const frame = grpcFrame(Buffer.alloc(10));
  for (let length = 1; length < frame.length; length++) {
    const sizes = new MessageSizes();
    expect(sizes.read(frame.subarray(0, length))).toBe(length < 5 ? 0 : 10);
    expect([sizes.isInside, sizes.unreadBytes]).toEqual([true, length < 5 ? 0 : 15 - length]);
  }
});
