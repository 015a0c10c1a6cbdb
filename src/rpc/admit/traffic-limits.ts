import { defaultTimeoutMs } from "../limits.js";

const mebibyte = 1024 ** 2;

/** The limits on connections, replies and calls. They apply to both listeners together. */
export interface TrafficLimits {
  /** Maximum number of open connections. Further connections are closed immediately. */
  readonly connections: number;
  /**
   * Maximum number of open connections of one client address; 0 for no limit. Further connections
   * are closed.
   */
  readonly connectionsPerAddress: number;
  /** Maximum number of calls in flight on one connection. */
  readonly connectionCalls: number;
  /**
   * Maximum number of open calls: from their headers until their replies are sent. Includes
   * watches, and calls that wait for any reason. Further calls are reset.
   */
  readonly openCalls: number;
  /**
   * Maximum number of open calls of one client address. No limit if `connectionsPerAddress` is 0.
   */
  readonly openCallsPerAddress: number;
  /** Time for a new connection to show its protocol, and for a request to send its headers. */
  readonly headersMs: number;
  /** Time that a connection may stay open without calls, while few connections are open. */
  readonly idleMs: number;
  /**
   * Time that a connection may stay open without calls, once nine tenths of `connections` are open.
   */
  readonly crowdedIdleMs: number;
  /** Interval of the pings on an HTTP/2 connection. Pings find clients that have vanished. */
  readonly pingMs: number;
  /** Time for a client to answer a ping. */
  readonly pingTimeoutMs: number;
  /** Time for a client to close its side of a connection that the server has closed. */
  readonly closeMs: number;
  /**
   * Maximum number of streams of one connection that may be reset within `resetsMs` before their
   * request is complete.
   */
  readonly resets: number;
  readonly resetsMs: number;
  /**
   * Maximum number of calls of one address within `resetsMs` that exceed `openCallsPerAddress`, or
   * that the client gives up. A client gives up a call if it resets the call before the call
   * begins. A client without credentials also gives up a call if it closes the connection less than
   * `givenUpMs` after the call began. No limit if `connectionsPerAddress` is 0.
   */
  readonly givenUpCalls: number;
  readonly givenUpMs: number;
  /**
   * Time for which an address gets no connection after it or one of its connections exceeded
   * `givenUpCalls` or `resets`.
   */
  readonly addressWaitMs: number;

  /**
   * Maximum number of bytes of the unread replies of one connection; with credentials, of one
   * principal on one connection.
   */
  readonly connectionReplyBytes: number;
  /** Maximum number of bytes of all unread replies. */
  readonly replyBytes: number;
  /**
   * Share of `replyBytes` for the unread replies of one principal. No limit without credentials. On
   * the HTTP port, a reply that waits to be sent may grow to twice its reservation. So with a share
   * of a quarter, a principal leaves at least half of `replyBytes` to others.
   */
  readonly principalReplyShare: number;
  /**
   * Largest reply that counts as small. A small reply waits only if its principal already uses
   * twice its share.
   */
  readonly smallReplyBytes: number;
  /** RAM that a call takes while it waits until its reply fits into `replyBytes`, in bytes. */
  readonly waitingCallBytes: number;
  /**
   * Deadline of a request that is not a call, and of a call until its adapter sets another
   * deadline.
   */
  readonly timeoutMs: number;
  /** Time from the deadline of a call until the call is reset, if its reply is still not read. */
  readonly unreadMs: number;
  /** Time after which a reply is reset if its client reads nothing of it, whatever its deadline. */
  readonly stalledMs: number;
  /** Time after which a stalled reply may be reset if other calls wait for its bytes. */
  readonly stalledCrowdedMs: number;
  /**
   * Time after which a large request may be reset if nothing more of it arrives and other requests
   * wait.
   */
  readonly stalledRequestMs: number;

