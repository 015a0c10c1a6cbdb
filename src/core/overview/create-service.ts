import { listNamespaces } from "./list-namespaces.js";
import { listRuns } from "./list-runs.js";
import { listUsers } from "./list-users.js";
import type { OverviewParts, OverviewService } from "./service.js";

/** Creates the overview of a store. */
export function createOverviewService(parts: OverviewParts): OverviewService {
  return {
    listUsers: (query, call) => listUsers(parts, query, call),
    listNamespaces: (query, call) => listNamespaces(parts, query, call),
    listRuns: (query, call) => listRuns(parts, query, call),
  };
}
