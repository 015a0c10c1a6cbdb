import { createHash } from "node:crypto";
import type { Block, BlockVersion } from "../../core/model/block.js";
import type { Memory } from "../../core/model/memory.js";
import { hasTexts, type Proposal } from "../../core/model/proposal.js";
import {
  labelOfBlockVersionKey,
  memoryVersionKey,
  rejectedEditKey,
} from "../../core/model/record-keys.js";
import { type Thread, threadOf } from "../../core/model/thread.js";
import type { Table, VectorProfile, VectorTable } from "../../core/ports/store.js";
import { memoryCollection, skillCollection, vectorTableOf } from "../../core/vectors/collection.js";
import { type DerivedTable, derivedOf, derivedTables, isDerived } from "./derived-records.js";

/**
 * Compares the tables of one owner (a namespace, or what belongs to a whole scope) with each other.
 * A record under a wrong key would be hidden: calls find it only through the records of another
 * table.
 *
 * Compares sums of digests, so that the memory that it uses hardly grows with the records.
 */
export class TableLinks {
  readonly #sums = new Map<Table, Sum>();
  readonly #blocks = new Map<string, Block>();
  /** The greatest version of each block, and a `createSeq` of its versions. */
  readonly #versions = new Map<string, { newest: number; readonly createSeqs: Set<number> }>();
  readonly #rejected = new Map<string, string>();
  readonly #rejectedEdits: (readonly [key: string, id: string])[] = [];
  readonly #vectors = new Map<VectorTable, Ids>();
  readonly #uses = new Ids();
  readonly #ids = new Map<Table, Set<number>>();
  readonly #successors = new Successors();
  readonly #profiles = new Map<string, VectorProfile>();

  /** Adds a decoded record. */
  add(table: Table, key: string, value: unknown): void {
    for (const derived of derivedOf(table, key, value))
      this.#expect(derived.table, derived.key, derived.value ?? "");
    if (isDerived(table)) this.#find(table, key, (value as string | null) ?? "");
    else this.#visit(table, key, value);
  }

  /** Yields what does not fit. Call it after the last record. */
  *faults(): Generator<string> {
    for (const [table, sum] of this.#sums)
      if (sum.isUneven())
        yield `${table} does not fit ${ownerTables[table] ?? "the other tables"}: records under ` +
          "wrong keys, or missing ones";
    yield* this.#blockFaults();
    for (const [key, id] of this.#rejectedEdits)
      if (this.#rejected.get(id) !== key)
        yield `rejectedEdits ${JSON.stringify(key)} is not the edit of a rejected proposal`;
    const circle = this.#successors.firstInCircle();
    if (circle !== undefined)
      yield `memories ${JSON.stringify(circle)} is superseded by itself, perhaps through others`;
    const used = this.#uses.firstOutside(this.#ids.get("memories") ?? new Set());
    if (used !== undefined)
      yield `memoryUses ${JSON.stringify(used)} is the use of no record of memories`;
    for (const collection of [memoryCollection, skillCollection]) {
      const profile = this.#profiles.get(collection.profileKey);
      const table = vectorTableOf(profile, collection);
      const ids = this.#ids.get(collection.table);
      const stray = this.#vectors.get(table)?.firstOutside(ids ?? new Set());
      if (stray !== undefined)
        yield `${table} ${JSON.stringify(stray)} is the vector of no record of ${collection.table}`;
    }
  }

  #visit(table: Exclude<Table, DerivedTable>, key: string, value: unknown): void {
    switch (table) {
      case "memories":
        this.#visitMemory(key, value as Memory);
        return;
      case "memoryVersions":
        this.#find(table, key);
        return;
      case "threads":
        this.#find(table, key, "", (value as Thread).turnCount);
        return;
      case "memoryUses":
        this.#uses.add(key);
        return;
      case "skills":
        this.#note(table, key);
        this.#expect("skillUses", key);
        return;
      case "skillUses":
        this.#find(table, key);
        return;
      case "blocks":
        this.#blocks.set(key, value as Block);
        return;
      case "blockVersions":
        this.#visitVersion(key, value as BlockVersion);
        return;
      case "proposals":
        this.#visitProposal(key, value as Proposal);
        return;
      case "rejectedEdits":
        this.#rejectedEdits.push([key, value as string]);
        return;
      case "profiles":
        this.#profiles.set(key, value as VectorProfile);
        return;
      case "vectors":
      case "alternateVectors":
      case "skillVectors":
      case "alternateSkillVectors":
        this.#visitVector(table, key);
        return;
      // No record of another table decides about these.
      case "turnEntries":
      case "replies":
      case "digestKeys":
      case "keyValues":
      case "toolManifests":
      case "erasures":
      case "deliveries":
    }
  }

  #visitMemory(id: string, memory: Memory): void {
    this.#note("memories", id);
    if (memory.supersededBy !== undefined) this.#successors.add(id, memory.supersededBy);
    for (const version of memory.history?.kept ?? [])
      this.#expect("memoryVersions", memoryVersionKey(id, version));
    const threadId = threadOf(memory);
    if (threadId !== undefined) this.#expect("threads", threadId);
  }

  #visitVersion(key: string, { version, createSeq }: BlockVersion): void {
    const label = labelOfBlockVersionKey(key);
    const known = this.#versions.get(label) ?? { newest: 0, createSeqs: new Set<number>() };
    this.#versions.set(label, known);
    known.newest = Math.max(known.newest, version);
    known.createSeqs.add(createSeq);
  }

