import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { JSX } from "preact";
import type { Memory } from "#gen/vademecum/v1/memory_pb.js";
import { place, replaceQuery } from "../location.js";
import { usePaged } from "../pages/paged.js";
import { FailureNote, Loading } from "../parts/notes.js";
import { Press } from "../parts/press.js";
import { zone } from "../preferences.js";
import { hrefOf } from "../router.js";
import { memories } from "../rpc.js";
import { Text } from "../text.js";
import { absoluteOf } from "../times.js";
import { typeNames } from "./memory-filter.js";
import type { Space } from "./namespace-page.js";

/** What happened, day by day, newest day first. */
export function TimelineTab({ space }: { readonly space: Space }): JSX.Element {
  const { thread = "" } = place.value.query;
  const list = usePaged(
    async (pageToken, signal) => {
      const filter = thread === "" ? {} : { threadId: thread };
      const page = await memories.getAll(
        { namespace: space, filter, pageToken, limit: 200, includeSuperseded: true },
        { signal },
      );
      return { items: page.memories, nextPageToken: page.nextPageToken };
    },
    [space.userId, space.agentId, thread],
  );
  return (
    <div class="scrolls">
      {thread !== "" && (
        <Press onPress={() => replaceQuery({ thread: "" })}>
          thread <Text value={thread} /> ✕
        </Press>
      )}
      {daysOf(list.items).map(([day, items]) => (
        <section key={day} class="day">
          <h2>{day}</h2>
          <ol>
            {items.map((memory) => (
              <Entry key={memory.id} space={space} memory={memory} />
            ))}
          </ol>
        </section>
      ))}
      {list.error !== undefined && <FailureNote error={list.error} onRetry={list.more} />}
      {list.isLoading && <Loading what="the timeline" />}
      {list.items.length === 0 && list.isComplete && <p class="faint">Nothing happened yet.</p>}
      {!list.isComplete && !list.isLoading && <Press onPress={list.more}>More</Press>}
    </div>
  );
}

function daysOf(items: readonly Memory[]): [string, Memory[]][] {
  const days = new Map<string, Memory[]>();
  const newestFirst = items.toSorted((one, other) => msOf(other) - msOf(one));
  for (const memory of newestFirst) {
    const day = textOf(memory).slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), memory]);
  }
  return [...days];
}

/** When it happened, or else when it was stored. */
function timeOf({ eventTime, createTime }: Memory) {
  return eventTime ?? createTime;
}

function msOf(memory: Memory): number {
  const time = timeOf(memory);
  return time === undefined ? 0 : timestampMs(time);
}

function textOf(memory: Memory): string {
  const time = timeOf(memory);
  return time === undefined ? "" : absoluteOf(time, zone.value === "utc");
}

function Entry({ space, memory }: { readonly space: Space; readonly memory: Memory }) {
  const { id, memoryType, threadId, supersededBy, content } = memory;
  const base = ["u", space.userId, "a", space.agentId];
  return (
    <li>
      <a class="time" href={hrefOf([...base, "m", id])}>
        {textOf(memory).slice(11, 16)}
      </a>
      <span class="faint">{typeNames[memoryType]}</span>
      <span class={supersededBy === undefined ? "" : "superseded"}>
        <Text value={content} />
      </span>
      {threadId !== undefined && (
        <a href={hrefOf([...base, "threads", threadId])}>
          <Text value={threadId} />
        </a>
      )}
    </li>
  );
}
