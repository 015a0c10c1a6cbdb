import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RequestBody } from "../../../src/rpc/admit/request-body.js";
import { RequestBuffer, type RequestRoom } from "../../../src/rpc/admit/request-buffer.js";
import { defaultTrafficLimits } from "../../../src/rpc/admit/traffic-limits.js";
import { newRefusals } from "./new-refusals.js";

/**
 * The buffer may hold 1,200 bytes of large messages (400 of each connection), and 400 bytes of
 * small messages.
 */
const limits = {
  ...defaultTrafficLimits,
  requestBytes: 1_600,
  smallRequestBytes: 100,
  tinyRequestBytes: 10,
};

let buffer: RequestBuffer;
const newRoom = (): RequestRoom => ({ small: { bytes: 0 }, large: { bytes: 0 } });
const newBody = (room = newRoom()) => new RequestBody(buffer, room);
const refused = { code: "RESOURCE_EXHAUSTED", reason: "OVERLOADED" };

beforeEach(() => {
  vi.useFakeTimers();
  buffer = new RequestBuffer(limits, newRefusals());
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the bytes of a message", () => {
  it("a message counts with the bytes that have arrived, and with its whole size once it is large", () => {
    const message = newBody().begin();
    expect(message.receive(60, 300)).toBeUndefined();
    expect(buffer.bytes).toBe(60);
    expect(message.receive(60, 300)).toBeUndefined();
    expect(buffer.bytes).toBe(300);
    void message.receive(180, 300);
    message.resize(250);
    expect(buffer.bytes).toBe(250);
    message.release();
    message.release();
    expect(buffer.bytes).toBe(0);
  });

  it("a message counts until its stream is closed and its handler is done", () => {
    const [held, answered] = [newBody(), newBody()];
    for (const body of [held, answered]) {
      const message = body.begin();
      void message.receive(50, 50);
      message.hold();
      if (body === held) {
        body.close();
        expect(buffer.bytes).toBe(50);
        message.letGo();
      } else {
        message.letGo();
        expect(buffer.bytes).toBe(50);
        body.close();
      }
      expect(buffer.bytes).toBe(0);
    }
  });

  it("a compressed message counts with its largest size before it is decompressed", () => {
    const message = newBody().begin();
    void message.receive(20, 350);
    expect(message.require(350)).toBeUndefined();
    expect(buffer.bytes).toBe(350);
    message.resize(40);
    expect(buffer.bytes).toBe(40);
  });

  it("a message larger than the whole buffer is accepted when no other large message is in the buffer", () => {
    const message = newBody().begin();
    expect(message.receive(5_000, 5_000)).toBeUndefined();
    expect(buffer.bytes).toBe(5_000);
  });
});

describe("a large message that does not fit into the buffer", () => {
  const fill = () => {
    const room = newRoom();
    const body = newBody(room);
    expect(body.begin().receive(400, 400)).toBeUndefined();
    return { room, body };
  };

  it("a large message that does not fit into the buffer waits, even if more of it arrives", async () => {
    const { room, body } = fill();
    const message = newBody(room).begin();
    void message.receive(80, 120);
    const wait = message.receive(20 + 10, 120);
    expect(wait).toBeInstanceOf(Promise);
    expect(message.receive(10, 120)).toBe(wait);
    expect(message.require(120)).toBe(wait);
    expect(buffer.bytes).toBe(400 + 80);
    body.close();
    await wait;
    expect(buffer.bytes).toBe(120);
  });

  it("a large message stops waiting when its stream closes", async () => {
    const { room } = fill();
    const body = newBody(room);
    const wait = body.begin().receive(120, 120);
    body.close();
    await expect(wait).rejects.toMatchObject({ code: "CANCELLED" });
    expect(buffer.bytes).toBe(400);
  });

  it("a message that waits 10 s for the buffer is refused, but later messages of a stream wait longer", async () => {
    const { room, body } = fill();
    const late = newBody(room).begin().receive(120, 120);
    const outcome = expect(late).rejects.toMatchObject(refused);
    const stream = newBody(room);
    void stream.begin().receive(10, 10);
    const next = stream.begin().receive(120, 120);
    await vi.advanceTimersByTimeAsync(limits.requestWaitMs);
    await outcome;
    body.close();
    await next;
    expect(buffer.bytes).toBe(10 + 120);
  });

  it("a message is refused immediately when too many messages of its connection wait", () => {
    const { room } = fill();
    // Only two messages may wait, because the buffer is so small.
    for (let count = 0; count < 2; count++) void newBody(room).begin().receive(120, 120);
    expect(() => newBody(room).begin().receive(120, 120)).toThrow(expect.objectContaining(refused));
  });
});

describe("small messages", () => {
  it("small messages pass while large messages wait, and count as large when the bytes for small messages are used up", () => {
    const room = newRoom();
    const large = newBody(room).begin();
    void large.receive(400, 400);
    // One connection may take half of the bytes for small messages.
    expect(newBody(room).begin().receive(100, 100)).toBeUndefined();
    expect(newBody(room).begin().receive(100, 100)).toBeUndefined();
    expect(newBody(room).begin().receive(100, 100)).toBeInstanceOf(Promise);
    expect(newBody(room).begin().receive(10, 10)).toBeUndefined();
    const other = newBody().begin();
    expect(other.receive(100, 100)).toBeUndefined();
    expect(buffer.bytes).toBe(400 + 310);
  });
});
