import type { JSX } from "preact";
import type { SlowCall } from "#gen/vademecum/v1/server_pb.js";
import { place, replaceQuery } from "../location.js";
import { useLoaded } from "../pages/load.js";
import { Moment } from "../parts/moment.js";
import { Empty, FailureNote, Loading } from "../parts/notes.js";
import { Press } from "../parts/press.js";
import { type Column, Table } from "../parts/table.js";
import { admin } from "../rpc.js";
import { Text } from "../text.js";
import { shortMethod } from "./rates.js";
import { bytesText, durationText, msOf } from "./units.js";

const callsMax = 100;

const columns: readonly Column<SlowCall>[] = [
  { head: "took", kind: "number", cell: ({ duration }) => durationText(duration) },
  { head: "of which", cell: (call) => <Parts call={call} /> },
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

/** The parts of a call, one after the other as a bar, and in words. */
function Parts({ call: { parts, duration } }: { readonly call: SlowCall }): JSX.Element {
  const wholeMs = Math.max(msOf(duration), Number.MIN_VALUE);
  let before = 0;
  const bars = parts.map(({ name, duration: part }) => {
    const x = before;
    const width = (msOf(part) / wholeMs) * 100;
    before += width;
    return <rect key={name} class={name} x={x} width={width} height="6" />;
  });
  return (
    <span class="call-parts">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        {bars}
      </svg>
      {parts.map(({ name, duration: part }) => (
        <span key={name} class="call-part">
          <i class={name} aria-hidden="true" />
          {name} {durationText(part)}
        </span>
      ))}
    </span>
  );
}

/** The slowest calls of the last hour. */
export function SlowCallsTab(): JSX.Element {
  const { user = "", method = "", ms = "" } = place.value.query;
  const least = Number(ms);
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
        ).map(([field, name, text]) => (
          <label key={field}>
            <span class="faint">{name}</span>{" "}
            <input
              class="short"
              value={text}
              onChange={({ currentTarget }) => replaceQuery({ [field]: currentTarget.value })}
            />
          </label>
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
        The server keeps the 20 slowest calls of each minute for an hour, without texts. Queue: the
        call waited for other calls. Handler: the server worked on it. Transfer: the request came in
        or the reply went out.
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
