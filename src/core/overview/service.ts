import type { Instant } from "../model/instant.js";
import type { Namespace } from "../model/namespace.js";
import type { IdPatterns } from "../model/principal.js";
import type { Call } from "../ports/call.js";
import type { Clock } from "../ports/clock.js";
import type { Store, VectorProfile } from "../ports/store.js";
import type { Page, PageQuery } from "../requests/list-page.js";

/** The dependencies of the overview. */
export interface OverviewParts {
  readonly store: Store;
  readonly clock: Clock;
}

/** Which names to list. */
export interface NamesQuery extends PageQuery {
  /** Lists only ids that begin with this text. Empty: all ids. */
  readonly prefix: string;
}

export interface ListUsersQuery extends NamesQuery {
  /** The users and agents that the caller may name. */
  readonly users: IdPatterns;
  readonly agents: IdPatterns;
}

export interface ListNamespacesQuery extends ListUsersQuery {
  /** Lists only namespaces of this user. Absent: of all users. */
  readonly userId?: string;
}

export interface ListRunsQuery extends NamesQuery {
  /** The runs that the caller may name. */
  readonly runs: IdPatterns;
}

/** What a user has, as far as the caller may see it. */
export interface UserSummary {
  readonly userId: string;
  /** Number of agents that have memories or skills. */
  readonly agents: number;
  readonly memories: number;
  readonly blocks: number;
  /** Number of proposals that wait for a decision. */
  readonly pendingProposals: number;
  /** When the oldest of them was made. Absent: none waits. */
  readonly oldestPendingTime?: Instant;
}

/** What a namespace has. */
export interface NamespaceSummary {
  readonly namespace: Namespace;
  readonly memories: number;
  readonly skills: number;
  /** The model of the memories' vectors. Absent: the namespace has had no vector yet. */
  readonly profile?: VectorProfile;
}

export interface RunSummary {
  readonly runId: string;
  readonly keys: number;
}

/**
 * Lists what a store holds. A page costs what is on it, and what the call leaves out between the
 * items of the page.
 */
export interface OverviewService {
  /** Lists users that have something, ordered by their ids. */
  listUsers(query: ListUsersQuery, call: Call): Promise<Page<UserSummary>>;
  /** Lists namespaces that have something, ordered by user, then by agent. */
  listNamespaces(query: ListNamespacesQuery, call: Call): Promise<Page<NamespaceSummary>>;
  /** Lists runs that have keys, ordered by their ids. */
  listRuns(query: ListRunsQuery, call: Call): Promise<Page<RunSummary>>;
}
