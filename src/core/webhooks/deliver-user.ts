import { type ReadEvents, readEvents } from "../memory-events/read-events.js";
import { type Touch, touchesOf } from "../memory-events/touches.js";
import { commitsMax } from "../memory-events/watch.js";
import type { Delivery } from "../model/delivery.js";
import type { UserScope } from "../model/namespace.js";
import { deliveryKey } from "../model/record-keys.js";
import type { Change, Store } from "../ports/store.js";
import { commitSeqOf } from "../requests/commit-seq.js";
import type { WebhookMessage } from "./webhook.js";

/** What deliveries need. */
export interface DeliveryParts {
  readonly store: Store;
  /** Whether messages have the memories, and not their ids alone. */
  readonly includesMemories: boolean;
  /** Hands over a message, in one attempt. */
  readonly send: (message: WebhookMessage) => Promise<void>;
  /** Repeats a step until it works. Rejects when the deliveries of the user have to end. */
  readonly retry: <T>(step: () => Promise<T>) => Promise<T>;
}

/**
 * Hands all changes of a user's memories to the receiver, in the order of their commits. Returns
 * when the receiver has all of them. After a crash, the last message may be sent again.
 */
export async function deliverUser(parts: DeliveryParts, scope: UserScope): Promise<void> {
  for (;;) {
    const window = await parts.retry(() => readWindow(parts.store, scope));
    if (window === undefined) return;
    await deliverWindow(parts, scope, window);
  }
}

/** Some commits after those that the receiver has. */
interface Window {
  readonly delivery: Delivery;
  /** The epoch of the commits, which differs from that of `delivery` after a restore. */
  readonly epoch: string;
  /** The last of the commits. */
  readonly untilSeq: number;
  /** Absent: the change log does not have all of them. */
  readonly changes: readonly Change[] | undefined;
}

/** Returns the next commits; `undefined` if the receiver lacks nothing. */
async function readWindow(store: Store, scope: UserScope): Promise<Window | undefined> {
  await using snapshot = await store.snapshot(scope);
  const delivery = await snapshot.get("deliveries", scope, deliveryKey);
  if (delivery === undefined) return undefined;
  const { epoch, seq } = snapshot.head;
  const untilSeq = Math.min(seq, delivery.seq + commitsMax);
  const changes =
    delivery.epoch === epoch && delivery.seq <= seq
      ? await store.changes(snapshot, delivery.seq, untilSeq)
      : undefined;
  return { delivery, epoch, untilSeq: changes === undefined ? seq : untilSeq, changes };
}

async function deliverWindow(
  parts: DeliveryParts,
  scope: UserScope,
  { delivery, epoch, untilSeq, changes }: Window,
): Promise<void> {
  const { store, send, retry } = parts;
  const { userId, tenant } = scope;
  const upTo = (seq: number): bigint => commitSeqOf({ epoch, seq }, userId);
  const common = { ...(tenant !== undefined && { tenant }), userId };
  let known: Delivery | undefined = delivery;
  const acknowledge = async (seq: number): Promise<void> => {
    const expected = known;
    if (expected === undefined) return;
    known = await retry(() => note(store, scope, expected, { epoch, seq }));
  };
  if (changes === undefined)
    await retry(() => send({ ...common, events: "lost", commitSeq: upTo(untilSeq) }));
  const touches = touchesOf(changes ?? [], { agents: everyAgent });
  for (let at = 0; at < touches.length; ) {
    if (known === undefined) return;
    const rest = touches.slice(at);
    const from = known;
    const sent = await retry(async () => {
      const read = await readNext(parts, scope, { touches: rest, known: from, upTo });
      if (read === undefined) return undefined;
      const next = rest[read.count];
      const seq = next === undefined ? untilSeq : next.seq - 1;
      await send({ ...common, events: read.events, commitSeq: upTo(seq) });
      return { count: read.count, seq };
    });
    if (sent === undefined) return;
    at += sent.count;
    if (at < touches.length && sent.seq > from.seq) await acknowledge(sent.seq);
  }
  await acknowledge(untilSeq);
}

const everyAgent = ["*"];

/**
 * Reads the first of some touches, for each attempt anew: what was deleted since the last attempt
 * must not leave the server. Returns `undefined` if the user was erased or replaced meanwhile.
 */
async function readNext(
  { store, includesMemories }: DeliveryParts,
  scope: UserScope,
  {
    touches,
    known,
    upTo,
  }: {
    readonly touches: readonly Touch[];
    readonly known: Delivery;
    readonly upTo: (seq: number) => bigint;
  },
): Promise<ReadEvents | undefined> {
  await using snapshot = await store.snapshot(scope);
  const found = await snapshot.get("deliveries", scope, deliveryKey);
  if (!isSame(found, known)) return undefined;
  const options = { scope, agents: everyAgent, idsOnly: !includesMemories };
  return await readEvents(snapshot, touches, options, upTo);
}

/**
 * Notes what the receiver has. Returns what is noted then; `undefined` if the receiver lacks
 * nothing, or if another restore or server has changed the note meanwhile.
 */
async function note(
  store: Store,
  scope: UserScope,
  expected: Delivery,
  delivered: Delivery,
): Promise<Delivery | undefined> {
  const { result } = await store.update(scope, async (tx) => {
    const found = await tx.get("deliveries", scope, deliveryKey);
    if (!isSame(found, expected)) return undefined;
    if (isSame(tx.head, delivered)) {
      tx.delete("deliveries", scope, deliveryKey);
      return undefined;
    }
    tx.put("deliveries", scope, deliveryKey, delivered);
    return delivered;
  });
  return result;
}

function isSame(a: Delivery | undefined, b: Delivery): boolean {
  return a?.epoch === b.epoch && a.seq === b.seq;
}
