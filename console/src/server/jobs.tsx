import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { type Job, JobKind } from "#gen/vademecum/v1/server_pb.js";
import { useStream } from "../pages/stream.js";
import { Moment } from "../parts/moment.js";
import { Empty, FailureNote, Loading } from "../parts/notes.js";
import { type Column, Table } from "../parts/table.js";
import { Twice } from "../parts/twice.js";
import { admin } from "../rpc.js";
import { Text } from "../text.js";
import { ReindexAction } from "./reindex-action.js";

const heartbeatSeconds = 5n;
/** Silence after which the stream counts as lost. */
const silenceMs = 12_000;
/** Ended jobs that the page keeps. */
const endedMax = 100;

const kindNames: Readonly<Record<JobKind, string>> = {
  [JobKind.UNSPECIFIED]: "work",
  [JobKind.REINDEX]: "reindex",
  [JobKind.PRUNE]: "prune",
  [JobKind.BACKUP]: "backup",
  [JobKind.RESTORE]: "restore",
  [JobKind.LOAD_INDEX]: "load index",
  [JobKind.EXPORT]: "export",
  [JobKind.IMPORT]: "import",
  [JobKind.FORGET_USER]: "forget",
};

const jobs = signal<readonly Job[] | undefined>(undefined);

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
  { head: "ended", cell: (job) => <Ending job={job} /> },
];

function Ending({ job: { id, endTime, error, canCancel } }: { readonly job: Job }) {
  if (error !== undefined)
    return (
      <span class="warn">
        <Text value={error.message} />
      </span>
    );
  if (endTime !== undefined) return <Moment time={endTime} />;
  return (
    <>
      under way{" "}
      {canCancel && (
        <Twice kind="link" name="cancel" nameAgain="Cancel it now" run={() => cancel(id)} />
      )}
    </>
  );
}

async function cancel(job: string): Promise<string> {
  const { cancelled } = await admin.cancelJob({ job });
  return cancelled ? "being cancelled" : "not cancelled: it has ended";
}

/** The work under way, and what ended lately, newest first. */
export function JobsTab(): JSX.Element {
  const error = useStream({
    silenceMs,
    open: (ending) =>
      admin.watchJobs(
        { heartbeat: { seconds: heartbeatSeconds } },
        { signal: ending, timeoutMs: 0 },
      ),
    take: (message, isFirst) => {
      const known = new Map((isFirst ? [] : (jobs.peek() ?? [])).map((job) => [job.id, job]));
      for (const job of message.jobs) known.set(job.id, job);
      jobs.value = sorted([...known.values()]);
    },
  });
  const shown = jobs.value;
  return (
    <>
      <div class="filter-bar">
        <span class="spacer" />
        <ReindexAction />
      </div>
      {error !== undefined && <FailureNote error={error} />}
      {shown === undefined && error === undefined && <Loading what="jobs" />}
      {shown?.length === 0 && (
        <Empty title="Nothing is under way">
          <p>
            Reindexing, pruning, backups, restores, and loads of indexes that take more than a
            second appear here, with those that ended since the server was started.
          </p>
        </Empty>
      )}
      {shown !== undefined && shown.length > 0 && (
        <Table label="Jobs" columns={columns} items={shown} keyOf={({ id }) => id} />
      )}
    </>
  );
}

/** Jobs that run come first, then the newest ones that have ended. */
function sorted(all: readonly Job[]): readonly Job[] {
  const newest = (one: Job, other: Job) =>
    Number((other.startTime?.seconds ?? 0n) - (one.startTime?.seconds ?? 0n));
  const running = all.filter(({ endTime }) => endTime === undefined).toSorted(newest);
  const ended = all.filter(({ endTime }) => endTime !== undefined).toSorted(newest);
  return [...running, ...ended.slice(0, endedMax)];
}
