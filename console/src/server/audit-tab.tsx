import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { AuditEvent } from "#gen/vademecum/v1/server_pb.js";
import { place, replaceQuery } from "../location.js";
import { usePaged } from "../pages/paged.js";
import { Field } from "../parts/field.js";
import { Moment } from "../parts/moment.js";
import { Empty } from "../parts/notes.js";
import { Press } from "../parts/press.js";
import { type Column, PagedTable } from "../parts/table.js";
import { admin } from "../rpc.js";
import { Text } from "../text.js";
import { shortMethod } from "./rates.js";

const pageLines = 100;

const columns: readonly Column<AuditEvent>[] = [
  { head: "line", kind: "number", cell: ({ number }) => String(number) },
  { head: "ended", cell: ({ time }) => <Moment time={time} /> },
  { head: "call", cell: (event) => whatOf(event) },
  { head: "caller", cell: ({ principal }) => <Text value={principal || "–"} /> },
  { head: "for", cell: ({ actor }) => <Text value={actor || "–"} /> },
  {
    head: "outcome",
    cell: ({ code, reason }) => (
      <span class={code === "OK" || code === "" ? undefined : "warn"}>
        {reason === "" ? code : reason}
      </span>
    ),
  },
  {
    head: "user or run",
    cell: ({ userPseudonym, runPseudonym }) => (
      <span class="id">{userPseudonym || runPseudonym || "–"}</span>
    ),
  },
  {
    head: "id in the log",
    cell: ({ requestId }) => (
      <span class="id">
        <Text value={requestId} />
      </span>
    ),
  },
];

/** The lines of the audit trail, the newest first, of all users or about one user or run. */
export function AuditTab(): JSX.Element {
  const { user = "", run = "" } = place.value.query;
  const round = useSignal(0);
  const list = usePaged(
    async (before, signal) => {
      const { events } = await admin.listAuditEvents(
        {
          limit: pageLines,
          ...(user !== "" && { userId: user }),
          ...(run !== "" && { runId: run }),
          ...(before !== "" && { beforeNumber: BigInt(before) }),
        },
        { signal },
      );
      const last = events.length < pageLines ? undefined : events.at(-1);
      return { items: events, nextPageToken: String(last?.number ?? "") };
    },
    [user, run, round.value],
  );
  return (
    <>
      <div class="filter-bar">
        {(
          [
            ["user", user, { run: "" }],
            ["run", run, { user: "" }],
          ] as const
        ).map(([field, text, others]) => (
          <Field
            key={field}
            name={field}
            value={text}
            width="short"
            onChange={(id) => replaceQuery({ ...others, [field]: id })}
          />
        ))}
        {(user !== "" || run !== "") && (
          <Press onPress={() => replaceQuery({ user: "", run: "" })}>Clear</Press>
        )}
        <Press onPress={() => (round.value += 1)}>Ask again</Press>
      </div>
      <PagedTable
        label="Audit trail"
        columns={columns}
        list={list}
        keyOf={({ number }) => String(number)}
        empty={
          <Empty title="No lines">
            <p>Calls that change data appear here once they have ended.</p>
          </Empty>
        }
      />
      <p class="faint">
        The trail holds no texts, and pseudonyms in place of ids. Name a user or a run to find the
        lines about it.
      </p>
    </>
  );
}

function whatOf({ method, omitted, trailEvent }: AuditEvent): string {
  if (trailEvent !== "") return `the trail: ${trailEvent}`;
  const name = method === "" ? "several methods" : shortMethod(method);
  return omitted === 0n ? name : `${name}, ${omitted} denied calls`;
}
