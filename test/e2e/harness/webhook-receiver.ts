import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { expect } from "vitest";

/** A secret of signatures, as `--webhook-secret-file` takes it. */
export const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** A message that a receiver has got. */
export interface ReceivedWebhook {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly tenant?: string;
    readonly userId: string;
    readonly events?: readonly {
      readonly kind: string;
      readonly agentId: string;
      readonly id?: string;
      readonly commitSeq: string;
      readonly memory?: { readonly content: string };
    }[];
    readonly commitSeq: string;
  };
}

/** Answers a request. Returns whether the message counts as received. */
type Answer = (response: ServerResponse) => boolean;

const taken: Answer = (response) => {
  response.writeHead(204).end();
  return true;
};

/** A receiver of webhooks, which checks each signature with the library of Standard Webhooks. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** Number of requests, also of those that were not taken. */
  requests = 0;
  answer: Answer = taken;
  readonly #verifier: Webhook;
  readonly #server = createServer((request, response) => void this.#take(request, response));

  constructor(secret = webhookSecret) {
    this.#verifier = new Webhook(secret);
  }

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks`;
  }

  /** The flags of a server that sends to this receiver. */
  get flags() {
    return { webhook: this.url };
  }

  /** Refuses all messages with a status of HTTP. */
  refuse(status: number): void {
    this.answer = (response) => {
      response.writeHead(status).end();
      return false;
    };
  }

  accept(): void {
    this.answer = taken;
  }

  /** The ids of the changed memories of a user, in the order of the messages. */
  idsOf(userId: string): readonly string[] {
    return this.received
      .filter(({ data }) => data.userId === userId)
      .flatMap(({ data }) => data.events?.map(({ id = "" }) => id) ?? []);
  }

  async expectIds(userId: string, ids: readonly string[]): Promise<void> {
    await expect.poll(() => this.idsOf(userId), { timeout: 20_000 }).toEqual(ids);
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    this.requests += 1;
    const { headers } = request;
    const message = this.#verifier.verify(body, {
      "webhook-id": String(headers["webhook-id"]),
      "webhook-timestamp": String(headers["webhook-timestamp"]),
      "webhook-signature": String(headers["webhook-signature"]),
    }) as Omit<ReceivedWebhook, "id">;
    if (this.answer(response))
      this.received.push({ ...message, id: String(headers["webhook-id"]) });
  }
}
