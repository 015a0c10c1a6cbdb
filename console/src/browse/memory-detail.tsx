import type { JSX } from "preact";
import type { Memory, MemoryVersion } from "#gen/vademecum/v1/memory_pb.js";
import { hasRole } from "../caller.js";
import { Diff } from "../diff/diff-view.js";
import { useLoaded } from "../pages/load.js";
import { Instant } from "../parts/moment.js";
import { FailureNote, Loading } from "../parts/notes.js";
import { hrefOf } from "../router.js";
import { memories } from "../rpc.js";
import { Id, ShortId, Text } from "../text.js";
import { typeNames } from "./memory-filter.js";
import type { Space } from "./namespace-page.js";
import { ProposeForm } from "./propose-form.js";

interface MemoryDetailProps {
  readonly space: Space;
  readonly id: string;
}

/** A memory with all its fields, what it replaced, and its versions. */
export function MemoryDetail({ space, id }: MemoryDetailProps): JSX.Element {
  const { value, error, reload } = useLoaded(
    async (signal) => {
      const [{ memory }, { versions }] = await Promise.all([
        memories.get({ namespace: space, id, includeExpired: true }, { signal }),
        memories.listMemoryVersions({ namespace: space, id, limit: 20 }, { signal }),
      ]);
      return { memory, versions };
    },
    [space.userId, space.agentId, id],
  );
  if (error !== undefined) return <FailureNote error={error} onRetry={reload} />;
  if (value?.memory === undefined || value.memory.id !== id) return <Loading what="the memory" />;
  return (
    <article class="detail" aria-label="Memory">
      <p class="memory-text">
        <Text value={value.memory.content} />
      </p>
      <Fields space={space} memory={value.memory} />
      <p class="links">
        <a
          href={hrefOf(["u", space.userId, "a", space.agentId, "search"], {
            q: value.memory.content.slice(0, 200),
            follow: id,
          })}
        >
          Explain in a search
        </a>
      </p>
      <Versions memory={value.memory} versions={value.versions} />
      {hasRole("proposer") && <ProposeForm key={id} memory={value.memory} />}
    </article>
  );
}

function Fields({ space, memory }: { readonly space: Space; readonly memory: Memory }) {
  const at = (id: string) => hrefOf(["u", space.userId, "a", space.agentId, "m", id]);
  const link = (id: string | undefined) =>
    id !== undefined && (
      <a href={at(id)}>
        <ShortId value={id} />
      </a>
    );
  const { threadId, metadata } = memory;
  const fields: readonly (readonly [string, JSX.Element | string | number | false | undefined])[] =
    [
      ["id", <Id key="id" value={memory.id} />],
      ["type", typeNames[memory.memoryType]],
      ["kind", memory.kind !== "" && <Text value={memory.kind} />],
      ["tags", memory.tags.length > 0 && <Text value={memory.tags.join(", ")} />],
      ["importance", memory.importance.toFixed(2)],
      ["tokens", memory.tokenCount],
      ["source", memory.source !== "" && <Text value={memory.source} />],
      ["author", memory.author !== undefined && <Text value={memory.author} />],
      [
        "thread",
        threadId !== undefined && (
          <a href={hrefOf(["u", space.userId, "a", space.agentId, "threads", threadId])}>
            <Text value={threadId} />
          </a>
        ),
      ],
      ["replaces", link(memory.supersedes)],
      ["replaced by", link(memory.supersededBy)],
      ["happened", memory.eventTime !== undefined && <Instant time={memory.eventTime} />],
      ["stored", <Instant key="create" time={memory.createTime} />],
      ["changed", <Instant key="update" time={memory.updateTime} />],
      ["expires", memory.expireTime !== undefined && <Instant time={memory.expireTime} />],
      ["external id", memory.externalId !== undefined && <Id value={memory.externalId} />],
      ["restricted", memory.restricted && "yes"],
      ["metadata", metadata !== undefined && <Text value={JSON.stringify(metadata, null, 1)} />],
    ];
  return (
    <dl class="fields">
      {fields
        .filter(([, value]) => value !== false && value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

interface VersionsProps {
  readonly memory: Memory;
  readonly versions: readonly MemoryVersion[];
}

/** The earlier texts, each compared with the one that replaced it. */
function Versions({ memory, versions }: VersionsProps): JSX.Element | null {
  const earlier = versions.filter(
    ({ memory: it }) => it !== undefined && it.version < memory.version,
  );
  if (earlier.length === 0) return <p class="faint">version {String(memory.version)}, the first</p>;
  return (
    <>
      <h3>Earlier versions</h3>
      {earlier.map((version, index) => {
        const next = earlier[index - 1]?.memory ?? memory;
        const { memory: old, changedBy, changeTime, redacted } = version;
        return (
          <details key={String(old?.version)}>
            <summary>
              version {String(old?.version)} · <Text value={changedBy} /> ·{" "}
              <Instant time={changeTime} />
            </summary>
            {redacted ? (
              <p class="faint">The text was redacted.</p>
            ) : (
              <Diff
                before={old?.content ?? ""}
                after={next.content}
                beforeName={`Version ${old?.version}`}
                afterName={`Version ${next.version}`}
              />
            )}
          </details>
        );
      })}
    </>
  );
}
