import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { UserSummary } from "#gen/vademecum/v1/admin_pb.js";
import { serverUrl } from "../base-path.js";
import { Moment } from "../parts/moment.js";
import { Empty, Sample } from "../parts/notes.js";
import { type Column, PagedTable } from "../parts/table.js";
import { hrefOf } from "../router.js";
import { admin } from "../rpc.js";
import { Text } from "../text.js";
import { usePaged } from "./paged.js";

const columns: readonly Column<UserSummary>[] = [
  {
    head: "user",
    cell: ({ userId }) => (
      <a href={hrefOf(["u", userId])}>
        <Text value={userId} />
      </a>
    ),
  },
  { head: "agents", kind: "number", cell: ({ agents }) => agents },
  { head: "memories", kind: "number", cell: ({ memories }) => String(memories) },
  { head: "blocks", kind: "number", cell: ({ blocks }) => blocks },
  {
    head: "waiting",
    kind: "number",
    cell: ({ userId, pendingProposals }) =>
      pendingProposals === 0n ? (
        "0"
      ) : (
        <a href={hrefOf(["inbox"], { user: userId })}>{String(pendingProposals)}</a>
      ),
  },
  { head: "oldest", cell: ({ oldestPendingTime }) => <Moment time={oldestPendingTime} /> },
];

/** The users whom the person may name, with what they have. */
export function UsersPage(): JSX.Element {
  const prefix = useSignal("");
  const list = usePaged(
    async (pageToken, signal) => {
      const request = { prefix: prefix.value, pageToken, limit: 200 };
      const { users, nextPageToken } = await admin.listUsers(request, { signal });
      return { items: users, nextPageToken };
    },
    [prefix.value],
  );
  return (
    <section class="page" aria-label="Users">
      <h1>Users</h1>
      <div class="filter-bar">
        <label>
          <span class="faint">begins with</span>{" "}
          <input
            value={prefix.value}
            onInput={({ currentTarget }) => {
              prefix.value = currentTarget.value;
            }}
          />
        </label>
      </div>
      <PagedTable
        label="Users"
        columns={columns}
        list={list}
        keyOf={({ userId }) => userId}
        empty={prefix.value === "" ? <NoUsers /> : <NoMatch />}
      />
    </section>
  );
}

function NoMatch(): JSX.Element {
  return (
    <Empty title="No match">
      <p>No user whom you may name begins with these letters.</p>
    </Empty>
  );
}

function NoUsers(): JSX.Element {
  return (
    <Empty title="No memories yet">
      <p>A user appears with the first memory:</p>
      <Sample
        text={`curl ${serverUrl}vademecum.v1.MemoryProvider/Add \\
  -H 'content-type: application/json' \\
  -d '{"namespace":{"userId":"ada","agentId":"sommelier"},
       "content":"Ada prefers dry Burgundy"}'`}
      />
    </Empty>
  );
}
