import type { JSX } from "preact";
import type { KeyEntry, RunSummary } from "#gen/vademecum/v1/key_value_service_pb.js";
import { usePaged } from "../pages/paged.js";
import { Crumbs } from "../parts/crumbs.js";
import { Empty } from "../parts/notes.js";
import { type Column, PagedTable } from "../parts/table.js";
import { hrefOf } from "../router.js";
import { keyValues } from "../rpc.js";
import { Text } from "../text.js";

const runColumns: readonly Column<RunSummary>[] = [
  {
    head: "run",
    cell: ({ runId }) => (
      <a href={hrefOf(["runs", runId])}>
        <Text value={runId} />
      </a>
    ),
  },
  { head: "notes", kind: "number", cell: ({ keys }) => String(keys) },
];

const noteColumns: readonly Column<KeyEntry>[] = [
  { head: "key", cell: ({ key }) => <Text value={key} /> },
  { head: "value", kind: "wide", cell: ({ value }) => <Text value={value} /> },
  { head: "version", kind: "number", cell: ({ version }) => String(version) },
];

/** The runs that have notes. */
export function RunsPage(): JSX.Element {
  const list = usePaged(async (pageToken, signal) => {
    const page = await keyValues.listRuns({ pageToken, limit: 200 }, { signal });
    return { items: page.runs, nextPageToken: page.nextPageToken };
  }, []);
  return (
    <section class="page" aria-label="Runs">
      <h1>Runs</h1>
      <PagedTable
        label="Runs"
        columns={runColumns}
        list={list}
        keyOf={({ runId }) => runId}
        empty={
          <Empty title="No runs">
            <p>An agent keeps notes of a run with KeyValueService.WriteKey.</p>
          </Empty>
        }
      />
    </section>
  );
}

/** The notes of a run. */
export function RunPage({ runId }: { readonly runId: string }): JSX.Element {
  const list = usePaged(
    async (pageToken, signal) => {
      const request = { runId, pageToken, limit: 200, includeValues: true };
      const page = await keyValues.listKeys(request, { signal });
      return { items: page.entries, nextPageToken: page.nextPageToken };
    },
    [runId],
  );
  return (
    <section class="page" aria-label="Run">
      <Crumbs above={[["Runs", ["runs"]]]} name={runId} />
      <PagedTable
        label="Notes"
        columns={noteColumns}
        list={list}
        keyOf={({ key }) => key}
        empty={<p class="faint">The run has no notes.</p>}
      />
    </section>
  );
}
