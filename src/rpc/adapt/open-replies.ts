import type { OpenReply } from "../admit/open-reply.js";
import { createAttachedValues } from "./attached-values.js";

const replies = createAttachedValues<object, OpenReply>("reply");

/** Sets the reply that belongs to a stream (HTTP/2) or a response (HTTP/1.1). */
export function setReply(stream: object, reply: OpenReply): void {
  replies.attach(stream, reply);
}

/** Returns the reply of a stream (HTTP/2) or a response (HTTP/1.1). */
export function replyOf(stream: object): OpenReply {
  const reply = replies.of(stream);
  if (reply === undefined) throw new Error("the listener has opened no reply for this stream");
  return reply;
}
