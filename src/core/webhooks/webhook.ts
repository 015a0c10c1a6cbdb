import type { MemoryEvent } from "../memory-events/service.js";

/** What the receiver of webhooks is told about a user, in one request. */
export interface WebhookMessage {
  /** Absent: the user belongs to no tenant. */
  readonly tenant?: string;
  readonly userId: string;
  /** The next changes of the user's memories. `lost`: the server no longer knows all of them. */
  readonly events: readonly MemoryEvent[] | "lost";
  /** The receiver then has all changes up to this `commit_seq`. */
  readonly commitSeq: bigint;
}

/** Hands messages to the receiver of webhooks. */
export interface WebhookSender {
  /**
   * Resolves when the receiver has taken the message. Makes one attempt.
   *
   * @throws WebhookFailure when the receiver has not taken it
   */
  send(message: WebhookMessage, signal: AbortSignal): Promise<void>;
}

/** The receiver has not taken a message. */
export class WebhookFailure extends Error {
  override readonly name = "WebhookFailure";

  /**
   * @param isGone whether the receiver wants no further messages
   * @param retryAfterMs how long the receiver wants to be left alone; 0 if it does not say
   */
  constructor(
    message: string,
    readonly isGone = false,
    readonly retryAfterMs = 0,
  ) {
    super(message);
  }
}

/**
 * How the deliveries of webhooks do. `standby`: another server with the same data makes them.
 * `gone`: the receiver wants no more, so none are made until the server is started again.
 */
export type WebhookState = "ok" | "failing" | "gone" | "standby";

/** How the deliveries of webhooks do, since the server was started. */
export interface WebhookStatus {
  readonly state: WebhookState;
  /** Users for whose changes a delivery is being made or waits for its next attempt. */
  readonly pendingUsers: number;
  /** Messages that the receiver has taken. */
  readonly delivered: number;
  /** Times that changes of a user were lost before the receiver had them. */
  readonly lost: number;
  /** Why the last attempt failed. Absent unless the state is `failing` or `gone`. */
  readonly failure?: string | undefined;
  /** When the first of the failed attempts in a row was made. Absent as `failure`. */
  readonly failingSinceMs?: number | undefined;
}
