import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { NamespaceSummary } from "#gen/vademecum/v1/admin_pb.js";
import type { Memory } from "#gen/vademecum/v1/memory_pb.js";
import { serverUrl } from "../base-path.js";
import { hasRole } from "../caller.js";
import { useKeys } from "../keyboard.js";
import { go, place, replacePlace } from "../location.js";
import { useLoaded } from "../pages/load.js";
import { usePaged } from "../pages/paged.js";
import { Listbox } from "../parts/listbox.js";
import { Instant } from "../parts/moment.js";
import { Empty, FailureNote, Loading, Sample } from "../parts/notes.js";
import { Press } from "../parts/press.js";
import { memories } from "../rpc.js";
import { Text } from "../text.js";
import { isWide } from "../viewport.js";
import { DeleteFiltered, EmptyNamespace } from "./delete-many.js";
import { MemoryDetail } from "./memory-detail.js";
import { filterFields, filterOf, isFiltered, typeNames } from "./memory-filter.js";
import { MemoryFilterBar } from "./memory-filter-bar.js";
import type { Space } from "./namespace-page.js";

const pageSize = 200;
/** Rows before the end of what is loaded at which the next page is loaded. */
const ahead = 50;
/** Characters of a memory in its row. */
const shownMax = 300;

interface MemoriesTabProps {
  readonly space: Space;
  readonly memoryId: string | undefined;
  /** What the namespace has, once it is known. */
  readonly summary: NamespaceSummary | undefined;
  /** Called when memories were deleted. */
  readonly onDeleted: () => void;
}

/** What the list keeps of a memory: a list can have a hundred thousand. */
type Row = Pick<Memory, "id" | "createTime" | "memoryType" | "tokenCount" | "content">;

/** The memories of a namespace, newest first, with a filter. */
export function MemoriesTab(props: MemoriesTabProps): JSX.Element {
  const { space, memoryId, summary, onDeleted } = props;
  const { query } = place.value;
  const deletions = useSignal(0);
  const wanted = JSON.stringify(filterFields.map((field) => query[field]));
  const list = usePaged(
    async (pageToken, signal) => {
      const request = { namespace: space, filter: filterOf(query), pageToken, limit: pageSize };
      const page = await memories.getAll(request, { signal });
      return { items: page.memories.map(rowOf), nextPageToken: page.nextPageToken };
    },
    [space.userId, space.agentId, wanted, deletions.value],
  );
  const count = useCount(space, wanted, deletions.value);
  const reload = () => {
    deletions.value += 1;
    onDeleted();
  };
  const { current, choose, chooseNone } = useChoice(list.items, space, memoryId);
  return (
    <>
      <MemoryFilterBar>
        <span role="status">
          {count !== undefined && `${count} of ${summary?.memories ?? "…"} memories`}
        </span>
        <span class="spacer" />
        {hasRole("curator") && count !== undefined && count > 0n && (
          <DeleteFiltered key={wanted} space={space} onDone={reload} />
        )}
        {hasRole("curator") && summary !== undefined && !isFiltered(query) && (
          <EmptyNamespace
            space={space}
            memories={summary.memories}
            skills={summary.skills}
            onDone={() => go(["u", space.userId])}
          />
        )}
      </MemoryFilterBar>
      <div class={memoryId === undefined ? "two-panes" : "two-panes has-detail"}>
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
              row={(index) => <MemoryRow memory={list.items[index]} />}
            />
          )}
          <p class="faint pad-small">
            {list.items.length} loaded{list.isComplete ? "" : ", more as you scroll"}
          </p>
        </div>
        <MemoryPane space={space} memoryId={memoryId} onBack={chooseNone} />
      </div>
    </>
  );
}

/** The number of memories that pass the filter in the address; `undefined` without a filter. */
function useCount(space: Space, wanted: string, deletions: number): bigint | undefined {
  const { query } = place.value;
  const { value } = useLoaded(
    async (signal) => {
      if (!isFiltered(query)) return undefined;
      return (await memories.count({ namespace: space, filter: filterOf(query) }, { signal }))
        .count;
    },
    [space.userId, space.agentId, wanted, deletions],
  );
  return value;
}

/** The memory in the address, and the keys that choose another one. */
function useChoice(rows: readonly Row[], space: Space, memoryId: string | undefined) {
  const current = rows.findIndex(({ id }) => id === memoryId);
  const base = ["u", space.userId, "a", space.agentId];
  const choose = (index: number) => {
    const chosen = rows[Math.max(0, Math.min(index, rows.length - 1))];
    if (chosen === undefined) return;
    const path = [...base, "m", chosen.id];
    // The first choice is an entry of the history, so that "back" leads to the list.
    if (memoryId === undefined) go(path, place.peek().query);
    else replacePlace(path, place.peek().query);
  };
  const chooseNone = () => replacePlace(base, place.peek().query);
  useEffect(() => {
    if (memoryId !== undefined && !isWide.peek()) scrollTo(0, 0);
  }, [memoryId]);
  useKeys([
    { key: "j", does: "next memory", run: () => choose(current + 1) },
    { key: "k", does: "previous memory", run: () => choose(current - 1) },
    { key: "ArrowDown", does: "next memory", run: () => choose(current + 1) },
    { key: "ArrowUp", does: "previous memory", run: () => choose(current - 1) },
    { key: "Escape", does: "back to the list", run: chooseNone },
  ]);
  return { current, choose, chooseNone };
}

interface MemoryPaneProps {
  readonly space: Space;
  readonly memoryId: string | undefined;
  readonly onBack: () => void;
}

/** The chosen memory: beside the list, or in its place on a narrow screen. */
function MemoryPane({ space, memoryId, onBack }: MemoryPaneProps): JSX.Element {
  if (memoryId === undefined)
    return (
      <div class="pane-detail">
        <p class="faint pad">Select a memory.</p>
      </div>
    );
  return (
    <div class="pane-detail">
      <div class="back-to-list">
        <Press onPress={onBack}>‹ All memories</Press>
      </div>
      <MemoryDetail space={space} id={memoryId} />
    </div>
  );
}

function rowOf({ id, createTime, memoryType, tokenCount, content }: Memory): Row {
  return {
    id,
    memoryType,
    tokenCount,
    content: content.slice(0, shownMax),
    ...(createTime !== undefined && { createTime }),
  };
}

function MemoryRow({ memory }: { readonly memory: Row | undefined }): JSX.Element {
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
        <Text value={content} />
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
