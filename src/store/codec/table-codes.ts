import type { Table } from "../../core/ports/store.js";

/** The byte of each table in keys and heads. On disk: never change or reuse one. */
export const tableCodes = {
  memories: 0x01,
  vectors: 0x02,
  timeline: 0x03,
  profiles: 0x04,
  skills: 0x05,
  skillVectors: 0x06,
  skillUses: 0x07,
  turnEntries: 0x08,
  turnsByRequest: 0x09,
  turnsByTask: 0x0a,
  alternateVectors: 0x0b,
  skillTimeline: 0x0c,
  alternateSkillVectors: 0x0d,
  externalIds: 0x0e,
  memoryVersions: 0x0f,
  threads: 0x10,
  threadTurns: 0x11,
  memoryUses: 0x12,
  replies: 0x40,
  replyExpiries: 0x41,
  digestKeys: 0x50,
  blocks: 0x42,
  blockVersions: 0x43,
  proposals: 0x44,
  pendingProposals: 0x45,
  rejectedEdits: 0x46,
  keyValues: 0x47,
  keyPositions: 0x48,
  toolManifests: 0x49,
  proposalsByTarget: 0x4a,
  erasures: 0x51,
  deliveries: 0x52,
} as const satisfies Record<Table, number>;

const tablesByCode = new Map<number, Table>(
  (Object.keys(tableCodes) as Table[]).map((table) => [tableCodes[table], table]),
);

/** Returns the table of a code, `undefined` if there is none. */
export function tableOfCode(code: number): Table | undefined {
  return tablesByCode.get(code);
}
