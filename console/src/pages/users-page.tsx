import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { UserSummary } from "#gen/vademecum/v1/admin_pb.js";
import { serverUrl } from "../base-path.js";
import { Moment } from "../parts/moment.js";
import { Empty, FailureNote, Loading, Sample } from "../parts/notes.js";
import { Press } from "../parts/press.js";
import { hrefOf } from "../router.js";
import { admin } from "../rpc.js";
import { Text } from "../text.js";
import { usePaged } from "./paged.js";

/** The users whom the person may name, with what they have. */
export function UsersPage(): JSX.Element {
  const prefix = useSignal("");
  const { items, isComplete, isLoading, error, more } = usePaged(
    async (pageToken, signal) => {
      const { users, nextPageToken } = await admin.listUsers(
        { prefix: prefix.value, pageToken, limit: 200 },
        { signal },
      );
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
      {error !== undefined && <FailureNote error={error} onRetry={more} />}
      {items.length === 0 && isComplete ? (
        prefix.value === "" ? (
          <NoUsers />
        ) : (
          <Empty title="No match">
            <p>No user whom you may name begins with these letters.</p>
          </Empty>
        )
      ) : (
        <table>
          <thead>
            <tr>
              <th>user</th>
              <th class="number">agents</th>
              <th class="number">memories</th>
              <th class="number">blocks</th>
              <th class="number">waiting</th>
              <th>oldest</th>
            </tr>
          </thead>
          <tbody>
            {items.map((user) => (
              <UserRow key={user.userId} user={user} />
            ))}
          </tbody>
        </table>
      )}
      {isLoading && <Loading what="users" />}
      {!isComplete && !isLoading && <Press onPress={more}>More</Press>}
    </section>
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

function UserRow({ user }: { readonly user: UserSummary }): JSX.Element {
  return (
    <tr>
      <td>
        <a href={hrefOf(["u", user.userId])}>
          <Text value={user.userId} />
        </a>
      </td>
      <td class="number">{user.agents}</td>
      <td class="number">{String(user.memories)}</td>
      <td class="number">{user.blocks}</td>
      <td class="number">
        {user.pendingProposals > 0n ? (
          <a href={hrefOf(["inbox"], { user: user.userId })}>{String(user.pendingProposals)}</a>
        ) : (
          "0"
        )}
      </td>
      <td>
        <Moment time={user.oldestPendingTime} />
      </td>
    </tr>
  );
}
