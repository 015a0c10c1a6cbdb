import type { KeyValue } from "../../core/model/key-value.js";
import { happenedAt, type Memory } from "../../core/model/memory.js";
import type { Proposal } from "../../core/model/proposal.js";
import {
  expiryKey,
  proposalByTargetKey,
  threadTurnKey,
  timelineKey,
  turnKey,
} from "../../core/model/record-keys.js";
import type { Skill } from "../../core/model/skill.js";
import { threadOf } from "../../core/model/thread.js";
import type { TurnEntry } from "../../core/model/turn-entry.js";
import type { Table } from "../../core/ports/store.js";
import type { StoredReply } from "../../core/ports/stored-reply.js";

/** Tables whose records follow from records of another table of the same owner. */
export const derivedTables = {
  timeline: "memories",
  externalIds: "memories",
  threadTurns: "memories",
  skillTimeline: "skills",
  turnsByRequest: "turnEntries",
  turnsByTask: "turnEntries",
  pendingProposals: "proposals",
  proposalsByTarget: "proposals",
  replyExpiries: "replies",
  keyPositions: "keyValues",
} as const satisfies { readonly [T in Table]?: Table };
export type DerivedTable = keyof typeof derivedTables;

/** A record of a derived table. `value` is `null` in tables without values. */
export interface DerivedRecord {
  readonly table: DerivedTable;
  readonly key: string;
  readonly value: string | null;
}

/** Whether the records of a table follow from those of another table. */
export function isDerived(table: Table): table is DerivedTable {
  return Object.hasOwn(derivedTables, table);
}

/** Returns the derived records of a record. */
export function derivedOf(table: Table, key: string, value: unknown): readonly DerivedRecord[] {
  return derivations[table]?.(key, value as never) ?? [];
}

const derivations: { readonly [T in Table]?: (key: string, value: never) => DerivedRecord[] } = {
  memories: (id, memory: Memory) => {
    const { externalId } = memory;
    const threadId = threadOf(memory);
    return [
      { table: "timeline", key: timelineKey(memory), value: null },
      ...(externalId === undefined
        ? []
        : [{ table: "externalIds" as const, key: externalId, value: id }]),
      ...(threadId === undefined
        ? []
        : [
            {
              table: "threadTurns" as const,
              key: threadTurnKey(threadId, happenedAt(memory), id),
              value: null,
            },
          ]),
    ];
  },
  skills: (_id, skill: Skill) => [{ table: "skillTimeline", key: timelineKey(skill), value: null }],
  turnEntries: (id, { requestId, taskId }: TurnEntry) => [
    { table: "turnsByRequest", key: turnKey(requestId, id), value: null },
    ...(taskId === ""
      ? []
      : [{ table: "turnsByTask" as const, key: turnKey(taskId, id), value: null }]),
  ],
  proposals: (id, proposal: Proposal) => [
    { table: "proposalsByTarget", key: proposalByTargetKey(proposal), value: null },
    ...(proposal.status === "PENDING"
      ? [{ table: "pendingProposals" as const, key: id, value: null }]
      : []),
  ],
  replies: (key, { expireMs }: StoredReply) => [
    { table: "replyExpiries", key: expiryKey(expireMs, key), value: key },
  ],
  keyValues: (key, { position }: KeyValue) => [
    { table: "keyPositions", key: position, value: key },
  ],
};
