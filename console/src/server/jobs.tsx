import type { JSX } from "preact";
import { type Job, JobKind } from "#gen/vademecum/v1/server_pb.js";
import { Moment } from "../parts/moment.js";
import { type Column, Table } from "../parts/table.js";
import { Text } from "../text.js";

const kindNames: Readonly<Record<JobKind, string>> = {
  [JobKind.UNSPECIFIED]: "work",
  [JobKind.REINDEX]: "reindex",
  [JobKind.PRUNE]: "prune",
  [JobKind.BACKUP]: "backup",
  [JobKind.RESTORE]: "restore",
  [JobKind.LOAD_INDEX]: "load index",
};

const columns: readonly Column<Job>[] = [
  { head: "job", cell: ({ kind }) => kindNames[kind] },
  { head: "user", cell: ({ namespace }) => <Text value={namespace?.userId ?? "all"} /> },
  { head: "agent", cell: ({ namespace }) => <Text value={namespace?.agentId ?? "all"} /> },
  { head: "phase", cell: ({ phase }) => phase },
  {
    head: "progress",
    cell: ({ done, total, kind }) =>
      total > 0n ? (
        <>
          <progress max={Number(total)} value={Number(done)} aria-label={kindNames[kind]} />{" "}
          {String(done)} of {String(total)}
        </>
      ) : (
        "–"
      ),
  },
  { head: "began", cell: ({ startTime }) => <Moment time={startTime} /> },
  {
    head: "ended",
    cell: ({ endTime, error }) =>
      error === undefined ? (
        endTime === undefined ? (
          "under way"
        ) : (
          <Moment time={endTime} />
        )
      ) : (
        <span class="warn">
          <Text value={error.message} />
        </span>
      ),
  },
];

/** The work under way, and what ended lately. */
export function Jobs({ jobs }: { readonly jobs: readonly Job[] }): JSX.Element {
  if (jobs.length === 0) return <p class="faint">Nothing is under way.</p>;
  return <Table label="Jobs" columns={columns} items={jobs} keyOf={({ id }) => id} />;
}
