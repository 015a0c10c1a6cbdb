import { instantOfMillis } from "../model/instant.js";
import { scopeOf } from "../model/namespace.js";
import { idOfThreadTurnKey, threadTurnPrefix } from "../model/record-keys.js";
import type { Call } from "../ports/call.js";
import { listPage } from "../requests/list-page.js";
import type {
  GetTurnsQuery,
  LastTurns,
  ListThreadsQuery,
  ThreadPage,
  ThreadServiceParts,
} from "./service.js";
import { isShown, requireTurnKey } from "./turns.js";

/** Returns the last turns of a thread, or the last ones before one of its turns. */
export async function getTurns(
  { store, clock }: ThreadServiceParts,
  query: GetTurnsQuery,
  call: Call,
): Promise<LastTurns> {
  const { namespace, threadId, limit, beforeId } = query;
  const now = instantOfMillis(clock.nowMs());
  let version = 0;
  const { items, nextPageToken } = await listPage(store, {
    scope: scopeOf(namespace),
    binding: ["GetTurns", namespace, threadId],
    table: "threadTurns",
    owner: namespace,
    prefix: threadTurnPrefix(threadId),
    reverse: true,
    limit,
    pageToken: "",
    call,
    startAfter: async (snapshot) => {
      version = (await snapshot.get("threads", namespace, threadId))?.version ?? 0;
      return beforeId === undefined ? undefined : requireTurnKey(snapshot, query, beforeId);
    },
    toItem: async (key, _, snapshot) => {
      const turn = await snapshot.get("memories", namespace, idOfThreadTurnKey(threadId, key));
      const isListed = turn !== undefined && (await isShown(snapshot, query, turn, now));
      return isListed ? turn : undefined;
    },
  });
  return { turns: items.toReversed(), hasMore: nextPageToken !== "", version };
}

/** Lists a page of threads. */
export async function listThreads(
  { store }: ThreadServiceParts,
  { namespace, limit, pageToken }: ListThreadsQuery,
  call: Call,
): Promise<ThreadPage> {
  const { items: threads, nextPageToken } = await listPage(store, {
    scope: scopeOf(namespace),
    binding: ["ListThreads", namespace],
    table: "threads",
    owner: namespace,
    limit,
    pageToken,
    call,
    toItem: (threadId, thread) => ({ threadId, ...thread }),
  });
  return { threads, nextPageToken };
}
