import type { JSX } from "preact";
import type { Skill } from "#gen/vademecum/v1/skill_service_pb.js";
import { usePaged } from "../pages/paged.js";
import { Moment } from "../parts/moment.js";
import { Empty } from "../parts/notes.js";
import { type Column, PagedTable } from "../parts/table.js";
import { skills } from "../rpc.js";
import { Text } from "../text.js";
import type { Space } from "./namespace-page.js";

const columns: readonly Column<Skill>[] = [
  { head: "situation", kind: "wide", cell: ({ context }) => <Text value={context} /> },
  { head: "lesson", kind: "wide", cell: ({ lesson }) => <Text value={lesson} /> },
  { head: "tool", cell: ({ toolName }) => <Text value={toolName ?? "–"} /> },
  { head: "worked", kind: "number", cell: ({ successCount }) => String(successCount) },
  { head: "failed", kind: "number", cell: ({ failureCount }) => String(failureCount) },
  { head: "last used", cell: ({ lastUsedTime }) => <Moment time={lastUsedTime} /> },
];

/** What an agent has learned to do in which situation. */
export function SkillsTab({ space }: { readonly space: Space }): JSX.Element {
  const list = usePaged(
    async (pageToken, signal) => {
      const page = await skills.listSkills({ namespace: space, pageToken, limit: 200 }, { signal });
      return { items: page.skills, nextPageToken: page.nextPageToken };
    },
    [space.userId, space.agentId],
  );
  return (
    <div class="scrolls">
      <PagedTable
        label="Skills"
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No skills">
            <p>An agent stores a lesson for a situation with SkillService.StoreSkill.</p>
          </Empty>
        }
      />
    </div>
  );
}
