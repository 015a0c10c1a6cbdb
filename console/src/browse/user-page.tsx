import type { JSX } from "preact";
import type { NamespaceSummary } from "#gen/vademecum/v1/admin_pb.js";
import type { Block } from "#gen/vademecum/v1/block_pb.js";
import { hasRole } from "../caller.js";
import { usePaged } from "../pages/paged.js";
import { Crumbs } from "../parts/crumbs.js";
import { Moment } from "../parts/moment.js";
import { Empty } from "../parts/notes.js";
import { type Column, PagedTable } from "../parts/table.js";
import { hrefOf } from "../router.js";
import { admin, blocks } from "../rpc.js";
import { Text } from "../text.js";
import { ForgetUser } from "./forget-user.js";

const agentColumns: readonly Column<NamespaceSummary>[] = [
  {
    head: "agent",
    cell: ({ namespace }) => (
      <a href={hrefOf(["u", namespace?.userId ?? "", "a", namespace?.agentId ?? ""])}>
        <Text value={namespace?.agentId ?? ""} />
      </a>
    ),
  },
  { head: "memories", kind: "number", cell: ({ memories }) => String(memories) },
  { head: "skills", kind: "number", cell: ({ skills }) => String(skills) },
  { head: "vectors of", cell: ({ modelId }) => <Text value={modelId === "" ? "–" : modelId} /> },
];

const blockColumns: readonly Column<Block>[] = [
  {
    head: "block",
    cell: ({ userId, label }) => (
      <a href={hrefOf(["u", userId, "b", label])}>
        <Text value={label} />
      </a>
    ),
  },
  { head: "title", cell: ({ title }) => <Text value={title} /> },
  { head: "version", kind: "number", cell: ({ version }) => String(version) },
  { head: "tokens", kind: "number", cell: ({ tokenCount }) => tokenCount },
  { head: "changed", cell: ({ updateTime }) => <Moment time={updateTime} /> },
];

/** The agents and the blocks of a user. */
export function UserPage({ userId }: { readonly userId: string }): JSX.Element {
  const agents = usePaged(
    async (pageToken, signal) => {
      const request = { userId, pageToken, limit: 200 };
      const { namespaces, nextPageToken } = await admin.listNamespaces(request, { signal });
      return { items: namespaces, nextPageToken };
    },
    [userId],
  );
  const texts = usePaged(
    async (pageToken, signal) => {
      const request = { userId, pageToken, limit: 100 };
      const page = await blocks.listBlocks(request, { signal });
      return { items: page.blocks, nextPageToken: page.nextPageToken };
    },
    [userId],
  );
  return (
    <section class="page" aria-label="User">
      <Crumbs above={[["Users", ["users"]]]} name={userId} />
      <p class="links">
        <a href={hrefOf(["inbox"], { user: userId })}>What waits</a>
        <a href={hrefOf(["decided"], { user: userId })}>What was decided</a>
        <span class="spacer" />
        {hasRole("operator") && <ForgetUser userId={userId} />}
      </p>
      <h2>Agents</h2>
      <PagedTable
        label="Agents"
        columns={agentColumns}
        list={agents}
        keyOf={({ namespace }) => namespace?.agentId ?? ""}
        empty={<p class="faint">No agent has memories or skills of this user.</p>}
      />
      <h2>Blocks</h2>
      <PagedTable
        label="Blocks"
        columns={blockColumns}
        list={texts}
        keyOf={({ label }) => label}
        empty={
          <Empty title="No blocks">
            <p>A block is a short text that all agents of the user share. Agents propose it.</p>
          </Empty>
        }
      />
    </section>
  );
}
