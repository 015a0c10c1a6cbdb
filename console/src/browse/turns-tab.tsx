import type { Duration } from "@bufbuild/protobuf/wkt";
import type { JSX } from "preact";
import { type TurnEntry, TurnEvent } from "#gen/vademecum/v1/tool_pb.js";
import type { TurnSummary } from "#gen/vademecum/v1/tool_service_pb.js";
import { place, replaceQuery } from "../location.js";
import { usePaged } from "../pages/paged.js";
import { Instant, Moment } from "../parts/moment.js";
import { Empty } from "../parts/notes.js";
import { type Column, PagedTable } from "../parts/table.js";
import { hrefOf } from "../router.js";
import { tools } from "../rpc.js";
import { Text } from "../text.js";
import { typeNames } from "./memory-filter.js";
import type { Space } from "./namespace-page.js";

const events: Readonly<Record<string, TurnEvent>> = {
  denied: TurnEvent.DENIED,
  failed: TurnEvent.FAILED,
  truncated: TurnEvent.TRUNCATED,
  cached: TurnEvent.CACHED,
  invalid: TurnEvent.INVALID,
};

interface TurnsTabProps {
  readonly space: Space;
  /** `r`: the queries of a request. `t`: those of a task. Absent: the list of turns. */
  readonly kind: string | undefined;
  readonly id: string | undefined;
}

/** What tools asked for, what they got, and what they were denied. */
export function TurnsTab({ space, kind, id }: TurnsTabProps): JSX.Element {
  return id === undefined ? (
    <TurnList space={space} />
  ) : (
    <Entries space={space} isTask={kind === "t"} id={id} />
  );
}

function turnColumns({ userId, agentId }: Space): readonly Column<TurnSummary>[] {
  const base = ["u", userId, "a", agentId, "turns"];
  return [
    {
      head: "turn",
      cell: ({ requestId }) => (
        <a href={hrefOf([...base, "r", requestId])}>
          <Text value={requestId} />
        </a>
      ),
    },
    {
      head: "task",
      cell: ({ taskId }) =>
        taskId === "" ? (
          "–"
        ) : (
          <a href={hrefOf([...base, "t", taskId])}>
            <Text value={taskId} />
          </a>
        ),
    },
    { head: "tools", cell: ({ toolIds }) => <Text value={toolIds.join(", ")} /> },
    { head: "queries", kind: "number", cell: ({ queries }) => queries },
    { head: "denied", kind: "number", cell: ({ denied }) => warned(denied) },
    { head: "failed", kind: "number", cell: ({ failed }) => warned(failed) },
    { head: "cut", kind: "number", cell: ({ truncated }) => truncated },
    { head: "tokens", kind: "number", cell: ({ tokensUsed }) => tokensUsed },
    { head: "took", kind: "number", cell: ({ duration }) => msText(duration) },
    { head: "when", cell: ({ time }) => <Moment time={time} /> },
  ];
}

function warned(count: number): JSX.Element | number {
  return count === 0 ? 0 : <span class="warn">{count}</span>;
}

function msText(duration: Duration | undefined): string {
  if (duration === undefined) return "–";
  return `${(Number(duration.seconds) * 1000 + duration.nanos / 1e6).toFixed(1)} ms`;
}

function TurnList({ space }: { readonly space: Space }) {
  const { event = "" } = place.value.query;
  const wanted = events[event];
  const list = usePaged(
    async (pageToken, signal) => {
      const page = await tools.listTurns(
        { ...space, pageToken, limit: 200, events: wanted === undefined ? [] : [wanted] },
        { signal },
      );
      return { items: page.turns, nextPageToken: page.nextPageToken };
    },
    [space.userId, space.agentId, event],
  );
  return (
    <div class="scrolls">
      <div class="filter-bar">
        <label>
          <span class="faint">with a query that was</span>{" "}
          <select
            value={event}
            onChange={({ currentTarget }) => replaceQuery({ event: currentTarget.value })}
          >
            <option value="">any</option>
            {Object.keys(events).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <PagedTable
        label="Turns"
        columns={turnColumns(space)}
        list={list}
        keyOf={({ requestId }) => requestId}
        empty={
          <Empty title="No tool has asked">
            <p>The traces of tool queries are kept for 30 days.</p>
          </Empty>
        }
      />
    </div>
  );
}

const entryColumns: readonly Column<TurnEntry>[] = [
  { head: "when", cell: ({ time }) => <Instant time={time} /> },
  { head: "query", cell: ({ queryId }) => <Text value={queryId} /> },
  {
    head: "tool",
    cell: ({ toolId, toolVersion }) => (
      <Text value={toolVersion === "" ? toolId : `${toolId} ${toolVersion}`} />
    ),
  },
  { head: "type", cell: ({ memoryType }) => typeNames[memoryType] },
  {
    head: "event",
    cell: ({ event }) => (
      <span class={event === TurnEvent.DENIED || event === TurnEvent.FAILED ? "warn" : ""}>
        {TurnEvent[event].toLowerCase()}
      </span>
    ),
  },
  { head: "tokens", kind: "number", cell: ({ tokensUsed }) => tokensUsed },
  { head: "memories", kind: "number", cell: ({ returnedResults }) => returnedResults },
  { head: "took", kind: "number", cell: ({ duration }) => msText(duration) },
  {
    head: "asked, or why not",
    kind: "wide",
    cell: ({ queryText, reason }) => (
      <>
        <Text value={queryText} />
        {reason !== "" && (
          <p class="faint">
            <Text value={reason} />
          </p>
        )}
      </>
    ),
  },
];

interface EntriesProps {
  readonly space: Space;
  readonly isTask: boolean;
  readonly id: string;
}

function Entries({ space, isTask, id }: EntriesProps) {
  const list = usePaged(
    async (pageToken, signal) => {
      const turn = { case: isTask ? ("taskId" as const) : ("requestId" as const), value: id };
      const request = { trace: { ...space, turn }, pageToken, limit: 200 };
      const page = await tools.listTurnEntries(request, { signal });
      return { items: page.entries, nextPageToken: page.nextPageToken };
    },
    [space.userId, space.agentId, isTask, id],
  );
  return (
    <div class="scrolls">
      <h2>
        {isTask ? "task" : "turn"} <Text value={id} />
      </h2>
      <PagedTable
        label="Queries"
        columns={entryColumns}
        list={list}
        keyOf={(entry) => String(list.items.indexOf(entry))}
        empty={<p class="faint">No trace of it is kept.</p>}
      />
    </div>
  );
}
