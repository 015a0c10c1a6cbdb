import { stringify } from "safe-stable-stringify";
import { blockTitle } from "../model/block.js";
import type { StoredVersion } from "../model/memory-version.js";
import { hasTexts, type Proposal } from "../model/proposal.js";
import type { DataRecord } from "./export-record.js";

/**
 * Whether two records say the same. Ignores vectors, when memories were used, and what each store
 * counts itself: tokens, and the commits that created records.
 */
export function isSameRecord(a: DataRecord, b: DataRecord): boolean {
  return stringify(comparable(a)) === stringify(comparable(b));
}

function comparable(record: DataRecord): unknown {
  switch (record.kind) {
    case "memory":
    case "memoryVersion":
      return withoutTokens(record.version);
    case "block":
    case "blockVersion": {
      const { tokenCount: _, createSeq: _seq, ...version } = record.version;
      return { ...version, title: blockTitle(record.label, version) };
    }
    case "proposal": {
      const { proposal, approvedMemory } = record;
      return [withoutLostEdit(proposal), approvedMemory && withoutTokens(approvedMemory)];
    }
    case "skill": {
      const { createSeq: _, ...skill } = record.skill;
      return [skill, record.use];
    }
    case "key":
      return record.entry;
    case "turnEntry":
      // A message has whole nanoseconds.
      return { ...record.entry, durationMs: Math.round(record.entry.durationMs * 1_000_000) };
  }
}

function withoutTokens({ memory: counted, ...version }: StoredVersion) {
  const { tokenCount: _, ...memory } = counted;
  return { ...version, memory };
}

/** A proposal without texts does not say how it would have changed its target. */
function withoutLostEdit(proposal: Omit<Proposal, "approvedMemory">) {
  const { whole: _, ...rest } = proposal;
  return hasTexts(proposal) ? proposal : rest;
}
