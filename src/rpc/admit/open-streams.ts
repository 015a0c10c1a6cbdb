import { hasCredentials, type Principal } from "../../core/model/principal.js";
import type { EndingCall } from "./call-end.js";
import { PrincipalCounts } from "./principal-counts.js";
import type { Refusals } from "./refusals.js";
import type { TrafficLimits } from "./traffic-limits.js";

/**
 * The kinds of calls that may stay open for long and have no slot (see `CallQueue`) while they
 * wait. Each kind has limits of its own, so that calls of one kind cannot crowd out those of
 * another.
 */
export type StreamKind =
  | "requests"
  | "healthWatches"
  | "proposalWatches"
  | "memoryWatches"
  | "serverWatches"
  | "maintenance";

/** A call that may stay open for long. */
export interface StreamCall extends EndingCall {
  readonly principal: Principal;
  /** Identifies the connection: the same object for all its calls. */
  readonly connection: object;
}

/** The limits on open calls, by kind. */
type StreamLimits = Pick<
  TrafficLimits,
  "streams" | "callsPerPrincipal" | "watches" | "maintenanceCalls"
>;

/**
 * Maximum number of open health watches of one connection. A client needs one, and a proxy may send
 * those of many clients over one connection.
 */
const healthWatchesPerConnection = 8;

/** Maximum numbers of open maintenance calls, so that one operator does not keep out the others. */
const maintenanceCallsPerPrincipal = 4;
const maintenanceCallsPerTenant = 8;

/** Maximum numbers of open watches of the server and its jobs, which operators make. */
const serverWatches = 200;
const serverWatchesPerPrincipal = 20;

/** Limits the open calls of each kind. */
export class OpenStreams {
  readonly #kinds: Readonly<Record<StreamKind, StreamLimit>>;

  constructor(limits: StreamLimits, refusals: Refusals) {
    const limitOf = (what: string, most: StreamMaxima, advice?: string) =>
      new StreamLimit(what, most, refusals, advice);
    this.#kinds = {
      requests: limitOf("streams of requests", {
        all: limits.streams,
        ofPrincipal: limits.callsPerPrincipal,
      }),
      healthWatches: limitOf("watches of the health", {
        all: limits.watches,
        ofConnection: healthWatchesPerConnection,
      }),
      proposalWatches: limitOf("watches of proposals", {
        all: limits.watches,
        ofPrincipal: Math.ceil(limits.watches / 2),
      }),
      memoryWatches: limitOf("watches of memories", {
        all: limits.watches,
        ofPrincipal: Math.ceil(limits.watches / 2),
      }),
      serverWatches: limitOf("watches of the server and its jobs", {
        all: serverWatches,
        ofPrincipal: serverWatchesPerPrincipal,
      }),
      maintenance: limitOf(
        "calls of Reindex, Prune, Backup, Restore, Export, Import and ForgetUser",
        {
          all: limits.maintenanceCalls,
          ofPrincipal: maintenanceCallsPerPrincipal,
          ofTenant: maintenanceCallsPerTenant,
        },
        "Wait until one of them has ended (WatchJobs shows them), or cancel one (CancelJob). ",
      ),
    };
  }

  /**
   * Counts a call until it ends.
   *
   * @throws RESOURCE_EXHAUSTED (OVERLOADED) when too many calls of its kind are open
   */
  open(kind: StreamKind, call: StreamCall): void {
    this.#kinds[kind].open(call);
  }
}

/** Maximum numbers of open calls. Absent: no limit. */
interface StreamMaxima {
  readonly all: number;
  /** Does not limit callers without credentials. */
  readonly ofPrincipal?: number;
  /**
   * Does not limit callers without credentials. With this limit, a tenant without an open call may
   * always open one.
   */
  readonly ofTenant?: number;
  readonly ofConnection?: number;
}

/** The limit on the open calls of one kind. */
class StreamLimit {
  readonly #advice: string | undefined;
  readonly #what: string;
  readonly #most: StreamMaxima;
  readonly #refusals: Refusals;
  readonly #ofPrincipals = new PrincipalCounts();
  readonly #ofTenants = new PrincipalCounts(({ tenant }) => tenant);
  readonly #ofConnections = new WeakMap<object, number>();
  #open = 0;

  /**
   * @param what names the calls in error texts, in the plural
   * @param advice what a refused caller can do. Default: retry
   */
  constructor(what: string, most: StreamMaxima, refusals: Refusals, advice?: string) {
    this.#advice = advice;
    this.#what = what;
    this.#most = most;
    this.#refusals = refusals;
  }

  open(call: StreamCall): void {
    const { all, ofPrincipal = Infinity, ofTenant, ofConnection = Infinity } = this.#most;
    const openOfTenant = this.#ofTenants.of(call.principal);
    const { principal, connection } = call;
    if (this.#ofPrincipals.of(principal) >= ofPrincipal) {
      const what = `${ofPrincipal} ${this.#what} with your credentials are open`;
      throw this.#refusals.refusalOfCaller(what, this.#advice);
    }
    if (ofTenant !== undefined && openOfTenant >= ofTenant) {
      const what = `${ofTenant} ${this.#what} of your tenant are open`;
      throw this.#refusals.refusalOfCaller(what, this.#advice);
    }
    if ((this.#ofConnections.get(connection) ?? 0) >= ofConnection) {
      const what = `${ofConnection} ${this.#what} are open on your connection`;
      throw this.#refusals.refusalOfCaller(what);
    }
    const hasPlace = ofTenant !== undefined && openOfTenant === 0 && hasCredentials(principal);
    if (this.#open >= all && !hasPlace)
      throw this.#refusals.refusalOf(`${all} ${this.#what} are open`);
    this.#count(principal, connection, 1);
    call.onEnd(() => this.#count(principal, connection, -1));
  }

  #count(principal: Principal, connection: object, change: 1 | -1): void {
    this.#open += change;
    this.#ofPrincipals.change(principal, change);
    this.#ofTenants.change(principal, change);
    this.#ofConnections.set(connection, (this.#ofConnections.get(connection) ?? 0) + change);
  }
}
