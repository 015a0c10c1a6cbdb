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

/** The reply messages that a bare handler sends for each call of an RPC. */
export interface BareReply {
  readonly path: string;
  readonly isStream: boolean;
  readonly messages: readonly Uint8Array[];
}
