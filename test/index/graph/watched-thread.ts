import type { GraphRequestKind, GraphRequests } from "../../../src/index/graph/graph-messages.js";
import type { GraphWorker } from "../../../src/index/graph/graph-worker.js";

/** A graph worker that records its requests. Tests can delay its changes. */
export interface WatchedThread extends GraphWorker {
  /** Kinds of all requests so far, except searches. */
  kinds: GraphRequestKind[];
  /** Number of searches so far. */
  searches: number;
  /** Number of vectors in all `change` requests so far. */
  sent: number;
  /** A `change` request that comes while this is set waits for the promise. */
  gate: Promise<void> | undefined;
}

export function watchThread(thread: GraphWorker): WatchedThread {
  const watched: WatchedThread = {
    kinds: [],
    searches: 0,
    sent: 0,
    gate: undefined,
    get hasEnded() {
      return thread.hasEnded;
    },
    get isBusy() {
      return thread.isBusy;
    },
    nextGraph: () => thread.nextGraph(),
    async request(kind, request, transferred) {
      if (kind === "search") watched.searches += 1;
      else watched.kinds.push(kind);
      if (kind === "change") {
        watched.sent += (request as GraphRequests["change"]).labels.length;
        await watched.gate;
      }
      return thread.request(kind, request, transferred);
    },
    end: () => thread.end(),
  };
  return watched;
}
