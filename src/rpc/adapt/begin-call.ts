import type { Message } from "@bufbuild/protobuf";
import type { CallSlot, SlotCall } from "../admit/call-slots.js";
import { largestReplyBytes } from "../admit/largest-reply.js";
import type { OpenReply } from "../admit/open-reply.js";
import type { RpcMethod } from "./handler.js";

/** A call with its reply and its slot. */
export interface BeginningCall extends SlotCall {
  readonly reply: OpenReply;
  readonly slot: CallSlot;
  /** See `AdmittedCall.countStream`. */
  countStream(): void;
}

/**
 * Lets a call with one request begin: reserves bytes for its reply, then takes its slot. So a call
 * that waits until slow readers free bytes takes no slot. Returns a promise only if the call has to
 * wait.
 *
 * If the reply is an open-ended stream, each message reserves its own bytes later.
 *
 * @param copies how many copies of the reply are in memory while it is made
 * @throws RESOURCE_EXHAUSTED (OVERLOADED) when too many calls wait, or too many calls of its kind
 *   are open; also as a rejection
 * @throws the error of the ended call, as a rejection, when the call ends while it waits
 */
export function beginCall(
  call: BeginningCall,
  method: RpcMethod,
  request: Message,
  copies = 1,
): Promise<void> | undefined {
  call.countStream();
  if (countsMessages(method)) return call.slot.take();
  const room = call.reply.admit(copies * largestReplyBytes(method.descriptor, request), call);
  return room === undefined ? call.slot.take() : room.then(() => call.slot.take());
}

/**
 * Whether each message of a reply reserves its own bytes, because the number of messages is not
 * known in advance.
 */
export function countsMessages({ kind, openEnded }: RpcMethod): boolean {
  return kind === "bidi_streaming" || (kind === "server_streaming" && openEnded);
}

/**
 * Passes on the messages of a stream of requests. The call has its slot while it works on a
 * message, but not while it waits for the next one.
 *
 * @throws RESOURCE_EXHAUSTED (OVERLOADED) as `CallSlot.take`, before the first message only
 */
export async function* withSlot<T>(slot: CallSlot, requests: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const request of requests) {
    await slot.take();
    try {
      yield request;
    } finally {
      slot.release();
    }
  }
}
