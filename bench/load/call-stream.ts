/**
 * Calls of one RPC. Their messages are bytes: neither the load generator nor a bare handler decodes
 * them.
 */
export interface CallStream {
  /** The path of the RPC, such as `/vademecum.v1.MemoryProvider/Add`. */
  readonly path: string;
  /** Whether the reply is a stream of messages. */
  readonly isStream: boolean;
  /** The encoded requests, one a call. */
  readonly requests: readonly Uint8Array[];
}

/** What the load generator measured of the calls of one stream. */
export interface LoadFigures {
  readonly callsPerSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** A run of the load generator. */
export interface LoadRun {
  /** `host:port`. */
  readonly address: string;
  readonly calls: CallStream;
  /** Connections, over which the calls are spread evenly. */
  readonly connections: number;
  /** Concurrent calls in all. */
  readonly inFlight: number;
}

/** A kind of handler to compare the server with. */
export type BaselineHandler = "bare" | "codec";

/** The reply messages that a baseline handler sends for each call of an RPC. */
export interface BaselineReply {
  /** The path that the handler serves. */
  readonly path: string;
  /** The path of the RPC with these messages, such as `/vademecum.v1.MemoryProvider/Add`. */
  readonly rpcPath: string;
  readonly isStream: boolean;
  readonly messages: readonly Uint8Array[];
  /**
   * `bare`: the handler decodes nothing, and sends `messages` as they are. `codec`: it decodes each
   * request and encodes each reply, with the library of the server.
   */
  readonly handler: BaselineHandler;
}
