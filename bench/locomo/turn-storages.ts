import { type Instant, instantOfMillis, millisOfInstant } from "../../src/core/model/instant.js";
import { happenedAt, type Memory } from "../../src/core/model/memory.js";
import { randomNumbers } from "../harness/sample-texts.js";

/**
 * Changes the memories of a conversation, given in the order of its turns, to what a client with
 * fewer fields would store.
 */
export type TurnStorage = (memories: readonly Memory[]) => readonly Memory[];

/**
 * Clients that do not name the sessions, then clients that also leave out the time of each turn.
 * `as turns` stores the type CONVERSATION.
 */
export const turnStorages: Readonly<Record<string, TurnStorage>> = {
  "without thread_id": (memories) => memories.map(withoutThread),
  "without thread_id, as turns": (memories) => memories.map(withoutThread).map(asTurn),
  "without event_time too": (memories) =>
    memories.map(withoutThread).map((memory) => writtenAt(memory, memory.createTime)),
  "without event_time too, as turns, one by one": (memories) => live(memories, 1).map(asTurn),
  "without event_time too, as turns, in pairs": (memories) => live(memories, 2).map(asTurn),
  "without event_time too, as turns, in bulk": (memories) => inBulk(memories).map(asTurn),
  "without event_time too, as turns, in bulk, shuffled": (memories) =>
    inBulk(shuffle(memories)).map(asTurn),
};

function withoutThread(memory: Memory): Memory {
  const { threadId: _, ...others } = memory;
  return others;
}

function asTurn(memory: Memory): Memory {
  return { ...memory, memoryType: "CONVERSATION" };
}

function writtenAt(memory: Memory, createTime: Instant): Memory {
  const { eventTime: _, ...others } = memory;
  return { ...others, createTime };
}

/**
 * Writes the turns of a session during the conversation, in groups of `together` turns. Ten seconds
 * pass for each turn, and a group is written at the time of its first turn.
 */
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

/** Writes all turns after the end, a millisecond apart. */
function inBulk(memories: readonly Memory[]): readonly Memory[] {
  return memories.map((memory, at) =>
    writtenAt(withoutThread(memory), instantOfMillis(millisOfInstant(memory.createTime) + at)),
  );
}

/** Shuffles the memories, in the same order in each run. */
function shuffle(memories: readonly Memory[]): readonly Memory[] {
  const random = randomNumbers(1);
  const draws = new Map(memories.map((memory) => [memory, random()]));
  return memories.toSorted((a, b) => (draws.get(a) ?? 0) - (draws.get(b) ?? 0));
}
