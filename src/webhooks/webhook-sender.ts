import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { MemoryEvent } from "../core/memory-events/service.js";
import { errorText } from "../core/model/errors.js";
import type { JsonValue } from "../core/model/json.js";
import type { Clock } from "../core/ports/clock.js";
import {
  WebhookFailure,
  type WebhookMessage,
  type WebhookSender,
} from "../core/webhooks/webhook.js";
import { allowsAddress, guardedLookup, type Resolve, refusedAddress } from "./guarded-lookup.js";

export interface WebhookSenderOptions {
  readonly url: URL;
  /** Keys of the signatures, the newest first. */
  readonly secrets: readonly Buffer[];
  readonly userAgent: string;
  readonly clock: Clock;
  /** Converts the events of a user to JSON. */
  readonly eventsOf: (events: readonly MemoryEvent[], userId: string) => JsonValue;
  /** Time for one request, in milliseconds. Default 10 s. */
  readonly timeoutMs?: number;
  /** See `guardedLookup`. */
  readonly resolve?: Resolve;
}

/** Types of messages. */
const changedType = "memories.changed";
const lostType = "memories.lost";

const defaultTimeoutMs = 10_000;

const answerMaxBytes = 64 * 1024;

/** HTTP 410: the receiver wants no more messages. */
const goneStatus = 410;

/** A sender that holds connections. */
export interface OpenWebhookSender extends WebhookSender {
  close(): void;
}

/**
 * Creates a sender that follows Standard Webhooks 1.0: the headers `webhook-id`,
 * `webhook-timestamp` and `webhook-signature`, and a body with `type`, `timestamp` and `data`.
 * Follows no redirect, and connects to no address that `guardedLookup` refuses.
 */
export function createWebhookSender(options: WebhookSenderOptions): OpenWebhookSender {
  const { url, secrets, userAgent, clock, timeoutMs = defaultTimeoutMs, resolve } = options;
  const isTls = url.protocol === "https:";
  const lookup: LookupFunction = (hostname, lookupOptions, callback) =>
    guardedLookup(hostname, lookupOptions, callback, resolve);
  const agentOptions = { keepAlive: true, lookup };
  const agent = isTls ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return {
    async send(message, signal) {
      // No name is looked up for an address.
      if (isIP(host) !== 0 && !allowsAddress(host, host))
        throw new WebhookFailure(refusedAddress(host, host).message);
      const nowMs = clock.nowMs();
      const { type, data } = contentOf(message, options);
      const id = `msg_${createHash("sha256")
        .update(JSON.stringify([type, data]))
        .digest("hex")
        .slice(0, 32)}`;
      const body = JSON.stringify({ type, timestamp: new Date(nowMs).toISOString(), data });
      const seconds = String(Math.floor(nowMs / 1000));
      const timeout = AbortSignal.timeout(timeoutMs);
      const request = (isTls ? requestHttps : requestHttp)(url, {
        method: "POST",
        agent,
        signal: AbortSignal.any([signal, timeout]),
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          "user-agent": userAgent,
          "webhook-id": id,
          "webhook-timestamp": seconds,
          "webhook-signature": signatures(secrets, `${id}.${seconds}.${body}`),
        },
      });
      // Errors after the first have nobody else to hear them.
      request.on("error", () => undefined);
      try {
        request.end(body);
        const [response] = (await once(request, "response")) as [IncomingMessage];
        await readToEnd(response);
        requireTaken(response, nowMs);
      } catch (error) {
        request.destroy();
        signal.throwIfAborted();
        if (error instanceof WebhookFailure) throw error;
        throw new WebhookFailure(
          timeout.aborted
            ? `the receiver did not answer within ${timeoutMs / 1000} s`
            : errorText(error),
        );
      }
    },
    close: () => agent.destroy(),
  };
}

function contentOf(message: WebhookMessage, { eventsOf }: WebhookSenderOptions) {
  const { tenant, userId, events, commitSeq } = message;
  const data = { ...(tenant !== undefined && { tenant }), userId };
  return events === "lost"
    ? { type: lostType, data: { ...data, commitSeq: String(commitSeq) } }
    : {
        type: changedType,
        data: { ...data, events: eventsOf(events, userId), commitSeq: String(commitSeq) },
      };
}

/** Returns the signature with each secret, so that receivers can change theirs at any time. */
function signatures(secrets: readonly Buffer[], signed: string): string {
  return secrets
    .map((secret) => `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`)
    .join(" ");
}

/** Reads a short answer, so that the connection can be used again. Closes it after a long one. */
async function readToEnd(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    if (bytes > answerMaxBytes) return;
  }
}

function requireTaken({ statusCode = 0, headers }: IncomingMessage, nowMs: number): void {
  if (statusCode >= 200 && statusCode < 300) return;
  throw new WebhookFailure(
    `the receiver answered with HTTP ${statusCode}`,
    statusCode === goneStatus,
    retryAfterMs(headers["retry-after"], nowMs),
  );
}

/** Returns the wait that an answer asks for, which is a number of seconds or a date. */
function retryAfterMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0;
  const waitMs = /^\d+$/.test(header) ? 1000 * Number(header) : Date.parse(header) - nowMs;
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : 0;
}