  /**
   * Maximum number of request bytes that have arrived and are still needed. A quarter of these
   * bytes is for small messages.
   */
  readonly requestBytes: number;
  /**
   * Maximum number of bytes of the large messages of one connection. At most a quarter of
   * `requestBytes`.
   */
  readonly connectionRequestBytes: number;
  /**
   * Maximum number of bytes of the large messages of one connection that wait to be received. The
   * default is below 10 MB, because a client on Node refuses all replies while it has more than
   * that to send.
   */
  readonly waitingRequestBytes: number;
  /** Largest message that counts as small. */
  readonly smallRequestBytes: number;
  /**
   * An arriving message of at most this size is never refused or delayed, so that health checks
   * work under load.
   */
  readonly tinyRequestBytes: number;
  /** Time that a request may wait until it fits into these limits. */
  readonly requestWaitMs: number;

  /** Maximum number of calls in flight. A stream counts only while it works on a request. */
  readonly calls: number;
  /**
   * Maximum number of calls that may wait until a call in flight ends. Also the maximum number of
   * calls that may wait until their replies fit into `replyBytes`. A principal with few calls of
   * this second kind may exceed the second maximum. Without credentials, a connection with few such
   * calls may.
   */
  readonly waitingCalls: number;
  /**
   * Maximum number of calls of one principal, in flight or waiting. No limit without credentials.
   */
  readonly callsPerPrincipal: number;
  /**
   * Maximum number of open streams of requests, whether they are in flight or wait for their next
   * message. An open stream takes about 25 kB.
   */
  readonly streams: number;
  /** Maximum number of open streams of requests of one principal. No limit without credentials. */
  readonly streamsPerPrincipal: number;
  /**
   * Maximum number of open `Watch` calls of the health service. They need no credentials. An open
   * watch takes about 17 kB.
   */
  readonly healthWatches: number;
  /** Maximum number of open health watches of one connection. */
  readonly healthWatchesPerConnection: number;
  /** Maximum number of open watches of proposals. */
  readonly proposalWatches: number;
  /** Maximum number of open watches of proposals of one principal. No limit without credentials. */
  readonly proposalWatchesPerPrincipal: number;
  /** Maximum number of open calls of Reindex, Prune, Backup and Restore together. */
  readonly maintenanceCalls: number;
  /** Shortest time after which a client should retry a refused call. See `Refusals`. */
  readonly retryAfterMs: number;

  /** Interval between two checks of these time limits. */
  readonly sweepMs: number;
}

/**
 * The default limits. `connections`, `connectionsPerAddress`, `replyBytes` and `requestBytes` have
 * settings.
 */
export const defaultTrafficLimits: TrafficLimits = {
  connections: 10_000,
  connectionsPerAddress: 1_000,
  connectionCalls: 256,
  openCalls: 7_500,
  openCallsPerAddress: 5_000,
  headersMs: 10_000,
  idleMs: 5 * 60_000,
  crowdedIdleMs: 30_000,
  pingMs: 60_000,
  pingTimeoutMs: 20_000,
  closeMs: 1_000,
  resets: 200,
  resetsMs: 10_000,
  givenUpCalls: 1_000,
  givenUpMs: 1_000,
  addressWaitMs: 10_000,
  connectionReplyBytes: 32 * mebibyte,
  replyBytes: 256 * mebibyte,
  principalReplyShare: 1 / 4,
  smallReplyBytes: 64 * 1024,
  waitingCallBytes: 32 * 1024,
  timeoutMs: defaultTimeoutMs,
  unreadMs: 30_000,
  stalledMs: 5 * 60_000,
  stalledCrowdedMs: 10_000,
  stalledRequestMs: 5_000,
  requestBytes: 64 * mebibyte,
  connectionRequestBytes: 32 * mebibyte,
  waitingRequestBytes: 8 * mebibyte,
  smallRequestBytes: 64 * 1024,
  tinyRequestBytes: 1024,
  requestWaitMs: 10_000,
  calls: 1_000,
  waitingCalls: 1_000,
  callsPerPrincipal: 128,
  streams: 2_000,
  streamsPerPrincipal: 128,
  healthWatches: 2_000,
  healthWatchesPerConnection: 8,
  proposalWatches: 2_000,
  proposalWatchesPerPrincipal: 1_000,
  maintenanceCalls: 100,
  retryAfterMs: 1_000,
  sweepMs: 1_000,
};
