import { setTimeout as wait } from "node:timers/promises";
import pLimit from "p-limit";
import pRetry, { AbortError } from "p-retry";
import { errorText, VademecumError } from "../core/model/errors.js";
import { type Scope, scopeMapKey, type UserScope } from "../core/model/namespace.js";
import type { Clock } from "../core/ports/clock.js";
import type { JobLock } from "../core/ports/job-lock.js";
import type { Log } from "../core/ports/log.js";
import type { Meter } from "../core/ports/meter.js";
import type { Store } from "../core/ports/store.js";
import { deliverUser } from "../core/webhooks/deliver-user.js";
import {
  WebhookFailure,
  type WebhookMessage,
  type WebhookSender,
  type WebhookStatus,
} from "../core/webhooks/webhook.js";

export interface WebhookDeliveriesOptions {
  /** The data of all tenants. */
  readonly store: Store;
  readonly sender: WebhookSender;
  /** See `DeliveryParts.includesMemories`. */
  readonly includesMemories: boolean;
  readonly clock: Clock;
  readonly meter: Meter;
  readonly log: Log;
  /** Wait before the first retry, in milliseconds. Default 1 s. */
  readonly firstRetryMs?: number;
}

/** The longest wait before a retry. */
const retryMaxMs = 300_000;

/** Requests at the same time. */
const requestsMax = 8;

/** Users whose changes are delivered or wait for a retry at the same time. The others wait. */
const usersMax = 10_000;

/** How often a server looks for changes that other servers noted, or for the lock of deliveries. */
const lookMs = 1_000;

/** Delivers the changes of all users' memories to the receiver of webhooks. */
export class WebhookDeliveries {
  readonly #options: WebhookDeliveriesOptions;
  readonly #stopping = new AbortController();
  readonly #limit = pLimit(requestsMax);
  /** Users in work. True: the user has changed again. */
  readonly #users = new Map<string, boolean>();
  readonly #running = new Set<Promise<void>>();
  #looking: Promise<void> = Promise.resolve();
  /** Whether the store may have noted users that are not in work. */
  #mustLook = true;
  #lock: JobLock | undefined;
  #isGone = false;
  #failure: string | undefined;
  #failingSinceMs: number | undefined;
  #delivered = 0;
  #lost = 0;

  constructor(options: WebhookDeliveriesOptions) {
    this.#options = options;
  }

  /** Begins to deliver, first what an earlier run of the server has left. */
  start(): void {
    this.#looking = this.#lookAlways();
  }

