import { type Instant, instantOfMillis, millisOfInstant } from "../../src/core/model/instant.js";
import { happenedAt, type Memory } from "../../src/core/model/memory.js";
import { randomNumbers } from "../harness/sample-texts.js";

/** Makes of the memories of a conversation, in the order in which they were said, what someone stores who gives less of them. */
export type Storing = (memories: readonly Memory[]) => readonly Memory[];

/** Someone who does not name the sessions, and then one who does not say when the turns were said either; `as turns`: of type CONVERSATION. */
export const storings: Readonly<Record<string, Storing>> = {
  "without thread_id": (memories) => memories.map(withoutThread),
  "without thread_id, as turns": (memories) => memories.map(withoutThread).map(asTurn),
  "without event_time too": (memories) =>
    memories.map(withoutThread).map((memory) => writtenAt(memory, memory.createTime)),
  "without event_time too, as turns, one by one": (memories) => live(memories, 1).map(asTurn),
  "without event_time too, as turns, in pairs": (memories) => live(memories, 2).map(asTurn),
  "without event_time too, as turns, in bulk": (memories) => inBulk(memories).map(asTurn),
  "without event_time too, as turns, in bulk, shuffled": (memories) =>
    inBulk(shuffled(memories)).map(asTurn),
};

function withoutThread(memory: Memory): Memory {
  const { threadId: _, ...unnamed } = memory;
  return unnamed;
}

function asTurn(memory: Memory): Memory {
  return { ...memory, memoryType: "CONVERSATION" };
}

function writtenAt(memory: Memory, createTime: Instant): Memory {
  const { eventTime: _, ...undated } = memory;
  return { ...undated, createTime };
}

/** While they are said, ten seconds each; `together` of a session's turns right after the last of these. */
function live(memories: readonly Memory[], together: number): readonly Memory[] {
  const positions = new Map<string | undefined, number>();
  return memories.map((memory) => {
    const position = positions.get(memory.threadId) ?? 0;
    positions.set(memory.threadId, position + 1);
    const turns = position - (position % together);
    return writtenAt(
      withoutThread(memory),
      instantOfMillis(millisOfInstant(happenedAt(memory)) + turns * 10_000),
    );
  });
}

/** All after the end, a millisecond each. */
function inBulk(memories: readonly Memory[]): readonly Memory[] {
  return memories.map((memory, at) =>
    writtenAt(withoutThread(memory), instantOfMillis(millisOfInstant(memory.createTime) + at)),
  );
}

/** In a random order, the same each time. */
function shuffled(memories: readonly Memory[]): readonly Memory[] {
  const random = randomNumbers(1);
  const draws = new Map(memories.map((memory) => [memory, random()]));
  return memories.toSorted((a, b) => (draws.get(a) ?? 0) - (draws.get(b) ?? 0));
}
