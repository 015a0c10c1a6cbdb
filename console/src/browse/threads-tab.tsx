import type { JSX } from "preact";
import type { Thread } from "#gen/vademecum/v1/thread_service_pb.js";
import { useLoaded } from "../pages/load.js";
import { usePaged } from "../pages/paged.js";
import { Instant, Moment } from "../parts/moment.js";
import { Empty, FailureNote, Loading } from "../parts/notes.js";
import { type Column, PagedTable } from "../parts/table.js";
import { hrefOf } from "../router.js";
import { threads } from "../rpc.js";
import { Text } from "../text.js";
import type { Space } from "./namespace-page.js";

/** The newest turns of a thread that are shown. */
const turnsMax = 500;

interface ThreadsTabProps {
  readonly space: Space;
  readonly threadId: string | undefined;
}

/** The conversations of a namespace, or the turns of one of them. */
export function ThreadsTab({ space, threadId }: ThreadsTabProps): JSX.Element {
  return threadId === undefined ? (
    <ThreadList space={space} />
  ) : (
    <Turns space={space} threadId={threadId} />
  );
}

function columnsOf({ userId, agentId }: Space): readonly Column<Thread>[] {
  return [
    {
      head: "thread",
      cell: ({ threadId }) => (
        <a href={hrefOf(["u", userId, "a", agentId, "threads", threadId])}>
          <Text value={threadId} />
        </a>
      ),
    },
    { head: "turns", kind: "number", cell: ({ turnCount }) => turnCount },
    { head: "changes", kind: "number", cell: ({ version }) => String(version) },
    { head: "begun", cell: ({ createTime }) => <Instant time={createTime} /> },
    { head: "last turn", cell: ({ updateTime }) => <Moment time={updateTime} /> },
  ];
}

function ThreadList({ space }: { readonly space: Space }) {
  const list = usePaged(
    async (pageToken, signal) => {
      const page = await threads.listThreads(
        { namespace: space, pageToken, limit: 200 },
        { signal },
      );
      return { items: page.threads, nextPageToken: page.nextPageToken };
    },
    [space.userId, space.agentId],
  );
  return (
    <div class="scrolls">
      <PagedTable
        label="Threads"
        columns={columnsOf(space)}
        list={list}
        keyOf={({ threadId }) => threadId}
        empty={
          <Empty title="No threads">
            <p>A host appends the turns of a conversation with ThreadService.AppendTurns.</p>
          </Empty>
        }
      />
    </div>
  );
}

function Turns({ space, threadId }: { readonly space: Space; readonly threadId: string }) {
  const { value, error, reload } = useLoaded(
    (signal) => threads.getTurns({ namespace: space, threadId, limit: turnsMax }, { signal }),
    [space.userId, space.agentId, threadId],
  );
  if (error !== undefined) return <FailureNote error={error} onRetry={reload} />;
  if (value === undefined) return <Loading what="the thread" />;
  return (
    <div class="scrolls">
      <h2>
        <Text value={threadId} />
      </h2>
      {value.hasMore && <p class="note">Earlier turns are not shown.</p>}
      <ol class="turns">
        {value.turns.map(({ id, author, createTime, content }) => (
          <li key={id}>
            <p class="meta">
              <b>
                <Text value={author ?? "–"} />
              </b>{" "}
              <Instant time={createTime} />
            </p>
            <Text value={content} />
          </li>
        ))}
      </ol>
    </div>
  );
}