  /** Delivers what a user's last transaction has noted. */
  add(scope: Scope): void {
    if (scope.kind !== "user" || !this.#mayDeliver) return;
    const key = scopeMapKey(scope);
    if (this.#users.has(key)) {
      this.#users.set(key, true);
      return;
    }
    if (this.#users.size >= usersMax) {
      this.#mustLook = true;
      return;
    }
    const running = this.#deliver(scope, key).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Looks soon for users that are noted without a transaction, such as restored ones. */
  lookAgain(): void {
    this.#mustLook = true;
  }

  status(): WebhookStatus {
    const isStandby = this.#options.store.tryLock !== undefined && !this.#mayDeliver;
    return {
      state: this.#isGone
        ? "gone"
        : this.#failure !== undefined
          ? "failing"
          : isStandby
            ? "standby"
            : "ok",
      pendingUsers: this.#users.size,
      delivered: this.#delivered,
      lost: this.#lost,
      failure: this.#failure,
      failingSinceMs: this.#failingSinceMs,
    };
  }

  /** Ends all attempts. What is not delivered stays noted. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking;
    await Promise.all(this.#running);
    await this.#lock?.[Symbol.asyncDispose]();
  }

  get #mayDeliver(): boolean {
    if (this.#stopping.signal.aborted || this.#isGone) return false;
    return this.#options.store.tryLock === undefined || this.#lock?.isHeld === true;
  }

  /** One of the servers that share a database delivers, and also looks for what others note. */
  async #lookAlways(): Promise<void> {
    const { store, log } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted && !this.#isGone) {
      try {
        if (this.#lock?.isHeld !== true) this.#lock = await store.tryLock?.("deliveries");
        const mustLook = this.#mustLook || store.tryLock !== undefined;
        if (mustLook && this.#mayDeliver) await this.#look();
      } catch (error) {
        this.#mustLook = true;
        if (!signal.aborted) log("warn", "cannot look for undelivered webhooks", { error });
      }
      await wait(lookMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    this.#mustLook = false;
    for await (const scope of this.#options.store.undelivered()) {
      if (this.#users.size < usersMax) this.add(scope);
      else {
        this.#mustLook = true;
        return;
      }
    }
  }

  async #deliver(scope: UserScope, key: string): Promise<void> {
    const { store, includesMemories, log } = this.#options;
    const send = (message: WebhookMessage): Promise<void> => this.#send(message);
    const retry = <T>(step: () => Promise<T>): Promise<T> => this.#retry(step);
    try {
      do {
        this.#users.set(key, false);
        this.#measure();
        await deliverUser({ store, includesMemories, send, retry }, scope);
      } while (this.#users.get(key) === true);
    } catch (error) {
      const isExpected = !this.#mayDeliver || isMoved(error);
      if (!isExpected) log("error", "the webhooks of a user are not delivered", { error });
    } finally {
      this.#users.delete(key);
      this.#measure();
    }
  }

  async #send(message: WebhookMessage): Promise<void> {
    const { sender, meter } = this.#options;
    const { signal } = this.#stopping;
    try {
      await this.#limit(async () => {
        if (!this.#mayDeliver) throw new AbortError("deliveries have ended");
        await sender.send(message, signal);
      });
    } catch (error) {
      if (error instanceof WebhookFailure) this.#noteFailure(error);
      throw error;
    }
    this.#noteSuccess();
    if (message.events === "lost") {
      this.#lost += 1;
      meter("webhookLost", 1);
    }
  }

  #noteFailure(failure: WebhookFailure): void {
    const { clock, meter, log } = this.#options;
    meter("webhookRequests", 1, "failed");
    if (this.#isGone) return;
    if (failure.isGone) {
      this.#isGone = true;
      log("error", "the receiver of webhooks is gone; none are sent until the server restarts", {
        failure: failure.message,
      });
    } else if (this.#failure === undefined)
      log("warn", "webhooks are not delivered; the server tries again", {
        failure: failure.message,
      });
    this.#failingSinceMs ??= clock.nowMs();
    this.#failure = failure.message;
    meter("webhookFailing", 1);
  }

  #noteSuccess(): void {
    const { clock, meter, log } = this.#options;
    this.#delivered += 1;
    meter("webhookRequests", 1, "taken");
    if (this.#failure === undefined || this.#isGone) return;
    const seconds = Math.round((clock.nowMs() - (this.#failingSinceMs ?? 0)) / 1000);
    log("info", "webhooks are delivered again", { seconds });
    this.#failure = undefined;
    this.#failingSinceMs = undefined;
    meter("webhookFailing", 0);
  }

  #measure(): void {
    this.#options.meter("webhookUsersPending", this.#users.size);
  }

  /** Repeats a step with growing pauses, until it works or deliveries end. */
  #retry<T>(step: () => Promise<T>): Promise<T> {
    const { log, firstRetryMs = 1_000 } = this.#options;
    const { signal } = this.#stopping;
    return pRetry(step, {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: firstRetryMs,
      maxTimeout: retryMaxMs,
      randomize: true,
      signal,
      unref: true,
      shouldRetry: ({ error }) => this.#mayDeliver && !isMoved(error),
      async onFailedAttempt({ error }) {
        const waitMs = error instanceof WebhookFailure ? error.retryAfterMs : 0;
        if (waitMs > 0) await wait(Math.min(waitMs, retryMaxMs), undefined, { signal, ref: false });
        else if (!(error instanceof WebhookFailure) && !isMoved(error))
          log("warn", `cannot deliver the webhooks of a user: ${errorText(error)}`, { error });
      },
    });
  }
}

/** Whether another server has the user now, and delivers. */
function isMoved(error: unknown): boolean {
  return error instanceof VademecumError && error.reason === "MOVED";
}
