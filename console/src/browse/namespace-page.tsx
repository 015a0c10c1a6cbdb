import type { JSX } from "preact";
import type { NamespaceSummary } from "#gen/vademecum/v1/admin_pb.js";
import { useLoaded } from "../pages/load.js";
import { Crumbs } from "../parts/crumbs.js";
import { PlaygroundTab } from "../playground/playground-tab.js";
import { hrefOf } from "../router.js";
import { admin } from "../rpc.js";
import { countPhrase } from "../text.js";
import { MemoriesTab } from "./memories-tab.js";
import { SkillsTab } from "./skills-tab.js";
import { ThreadsTab } from "./threads-tab.js";
import { TimelineTab } from "./timeline-tab.js";
import { TurnsTab } from "./turns-tab.js";

/** The user and the agent whose data a page shows. */
export interface Space {
  readonly userId: string;
  readonly agentId: string;
}

const tabs = [
  ["", "Memories"],
  ["timeline", "Timeline"],
  ["threads", "Threads"],
  ["search", "Search"],
  ["turns", "Turns"],
  ["skills", "Skills"],
] as const;

interface NamespacePageProps {
  readonly space: Space;
  /** The segments of the address after the agent. */
  readonly rest: readonly string[];
}

/** What an agent remembers of a user. */
export function NamespacePage({ space, rest }: NamespacePageProps): JSX.Element {
  const { userId, agentId } = space;
  const { value, reload } = useLoaded(
    async (signal) => {
      const { namespaces } = await admin.listNamespaces({ userId, limit: 1000 }, { signal });
      return namespaces.find(({ namespace }) => namespace?.agentId === agentId);
    },
    [userId, agentId],
  );
  const [tab = ""] = rest;
  const base = ["u", userId, "a", agentId];
  return (
    <section class="page tall" aria-label="Namespace">
      <div class="space-head">
        <Crumbs
          above={[
            ["Users", ["users"]],
            [userId, ["u", userId]],
          ]}
          name={agentId}
        />
        {value !== undefined && (
          <span class="faint">
            {countPhrase(value.memories, "memory", "memories")} ·{" "}
            {countPhrase(value.skills, "skill")}
            {value.modelId !== "" && ` · ${value.modelId}`}
          </span>
        )}
        <nav class="tabs" aria-label="Parts">
          {tabs.map(([name, text]) => (
            <a
              key={name}
              href={hrefOf(name === "" ? base : [...base, name])}
              aria-current={tab === name || (name === "" && tab === "m") ? "page" : undefined}
            >
              {text}
            </a>
          ))}
        </nav>
      </div>
      <Tab space={space} rest={rest} summary={value} onDeleted={reload} />
    </section>
  );
}

interface TabProps extends NamespacePageProps {
  readonly summary: NamespaceSummary | undefined;
  /** Called when memories were deleted. */
  readonly onDeleted: () => void;
}

function Tab({ space, rest, summary, onDeleted }: TabProps): JSX.Element {
  const [tab = "", first, second] = rest;
  switch (tab) {
    case "timeline":
      return <TimelineTab space={space} />;
    case "threads":
      return <ThreadsTab space={space} threadId={first} />;
    case "turns":
      return <TurnsTab space={space} kind={first} id={second} />;
    case "search":
      return <PlaygroundTab space={space} />;
    case "skills":
      return <SkillsTab space={space} />;
    default:
      return (
        <MemoriesTab
          space={space}
          memoryId={tab === "m" ? first : undefined}
          summary={summary}
          onDeleted={onDeleted}
        />
      );
  }
}
