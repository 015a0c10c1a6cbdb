/** The limits on connections and calls. They apply to both listeners together. */
export interface TrafficLimits {
  /** Maximum number of open connections. Further connections are closed immediately. */
  readonly connections: number;
  /**
   * Maximum number of open connections of one client address; 0 for no limit. Further connections
   * are closed. With 0, the calls of an address have no limits either.
   */
  readonly connectionsPerAddress: number;
  /**
   * The IP addresses to which no limit of an address applies: servers that call for many clients.
   */
  readonly forwarders: ReadonlySet<string>;
  /** Maximum number of open calls on one connection. */
  readonly connectionCalls: number;
  /**
   * Maximum number of open calls: from their headers until their replies are sent. Includes
   * watches, and calls that wait for any reason. Further calls are reset. The calls of one client
   * address may be two thirds of this number.
   */
  readonly openCalls: number;
  /** Time for a new connection to show its protocol, and for a request to send its headers. */
  readonly headersMs: number;
  /**
   * Time that a connection may stay open without calls. A tenth of this time once nine tenths of
   * `connections` are open.
   */
  readonly idleMs: number;
  /**
   * Interval of the pings on an HTTP/2 connection, which find clients that have vanished. A client
   * has a third of this time to answer.
   */
  readonly pingMs: number;
  /**
   * Maximum number of streams of one connection that may be reset within `countedMs` before their
   * request is complete.
   */
  readonly resets: number;
  /**
   * Maximum number of calls of one address within `countedMs` that exceed the open calls of the
   * address, or that the client gives up (see `Connections.countGivenUp`).
   */
  readonly givenUpCalls: number;
  /**
   * Number of connections of one address that the server closes within a minute because of `resets`
   * or `givenUpCalls` before the address gets no new connection for a while.
   */
  readonly offences: number;
  /** Whether that applies to loopback addresses too. */
  readonly barsLoopback: boolean;

  /**
   * Maximum number of bytes of the messages of calls in flight: of requests, and of replies that
   * their clients have not read. The calls of one principal may take a quarter of it, and
   * those of one connection without credentials an eighth.
   */
  readonly callBytes: number;
  /**
   * Maximum number of calls that may wait until their messages fit into `callBytes`. Principals
   * with few waiting calls may exceed it, up to twice this number.
   */
  readonly waitingCalls: number;
  /**
   * Maximum number of calls of one principal, in flight or waiting. Also the maximum number of its
   * open streams of requests. No limit without credentials.
   */
  readonly callsPerPrincipal: number;
  /**
   * Maximum number of open streams of requests, whether they are in flight or wait for their next
   * message. An open stream takes about 25 kB.
   */
  readonly streams: number;
  /**
   * Maximum number of open watches of the health, and of open watches of proposals. An open watch
   * takes about 17 kB. One principal may have half of the watches of proposals.
   */
  readonly watches: number;
  /** Maximum number of open calls of Reindex, Prune, Backup and Restore together. */
  readonly maintenanceCalls: number;
  /** Time after which a reply is ended if its client reads nothing of it. */
  readonly stalledMs: number;
  /**
   * Time after which the reply of a unary call is ended if it is not read, and that of a stream
   * after the deadline of its call.
   */
  readonly replyMs: number;
  /** Shortest time after which a client should retry a refused call. See `Refusals`. */
  readonly retryAfterMs: number;

  /** Interval between two checks of these time limits. */
  readonly sweepMs: number;
}

/** The default limits. `connections`, `connectionsPerAddress` and `callBytes` have settings. */
export const defaultTrafficLimits: TrafficLimits = {
  connections: 10_000,
  connectionsPerAddress: 1_000,
  forwarders: new Set(),
  connectionCalls: 256,
  openCalls: 7_500,
  headersMs: 10_000,
  idleMs: 5 * 60_000,
  pingMs: 60_000,
  resets: 200,
  givenUpCalls: 1_000,
  offences: 3,
  barsLoopback: false,
  callBytes: 256 * 1024 * 1024,
  waitingCalls: 1_000,
  callsPerPrincipal: 128,
  streams: 2_000,
  watches: 2_000,
  maintenanceCalls: 100,
  stalledMs: 10_000,
  replyMs: 30_000,
  retryAfterMs: 1_000,
  sweepMs: 1_000,
};
