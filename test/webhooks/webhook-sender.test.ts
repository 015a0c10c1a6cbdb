import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WebhookMessage } from "../../src/core/webhooks/webhook.js";
import { allowsAddress, type Resolve } from "../../src/webhooks/guarded-lookup.js";
import {
  createWebhookSender,
  type WebhookSenderOptions,
} from "../../src/webhooks/webhook-sender.js";
import { WebhookReceiver, webhookSecret } from "../e2e/harness/webhook-receiver.js";

const bytesOf = (secret: string) => Buffer.from(secret.slice("whsec_".length), "base64");
const message: WebhookMessage = { userId: "kim", events: [], commitSeq: 7n };
const { signal } = new AbortController();

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await new WebhookReceiver().start();
});
afterEach(() => receiver.stop());

function senderTo(url: string, more: Partial<WebhookSenderOptions> = {}) {
  return createWebhookSender({
    ...{ url: new URL(url), secrets: [bytesOf(webhookSecret)], userAgent: "vademecum/1" },
    ...{ clock: { nowMs: () => Date.now() }, eventsOf: () => [], ...more },
  });
}

describe("a sender of webhooks", () => {
  it("signs with each secret, so that a receiver may already have the next one", async () => {
    const next = `whsec_${Buffer.alloc(24, 9).toString("base64")}`;
    const secrets = [bytesOf(next), bytesOf(webhookSecret)];
    const sender = senderTo(receiver.url, { secrets });
    await sender.send(message, signal);
    expect(receiver.received).toHaveLength(1);
    const other = await new WebhookReceiver(next).start();
    await senderTo(other.url, { secrets }).send(message, signal);
    expect(other.received).toHaveLength(1);
    other.stop();
  });

  it("gives a message that it sends again the same id, and another message another one", async () => {
    const sender = senderTo(receiver.url);
    for (const commitSeq of [7n, 7n, 8n]) await sender.send({ ...message, commitSeq }, signal);
    const [first, again, other] = receiver.received.map(({ id }) => id);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it("tells of lost changes in a message of its own type", async () => {
    await senderTo(receiver.url).send({ ...message, tenant: "acme", events: "lost" }, signal);
    expect(receiver.received).toMatchObject([
      { type: "memories.lost", data: { tenant: "acme", userId: "kim", commitSeq: "7" } },
    ]);
  });

  it.each([301, 302, 307, 400, 500])(
    "counts HTTP %i as a failure, and follows no redirect",
    async (status) => {
      const target = await new WebhookReceiver().start();
      receiver.answer = (response) => {
        response.writeHead(status, { location: target.url }).end();
        return false;
      };
      await expect(senderTo(receiver.url).send(message, signal)).rejects.toMatchObject({
        ...{ name: "WebhookFailure", isGone: false },
        message: `the receiver answered with HTTP ${status}`,
      });
      expect(target.requests).toBe(0);
      target.stop();
    },
  );

  it("understands that the receiver is gone, or wants a pause", async () => {
    receiver.refuse(410);
    const sender = senderTo(receiver.url);
    await expect(sender.send(message, signal)).rejects.toMatchObject({ isGone: true });
    receiver.answer = (response) => {
      response.writeHead(429, { "retry-after": "90" }).end();
      return false;
    };
    await expect(sender.send(message, signal)).rejects.toMatchObject({ retryAfterMs: 90_000 });
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ["no answer", () => undefined],
    ["half an answer", (response) => response.writeHead(200).write("x")],
  ])("gives up after its time when there is %s", async (_, answer) => {
    receiver.answer = (response) => {
      answer(response);
      return false;
    };
    const sender = senderTo(receiver.url, { timeoutMs: 100 });
    await expect(sender.send(message, signal)).rejects.toThrow(
      "the receiver did not answer within 0.1 s",
    );
  });

  it("reads no endless answer", async () => {
    receiver.answer = (response) => {
      const more = (): void => {
        while (response.write("x".repeat(16_384)));
        response.once("drain", more);
      };
      more();
      return true;
    };
    await senderTo(receiver.url).send(message, signal);
    expect(receiver.received).toHaveLength(1);
  });

  it("says why nobody answers", async () => {
    const url = receiver.url;
    receiver.stop();
    await expect(senderTo(url).send(message, signal)).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe("the addresses of a receiver", () => {
  let server: Server;
  let port: number;
  let connections = 0;
  beforeEach(async () => {
    connections = 0;
    server = createServer((_request, response) => response.writeHead(204).end());
    server.on("connection", () => connections++);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  const answers =
    (...addresses: readonly string[]): Resolve =>
    (_hostname, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );

  it("are checked when the sender connects, so a name cannot lead to this machine", async () => {
    for (const addresses of [["127.0.0.1"], ["203.0.113.7", "127.0.0.1"], []]) {
      const sender = senderTo(`http://rebound.example:${port}`, { resolve: answers(...addresses) });
      await expect(sender.send(message, signal)).rejects.toThrow(/rebound\.example leads to/);
    }
    const sender = senderTo(`http://169.254.169.254:${port}`);
    await expect(sender.send(message, signal)).rejects.toThrow(/leads to 169\.254\.169\.254/);
    expect(connections).toBe(0);
    await senderTo(`http://localhost:${port}`, { resolve: answers("127.0.0.1") }).send(
      message,
      signal,
    );
    expect(connections).toBe(1);
  });

  it.each([
    ["hooks.example", "203.0.113.7", true],
    ["hooks.example", "10.1.2.3", true],
    ["hooks.example", "2001:db8::1", true],
    ["hooks.example", "127.0.0.2", false],
    ["hooks.example", "0.0.0.0", false],
    ["hooks.example", "169.254.169.254", false],
    ["hooks.example", "224.0.0.1", false],
    ["hooks.example", "255.255.255.255", false],
    ["hooks.example", "::1", false],
    ["hooks.example", "::", false],
    ["hooks.example", "::ffff:127.0.0.1", false],
    ["hooks.example", "::ffff:169.254.169.254", false],
    ["hooks.example", "fe80::1", false],
    ["localhost", "127.0.0.1", true],
    ["localhost", "203.0.113.7", false],
    ["127.0.0.1", "127.0.0.1", true],
  ])("from %s to %s: %s", (host, address, isAllowed) => {
    expect(allowsAddress(host, address)).toBe(isAllowed);
  });
});
