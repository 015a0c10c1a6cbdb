import type { Scope } from "../model/namespace.js";

/** A scope in which pruning may find something to do. */
export interface DueScope {
  readonly scope: Scope;
  /** The agents of its namespaces; empty for a scope that is no user. */
  readonly agentIds: readonly string[];
}
