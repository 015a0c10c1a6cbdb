import type { Code } from "../model/errors.js";
import type { Principal } from "../model/principal.js";

/**
 * How a call ended: with an answer, or with the code and the reason of an error. Only libraries
 * answer UNIMPLEMENTED, such as to a compression that they do not know.
 */
export interface Outcome {
  readonly code: Code | "OK" | "UNIMPLEMENTED";
  /** The reason of the error, such as OVERLOADED. Absent: answered, or refused by a library. */
  readonly reason?: string | undefined;
}

/** The outcome of a call that was answered. */
export const answered: Outcome = { code: "OK" };

/** Which sides of a call send several messages. */
export type CallKind = "unary" | "server_streaming" | "bidi_streaming" | "client_streaming";

/** A call that has ended. It holds no texts of the caller. */
export interface EndedCall extends Outcome {
  /** Path of the RPC: `/<service>/<method>`. */
  readonly path: string;
  /** Time from the headers of the call until its end. */
  readonly durationMs: number;
  /** The part of `durationMs` for which the call waited for its turn. */
  readonly waitedMs: number;
  /** The part of `durationMs` in which a handler worked. */
  readonly workedMs: number;
  /** Number of records of the store and rows of indexes that the call is known to have read. */
  readonly rows: number;
  /** The id in the header `x-request-id`, which the client gave or the server made. */
  readonly requestId: string;
  /** Address and port of the client, or of the proxy in front of it. */
  readonly peer: string;
  /** Who called. Absent: the call was refused before the server knew it. */
  readonly principal?: Principal | undefined;
  /** Which sides send several messages. */
  readonly kind: CallKind;
  /** Whether the call may take long because of its client, such as a watch. */
  readonly mayLast: boolean;
  /** Encoded size of the requests that the handler got. */
  readonly requestBytes: number;
  /** Approximate size of the messages of the reply. */
  readonly replyBytes: number;
  /** The users, agents, runs and tools that the request named. Found when asked for. */
  readonly names?: readonly { readonly kind: string; readonly id: string }[];
}

/** Notes calls that have ended. It must not throw, and must be fast: it runs in each call. */
export type CallObserver = (call: EndedCall) => void;
