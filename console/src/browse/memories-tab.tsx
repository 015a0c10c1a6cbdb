import type { JSX } from "preact";
import type { Memory } from "#gen/vademecum/v1/memory_pb.js";
import { serverUrl } from "../base-path.js";
import { useKeys } from "../keyboard.js";
import { place, replacePlace } from "../location.js";
import { useLoaded } from "../pages/load.js";
import { usePaged } from "../pages/paged.js";
import { Listbox } from "../parts/listbox.js";
import { Instant } from "../parts/moment.js";
import { Empty, FailureNote, Loading, Sample } from "../parts/notes.js";
import { Press } from "../parts/press.js";
import { memories } from "../rpc.js";
import { Text } from "../text.js";
import { MemoryDetail } from "./memory-detail.js";
import { filterFields, filterOf, isFiltered, typeNames } from "./memory-filter.js";
import { MemoryFilterBar } from "./memory-filter-bar.js";
import type { Space } from "./namespace-page.js";

const pageSize = 200;
/** Rows before the end of what is loaded at which the next page is loaded. */
const ahead = 50;

interface MemoriesTabProps {
  readonly space: Space;
  readonly memoryId: string | undefined;
  readonly total: bigint | undefined;
}

/** The memories of a namespace, newest first, with a filter. */
export function MemoriesTab({ space, memoryId, total }: MemoriesTabProps): JSX.Element {
  const { query } = place.value;
  const wanted = JSON.stringify(filterFields.map((field) => query[field]));
  const list = usePaged(
    async (pageToken, signal) => {
      const request = { namespace: space, filter: filterOf(query), pageToken, limit: pageSize };
      const page = await memories.getAll(request, { signal });
      return { items: page.memories, nextPageToken: page.nextPageToken };
    },
    [space.userId, space.agentId, wanted],
  );
  const { value: count } = useLoaded(
    async (signal) => {
      if (!isFiltered(query)) return undefined;
      return (await memories.count({ namespace: space, filter: filterOf(query) }, { signal }))
        .count;
    },
    [space.userId, space.agentId, wanted],
  );
  const current = list.items.findIndex(({ id }) => id === memoryId);
  const choose = (index: number) => {
    const chosen = list.items[Math.max(0, Math.min(index, list.items.length - 1))];
    const path = ["u", space.userId, "a", space.agentId];
    replacePlace(chosen === undefined ? path : [...path, "m", chosen.id], place.peek().query);
  };
  useKeys([
    { key: "j", does: "next memory", run: () => choose(current + 1) },
    { key: "k", does: "previous memory", run: () => choose(current - 1) },
    { key: "ArrowDown", does: "next memory", run: () => choose(current + 1) },
    { key: "ArrowUp", does: "previous memory", run: () => choose(current - 1) },
  ]);
  return (
    <>
      <MemoryFilterBar>
        {count !== undefined && `${count} of ${total ?? "…"} memories`}
      </MemoryFilterBar>
      <div class="two-panes">
        <div class="pane-list">
          {list.error !== undefined && <FailureNote error={list.error} onRetry={list.more} />}
          {list.items.length === 0 && list.isLoading && <Loading what="memories" />}
          {list.items.length === 0 && list.isComplete && <NoMemories space={space} />}
          {list.items.length > 0 && (
            <Listbox
              label="Memories"
              count={list.items.length}
              current={current}
              onChoose={choose}
              onSeen={(_, end) => {
                if (end > list.items.length - ahead) list.more();
              }}
              row={(index) => <Row memory={list.items[index]} />}
            />
          )}
          <p class="faint pad-small">
            {list.items.length} loaded{list.isComplete ? "" : ", more as you scroll"}
          </p>
        </div>
        <div class="pane-detail">
          {memoryId === undefined ? (
            <p class="faint pad">Select a memory.</p>
          ) : (
            <MemoryDetail space={space} id={memoryId} />
          )}
        </div>
      </div>
    </>
  );
}

function Row({ memory }: { readonly memory: Memory | undefined }): JSX.Element {
  if (memory === undefined) return <span />;
  const { createTime, memoryType, tokenCount, content } = memory;
  return (
    <>
      <span class="cell time">
        <Instant time={createTime} />
      </span>
      <span class="cell type">{typeNames[memoryType]}</span>
      <span class="cell tokens">{tokenCount}</span>
      <span class="cell content">
        <Text value={content.slice(0, 300)} />
      </span>
    </>
  );
}

function NoMemories({ space }: { readonly space: Space }): JSX.Element {
  const { path, query } = place.value;
  if (isFiltered(query))
    return (
      <Empty title="No match">
        <p>The namespace has memories, but none passes the filter.</p>
        <Press onPress={() => replacePlace(path)}>Clear the filter</Press>
      </Empty>
    );
  return (
    <Empty title="No memories yet">
      <Sample
        text={`curl ${serverUrl}vademecum.v1.MemoryProvider/Add \\
  -H 'content-type: application/json' \\
  -d '${JSON.stringify({ namespace: space, content: "…" })}'`}
      />
    </Empty>
  );
}
