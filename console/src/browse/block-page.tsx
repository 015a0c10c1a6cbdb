import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { BlockVersion } from "#gen/vademecum/v1/block_pb.js";
import { hasRole } from "../caller.js";
import { Diff } from "../diff/diff-view.js";
import { usePaged } from "../pages/paged.js";
import { Crumbs } from "../parts/crumbs.js";
import { Instant } from "../parts/moment.js";
import { type Column, PagedTable } from "../parts/table.js";
import { Twice } from "../parts/twice.js";
import { hrefOf } from "../router.js";
import { blocks, newIdempotencyKey } from "../rpc.js";
import { Text } from "../text.js";

interface BlockPageProps {
  readonly userId: string;
  readonly label: string;
  /** Two versions to compare, such as `3..5`. Absent: the newest one and the one before it. */
  readonly range?: string | undefined;
}

/** A block: its text, its versions with their origins, and any two of them compared. */
export function BlockPage({ userId, label, range }: BlockPageProps): JSX.Element {
  const changes = useSignal(0);
  const list = usePaged(
    async (pageToken, signal) => {
      const request = { userId, label, pageToken, limit: 50 };
      const { versions, nextPageToken } = await blocks.listBlockVersions(request, { signal });
      return { items: versions, nextPageToken };
    },
    [userId, label, changes.value],
  );
  const [newest, previous] = list.items;
  const [from, to] = /^(\d+)\.\.(\d+)$/.exec(range ?? "")?.slice(1) ?? [];
  const find = (version: string | undefined) =>
    list.items.find((it) => String(it.version) === version);
  const before = find(from) ?? previous;
  const after = find(to) ?? newest;
  return (
    <section class="page" aria-label="Block">
      <Crumbs
        above={[
          ["Users", ["users"]],
          [userId, ["u", userId]],
        ]}
        name={label}
      />
      {newest !== undefined && (
        <>
          <p class="meta">
            version {String(newest.version)} · {newest.tokenCount} tokens
          </p>
          <pre class="boxed">
            <Text value={newest.body} />
          </pre>
        </>
      )}
      {before !== undefined && after !== undefined && before !== after && (
        <>
          <h2>
            Version {String(before.version)} to {String(after.version)}
          </h2>
          <Diff
            before={before.body}
            after={after.body}
            beforeName={`Version ${before.version}`}
            afterName={`Version ${after.version}`}
          />
        </>
      )}
      <h2>Versions</h2>
      <PagedTable
        label="Versions"
        columns={columnsOf({
          userId,
          label,
          newest,
          onRestored: () => {
            changes.value += 1;
          },
        })}
        list={list}
        keyOf={({ version }) => String(version)}
        empty={<p class="faint">There is no such block, or it was deleted.</p>}
      />
    </section>
  );
}

interface VersionsOf {
  readonly userId: string;
  readonly label: string;
  readonly newest: BlockVersion | undefined;
  readonly onRestored: () => void;
}

function columnsOf({
  userId,
  label,
  newest,
  onRestored,
}: VersionsOf): readonly Column<BlockVersion>[] {
  return [
    { head: "version", kind: "number", cell: ({ version }) => String(version) },
    { head: "written", cell: ({ writeTime }) => <Instant time={writeTime} /> },
    { head: "by", cell: ({ writtenBy }) => <Text value={writtenBy} /> },
    { head: "tokens", kind: "number", cell: ({ tokenCount }) => tokenCount },
    {
      head: "origin",
      cell: ({ proposalId, restoredFrom }) =>
        proposalId === undefined ? (
          restoredFrom === undefined ? (
            "written"
          ) : (
            `restored from ${restoredFrom}`
          )
        ) : (
          <a href={hrefOf(["inbox", userId, proposalId])}>a proposal</a>
        ),
    },
    {
      head: "",
      cell: (version) =>
        version === newest || newest === undefined ? (
          "newest"
        ) : (
          <span class="links">
            <a
              href={hrefOf([
                "u",
                userId,
                "b",
                label,
                "diff",
                `${version.version}..${newest.version}`,
              ])}
            >
              compare
            </a>
            {hasRole("approver") && (
              <Restore
                {...{ userId, label, onRestored }}
                version={version.version}
                expectedVersion={newest.version}
              />
            )}
          </span>
        ),
    },
  ];
}

interface RestoreProps {
  readonly userId: string;
  readonly label: string;
  readonly version: bigint;
  readonly expectedVersion: bigint;
  readonly onRestored: () => void;
}

/** Restores a version. */
function Restore({ userId, label, version, expectedVersion, onRestored }: RestoreProps) {
  const restore = async () => {
    const idempotencyKey = newIdempotencyKey();
    await blocks.restoreBlock({ userId, label, version, expectedVersion, idempotencyKey });
    onRestored();
    return "";
  };
  return (
    <Twice kind="link" name="restore" nameAgain={`Restore version ${version} now`} run={restore} />
  );
}