  #visitProposal(id: string, proposal: Proposal): void {
    const { agentId, target, status } = proposal;
    if (status === "REJECTED" && hasTexts(proposal))
      this.#rejected.set(id, rejectedEditKey(agentId, target, proposal));
  }

  #visitVector(table: VectorTable, id: string): void {
    const ids = this.#vectors.get(table) ?? new Ids();
    this.#vectors.set(table, ids);
    ids.add(id);
  }

  *#blockFaults(): Generator<string> {
    for (const [label, { version, createSeq }] of this.#blocks) {
      const versions = this.#versions.get(label);
      if (versions?.newest !== version || versions.createSeqs.size !== 1)
        yield `blockVersions does not fit the block ${JSON.stringify(label)}`;
      else if (!versions.createSeqs.has(createSeq))
        yield `blockVersions has versions of another block ${JSON.stringify(label)}`;
    }
    for (const label of this.#versions.keys())
      if (!this.#blocks.has(label))
        yield `blockVersions has versions of the block ${JSON.stringify(label)}, which is missing`;
  }

  #note(table: Table, id: string): void {
    const ids = this.#ids.get(table) ?? new Set<number>();
    this.#ids.set(table, ids.add(digestOf(id)));
  }

  #expect(table: Table, key: string, value = ""): void {
    this.#sumOf(table).add(digestOf(`${key}\0${value}`), 1);
  }

  #find(table: Table, key: string, value = "", times = 1): void {
    this.#sumOf(table).add(digestOf(`${key}\0${value}`), -times);
  }

  #sumOf(table: Table): Sum {
    const sum = this.#sums.get(table) ?? new Sum();
    this.#sums.set(table, sum);
    return sum;
  }
}

/** The tables that decide the records of others. */
const ownerTables: { readonly [T in Table]?: string } = {
  ...derivedTables,
  memoryVersions: "memories",
  threads: "memories",
  skillUses: "skills",
};

/** A sum of digests, which is 0 if as many are added as are taken away. */
class Sum {
  #digests = 0;
  #count = 0;

  add(digest: number, times: number): void {
    this.#digests = Number((BigInt(this.#digests) + BigInt(digest) * BigInt(times)) % modulus);
    this.#count += times;
  }

  isUneven(): boolean {
    return this.#digests !== 0 || this.#count !== 0;
  }
}

/** Ids of records, as digests, with one of their texts for each. */
class Ids {
  readonly #ids = new Map<number, string>();

  add(id: string): void {
    this.#ids.set(digestOf(id), id);
  }

  /** Returns the first id whose digest is not among some. */
  firstOutside(digests: ReadonlySet<number>): string | undefined {
    for (const [digest, id] of this.#ids) if (!digests.has(digest)) return id;
    return undefined;
  }
}

/** The memories that are superseded, each with the digest of its successor. */
class Successors {
  readonly #links = new Map<number, { readonly id: string; readonly next: number }>();

  add(id: string, successor: string): void {
    this.#links.set(digestOf(id), { id, next: digestOf(successor) });
  }

  /** Returns a memory that is its own successor. Reads would follow such links for ever. */
  firstInCircle(): string | undefined {
    const ended = new Set<number>();
    for (const start of this.#links.keys()) {
      const path = new Set<number>();
      for (let at = start; !ended.has(at); ) {
        const link = this.#links.get(at);
        if (path.has(at)) return link?.id;
        path.add(at);
        if (link === undefined) break;
        at = link.next;
      }
      for (const at of path) ended.add(at);
    }
    return undefined;
  }
}

const digestBytes = 6;
const modulus = 2n ** BigInt(8 * digestBytes);

function digestOf(text: string): number {
  return createHash("sha1").update(text).digest().readUIntBE(0, digestBytes);
}
