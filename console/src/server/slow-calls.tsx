import type { JSX } from "preact";
import type { SlowCall } from "#gen/vademecum/v1/server_pb.js";
import { place, replaceQuery } from "../location.js";
import { useLoaded } from "../pages/load.js";
import { Field } from "../parts/field.js";
import { Moment } from "../parts/moment.js";
import { Empty, FailureNote, Loading } from "../parts/notes.js";
import { Press } from "../parts/press.js";
import { type Column, Table } from "../parts/table.js";
import { admin } from "../rpc.js";
import { Text } from "../text.js";
import { shortMethod } from "./rates.js";
import { bytesText, durationText } from "./units.js";

const callsMax = 100;
/** The longest duration to filter by, in milliseconds. */
const leastMax = 86_400_000;
/** The parts of a call, which add up to its duration. */
const parts = ["queue", "handler", "transfer"];

const columns: readonly Column<SlowCall>[] = [
  { head: "took", kind: "number", cell: ({ duration }) => durationText(duration) },
  ...parts.map(
    (part): Column<SlowCall> => ({
      head: part,
      kind: "number",
      cell: (call) => durationText(call.parts.find(({ name }) => name === part)?.duration),
    }),
  ),
  { head: "call", cell: ({ method }) => shortMethod(method) },
  { head: "user or run", cell: ({ userId, runId }) => <Text value={userId || runId || "–"} /> },
  { head: "agent", cell: ({ agentId }) => <Text value={agentId || "–"} /> },
  {
    head: "outcome",
    cell: ({ code, reason }) => (
      <span class={code === "OK" ? undefined : "warn"}>{reason === "" ? code : reason}</span>
    ),
  },
  { head: "rows read", kind: "number", cell: ({ rows }) => (rows === 0n ? "–" : String(rows)) },
  { head: "request", kind: "number", cell: ({ requestBytes }) => bytesText(requestBytes) },
  { head: "reply", kind: "number", cell: ({ replyBytes }) => bytesText(replyBytes) },
  { head: "ended", cell: ({ time }) => <Moment time={time} /> },
  {
    head: "id in the log",
    cell: ({ requestId }) => (
      <span class="id">
        <Text value={requestId} />
      </span>
    ),
  },
];

/** The slowest calls of the last hour. */
export function SlowCallsTab(): JSX.Element {
  const { user = "", method = "", ms = "" } = place.value.query;
  const least = Math.min(Number(ms), leastMax);
  const { value, error, isLoading, reload } = useLoaded(
    (signal) =>
      admin.listSlowCalls(
        {
          method,
          limit: callsMax,
          ...(user !== "" && { userId: user }),
          ...(least > 0 && { minDuration: durationOf(least) }),
        },
        { signal },
      ),
    [user, method, ms],
  );
  const isFiltered = user !== "" || method !== "" || least > 0;
  return (
    <>
      <div class="filter-bar">
        {(
          [
            ["user", "user", user],
            ["method", "call", method],
            ["ms", "at least, in ms", ms],
          ] as const
        ).map(([field, name, value]) => (
          <Field
            key={field}
            {...{ name, value }}
            width="short"
            isNumber={field === "ms"}
            onChange={(text) => replaceQuery({ [field]: text })}
          />
        ))}
        {isFiltered && (
          <Press onPress={() => replaceQuery({ user: "", method: "", ms: "" })}>Clear</Press>
        )}
        <Press onPress={reload}>Ask again</Press>
      </div>
      {error !== undefined && <FailureNote error={error} onRetry={reload} />}
      {value === undefined && isLoading && <Loading what="slow calls" />}
      {value?.calls.length === 0 && <NoCalls isFiltered={isFiltered} />}
      {value !== undefined && value.calls.length > 0 && (
        <Table
          label="Slow calls"
          columns={columns}
          items={value.calls}
          keyOf={({ requestId, time }) => `${requestId} ${time?.seconds} ${time?.nanos}`}
        />
      )}
      <p class="faint">
        The server keeps the 20 slowest calls of each minute for an hour, without texts. A call
        waits in the queue for other calls, the handler does its work, and the transfer receives the
        request and sends the reply.
      </p>
    </>
  );
}

function NoCalls({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element {
  return isFiltered ? (
    <Empty title="No match">
      <p>None of the slowest calls passes the filter.</p>
    </Empty>
  ) : (
    <Empty title="No calls yet">
      <p>The slowest calls of each minute appear here once they have ended.</p>
    </Empty>
  );
}

function durationOf(ms: number): { seconds: bigint; nanos: number } {
  return {
    seconds: BigInt(Math.floor(ms / 1000)),
    nanos: Math.round((ms % 1000) * 1e6),
  };
}
