import { blockOfVersion } from "../../../core/blocks/records.js";
import type { Block, BlockVersion } from "../../../core/model/block.js";
import { instantOfMillis } from "../../../core/model/instant.js";
import type { Memory } from "../../../core/model/memory.js";
import { hasTexts, type Proposal } from "../../../core/model/proposal.js";
import {
  blockVersionKey,
  labelOfBlockVersionKey,
  memoryVersionKey,
  rejectedEditKey,
} from "../../../core/model/record-keys.js";
import type { Skill } from "../../../core/model/skill.js";
import { type Thread, threadOf } from "../../../core/model/thread.js";
import type { RawRecord } from "../../../core/ports/backup.js";
import type { Table } from "../../../core/ports/store.js";
import { derivedOf, isDerived } from "../../codec/derived-records.js";
import { codecOf } from "../../codec/table-codecs.js";

/**
 * The records of one owner, of which some are lost, so that the rest fits together: makes records
 * that follow from others anew, and leaves out those that belong to lost ones. Give it all readable
 * records first (`add`), then mend them one by one.
 */
export class MendedRecords {
  /** Records to write besides the mended ones, by table and key. */
  readonly #made = new Map<Table, Map<string, Uint8Array>>();
  readonly #keys = new Map<Table, Set<string>>();
  /** Number of turns of each thread. */
  readonly #turns = new Map<string, number>();
  readonly #versionsOfMemories = new Set<string>();
  readonly #newest = new Map<string, BlockVersion>();
  readonly #rejected = new Map<string, string>();
  readonly #blocks = new Map<string, Block>();
  readonly #skills = new Map<string, Skill>();

  /** Adds a readable record. */
  add(table: Table, key: string, value: unknown): void {
    for (const derived of derivedOf(table, key, value))
      this.#make(derived.table, derived.key, derived.value);
    if (table === "memories") this.#addMemory(key, value as Memory);
    else if (table === "blockVersions") this.#addVersion(key, value as BlockVersion);
    else if (table === "blocks") this.#blocks.set(key, value as Block);
    else if (table === "proposals") this.#addProposal(key, value as Proposal);
    else if (table === "skills") this.#skills.set(key, value as Skill);
    if (keptTables.has(table)) this.#keys.set(table, (this.#keys.get(table) ?? new Set()).add(key));
  }

  /** Ends the first pass. */
  close(): void {
    for (const [threadId, turnCount] of this.#turns)
      if (!this.#has("threads", threadId)) {
        const time = instantOfMillis(0);
        this.#make("threads", threadId, {
          turnCount,
          version: 1,
          createTime: time,
          updateTime: time,
        });
      }
    for (const [id, { createTime: lastUsedTime }] of this.#skills)
      if (!this.#has("skillUses", id))
        this.#make("skillUses", id, { successCount: 0, failureCount: 0, lastUsedTime });
    for (const [label, version] of this.#newest)
      if (!this.#blocks.has(label)) this.#make("blocks", label, blockOfVersion(label, version));
    for (const [label, block] of this.#blocks)
      if (!this.#has("blockVersions", blockVersionKey(label, block.version)))
        this.#make("blockVersions", blockVersionKey(label, block.version), versionOfBlock(block));
  }

  /** Returns a record as it fits the others; `undefined` if it belongs to a lost one. */
  mend(table: Table, key: string, value: unknown): unknown {
    if (isDerived(table)) return undefined;
    switch (table) {
      case "memories":
        return this.#mendMemory(key, value as Memory);
      case "memoryVersions":
        return this.#versionsOfMemories.has(key) ? value : undefined;
      case "threads": {
        const turnCount = this.#turns.get(key);
        return turnCount === undefined ? undefined : { ...(value as Thread), turnCount };
      }
      case "memoryUses":
      case "vectors":
      case "alternateVectors":
        return this.#has("memories", key) ? value : undefined;
      case "skillVectors":
      case "alternateSkillVectors":
      case "skillUses":
        return this.#skills.has(key) ? value : undefined;
      case "blockVersions":
        return this.#isOfBlock(key, value as BlockVersion) ? value : undefined;
      case "rejectedEdits":
        return this.#rejected.get(value as string) === key ? value : undefined;
      case "profiles":
      case "skills":
      case "turnEntries":
      case "replies":
      case "digestKeys":
      case "blocks":
      case "proposals":
      case "keyValues":
      case "toolManifests":
      case "erasures":
      case "deliveries":
        return value;
    }
  }

  /** Returns the made records, by table and in the order of their keys. */
  made(): ReadonlyMap<Table, readonly RawRecord[]> {
    const sorted = new Map<Table, readonly RawRecord[]>();
    for (const [table, records] of this.#made)
      sorted.set(
        table,
        [...records].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
      );
    return sorted;
  }

  #addMemory(id: string, memory: Memory): void {
    const threadId = threadOf(memory);
    if (threadId !== undefined) this.#turns.set(threadId, (this.#turns.get(threadId) ?? 0) + 1);
    for (const version of memory.history?.kept ?? [])
      this.#versionsOfMemories.add(memoryVersionKey(id, version));
  }

  #addVersion(key: string, version: BlockVersion): void {
    const label = labelOfBlockVersionKey(key);
    const known = this.#newest.get(label);
    if (known === undefined || known.version < version.version) this.#newest.set(label, version);
  }

  #addProposal(id: string, proposal: Proposal): void {
    const { agentId, target, status } = proposal;
    if (status === "REJECTED" && hasTexts(proposal))
      this.#rejected.set(id, rejectedEditKey(agentId, target, proposal));
  }

  #mendMemory(id: string, memory: Memory): Memory {
    const { history } = memory;
    if (history === undefined) return memory;
    const kept = history.kept.filter((version) =>
      this.#has("memoryVersions", memoryVersionKey(id, version)),
    );
    return kept.length === history.kept.length
      ? memory
      : { ...memory, history: { ...history, kept } };
  }

  #isOfBlock(key: string, { version, createSeq }: BlockVersion): boolean {
    const label = labelOfBlockVersionKey(key);
    const block = this.#blocks.get(label) ?? this.#newest.get(label);
    return block !== undefined && version <= block.version && createSeq === block.createSeq;
  }

  #has(table: Table, key: string): boolean {
    return this.#keys.get(table)?.has(key) === true;
  }

  #make(table: Table, key: string, value: unknown): void {
    const records = this.#made.get(table) ?? new Map<string, Uint8Array>();
    this.#made.set(table, records.set(key, codecOf(table).encode(value as never)));
  }
}

/** The tables whose keys decide about records of others. */
const keptTables: ReadonlySet<Table> = new Set<Table>([
  "memories",
  "memoryVersions",
  "skillUses",
  "threads",
  "blockVersions",
]);

function versionOfBlock(block: Block): BlockVersion {
  const { label: _, updateTime, ...content } = block;
  return { ...content, writtenBy: "", writeTime: updateTime };
}
