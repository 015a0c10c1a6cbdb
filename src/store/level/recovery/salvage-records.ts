import {
  type Namespace,
  namespaceMapKey,
  type Scope,
  scopeMapKey,
  scopeOf,
} from "../../../core/model/namespace.js";
import type { Usage } from "../../../core/ports/store.js";
import { checksumOf, seal } from "../../codec/envelope.js";
import { changeUsage, noUsage } from "../../usage.js";
import { type Database, type Operation, scanReadable, writeSynced } from "../folder/database.js";
import {
  encodeNamespaceHead,
  encodeScopeHead,
  noScopeHead,
  type ScopeHead,
  type TableTotals,
} from "../format/heads.js";
import {
  changeRange,
  markKey,
  metaKey,
  namespaceHeadKey,
  scopeHeadKey,
  scopePart,
  sweepKey,
} from "../format/keys.js";
import { encodeMark, type HeadTotals } from "../format/marks.js";
import { parseKey } from "../format/parse-key.js";
import { encodeMeta, type StoreMeta } from "./opening-checks.js";
import {
  type FoundHead,
  type FoundRecord,
  FoundTotals,
  ownerId,
  ownerOf,
  type RecordOwner,
  surveyHeads,
  surveyRecords,
  unusedOwners,
} from "./survey.js";

/** The result of saving a damaged store. */
export interface SalvageCounts {
  /** Number of saved records. */
  readonly saved: number;
  /** Number of records that were present but not readable. */
  readonly damaged: number;
  /**
   * Number of records that the new store lacks, damaged records included. The heads of scopes and
   * namespaces say how many records there were. Where a head is lost or out of date, missing
   * records cannot be counted.
   */
  readonly lost: number;
}

/** A batch is written when it has this many bytes. */
const batchBytes = 1024 * 1024;

/**
 * Copies everything readable from a damaged LevelDB to a new one, except records that the sweeper
 * was to remove. The new heads count the copied records. The new store begins a new epoch, and all
 * its content counts as the first group of `GroupCommit`.
 *
 * Change logs are not copied, because in the new epoch no reader may continue from a commit of the
 * old epoch.
 */
export async function saveReadable(
  source: Database | undefined,
  target: Database,
  meta: StoreMeta,
  nowMs: number,
): Promise<SalvageCounts> {
  const saving = new Saving(target, nowMs);
  if (source !== undefined) {
    for await (const found of surveyHeads(source)) {
      if (found.kind !== "damaged") saving.takeHead(found);
    }
    for await (const [key] of scanReadable(source, changeRange)) {
      const parsed = parseKey(key);
      if (parsed?.kind === "change") saving.takeSeq(parsed.scope, parsed.seq);
    }
    const unused = await unusedOwners(source);
    for await (const found of surveyRecords(source)) {
      if (found.kind === "damaged") saving.damaged++;
      else if (!unused.has(ownerId(ownerOf(found.record)))) await saving.takeRecord(found);
    }
  }
  return saving.finish(meta);
}

interface SavedScope {
  readonly scope: Scope;
  readonly head: ScopeHead;
}

interface SavedNamespace {
  readonly namespace: Namespace;
  /** The highest generation so far. Lower generations were cleared or replaced. */
  readonly generation: number;
  /**
   * The totals of this generation in the head; `undefined` if the head is lost or has another
   * generation.
   */
  readonly expected: TableTotals | undefined;
}

class Saving {
  damaged = 0;
  #saved = 0;
  #lost = 0;
  readonly #scopes = new Map<string, SavedScope>();
  readonly #namespaces = new Map<string, SavedNamespace>();
  readonly #found = new FoundTotals();
  #operations: Operation[] = [];
  #bytes = 0;
  #heads: HeadTotals = { count: 0, digest: 0 };

  constructor(
    private readonly target: Database,
    private readonly nowMs: number,
  ) {}

  takeHead(found: FoundHead): void {
    if (found.kind === "scope")
      this.#scopes.set(scopeMapKey(found.scope), { scope: found.scope, head: found.head });
    else
      this.#setNamespace({
        namespace: found.namespace,
        generation: found.head.generation,
        expected: found.head.tables,
      });
  }

  /** Raises the commit sequence number of a scope to at least `seq`. */
  takeSeq(scope: Scope, seq: number): void {
    const known = this.#scope(scope);
    if (seq > known.head.seq)
      this.#scopes.set(scopeMapKey(scope), { scope, head: { ...known.head, seq } });
  }

  async takeRecord(found: FoundRecord): Promise<void> {
    const { record, key, value } = found;
    const { generation } = record;
    const isCurrent =
      record.kind === "namespaceRecord"
        ? await this.#takeGeneration(record.namespace, generation)
        : await this.#takeScopeGeneration(record.scope, generation);
    if (!isCurrent) return;
    this.#saved++;
    this.#found.add(found);
    await this.#put(key, value);
  }

  async finish(meta: StoreMeta): Promise<SalvageCounts> {
    const usages = new Map<string, Usage>();
    for (const { namespace, generation, expected } of this.#namespaces.values()) {
      const scope = scopeOf(namespace);
      this.takeSeq(scope, 0);
      const { tables, bytes } = this.#found.take({ kind: "namespace", namespace, generation });
      this.#countLost(expected, tables);
      addUsage(usages, scope, tables, bytes);
      await this.#putHead(
        namespaceHeadKey(scopePart(scope), namespace.agentId),
        encodeNamespaceHead({ generation, tables, bytes }),
      );
    }
    for (const { owner } of this.#found.rest())
      if (owner.kind === "scope") this.takeSeq(owner.scope, 0);
    for (const { scope, head } of this.#scopes.values()) {
      const { generation } = head;
      const { tables, bytes } = this.#found.take({ kind: "scope", scope, generation });
      this.#countLost(head.tables, tables);
      const usage = addUsage(usages, scope, tables, bytes);
      const saved = { ...head, tables, usage, broughtEpoch: undefined };
      await this.#putHead(scopeHeadKey(scopePart(scope)), encodeScopeHead(saved));
    }
    await this.#put(metaKey, seal(metaKey, encodeMeta(meta)));
    const mark = { floor: 0, bytes: 0, groupChecksum: 0, heads: this.#heads };
    await this.#put(markKey(0), seal(markKey(0), encodeMark(mark)));
    await this.#flush();
    return { saved: this.#saved, damaged: this.damaged, lost: this.#lost };
  }

  #scope(scope: Scope): SavedScope {
    const known = this.#scopes.get(scopeMapKey(scope));
    if (known !== undefined) return known;
    const added = { scope, head: { ...noScopeHead, lastTimeMs: this.nowMs } };
    this.#scopes.set(scopeMapKey(scope), added);
    return added;
  }

  #setNamespace(saved: SavedNamespace): void {
    this.#namespaces.set(namespaceMapKey(saved.namespace), saved);
  }

  /**
   * Whether to keep records of this generation. Requires: the records of a namespace come in
   * ascending order of their generations.
   */
  async #takeGeneration(namespace: Namespace, generation: number): Promise<boolean> {
    const known = this.#namespaces.get(namespaceMapKey(namespace));
    if (known !== undefined && generation < known.generation) return false;
    if (known?.generation === generation) return true;
    if (known !== undefined) {
      // The records show a later generation, so the head is out of date or lost. The records saved
      // so far belong to a generation that had been cleared or replaced.
      const before = { kind: "namespace", namespace, generation: known.generation } as const;
      const scope = scopePart(scopeOf(namespace));
      await this.#drop(before, sweepKey(scope, namespace.agentId, known.generation));
    }
    this.#setNamespace({ namespace, generation, expected: undefined });
    return true;
  }

  /** As `#takeGeneration`, for records of a whole scope. */
  async #takeScopeGeneration(scope: Scope, generation: number): Promise<boolean> {
    const { head } = this.#scope(scope);
    if (generation < head.generation) return false;
    if (generation === head.generation) return true;
    const before = { kind: "scope", scope, generation: head.generation } as const;
    await this.#drop(before, sweepKey(scopePart(scope), undefined, head.generation));
    this.#scopes.set(scopeMapKey(scope), {
      scope,
      head: { ...head, generation, tables: new Map() },
    });
    return true;
  }

  /**
   * Gives up a generation whose records are already in the new store. Stops counting these records
   * as saved, and writes a note that makes the sweeper remove them.
   */
  async #drop(owner: RecordOwner, note: Buffer): Promise<void> {
    for (const { count } of this.#found.take(owner).tables.values()) this.#saved -= count;
    await this.#put(note, seal(note, new Uint8Array(0)));
  }

  #countLost(expected: TableTotals | undefined, found: TableTotals): void {
    for (const [table, { count }] of expected ?? [])
      this.#lost += Math.max(0, count - (found.get(table)?.count ?? 0));
  }

  async #putHead(key: Buffer, payload: Buffer): Promise<void> {
    const value = seal(key, payload);
    this.#heads = {
      count: this.#heads.count + 1,
      digest: (this.#heads.digest + checksumOf(value)) >>> 0,
    };
    await this.#put(key, value);
  }

  async #put(key: Buffer, value: Buffer): Promise<void> {
    this.#operations.push({ type: "put", key, value });
    this.#bytes += key.length + value.length;
    if (this.#bytes >= batchBytes) await this.#flush();
  }

  async #flush(): Promise<void> {
    await writeSynced(this.target, this.#operations);
    this.#operations = [];
    this.#bytes = 0;
  }
}

/** Adds the records of an owner to the usage of its scope. Returns the sum. */
function addUsage(
  usages: Map<string, Usage>,
  scope: Scope,
  tables: TableTotals,
  bytes: number,
): Usage {
  const key = scopeMapKey(scope);
  const sum = changeUsage(usages.get(key) ?? noUsage, tables.get("memories")?.count ?? 0, bytes);
  usages.set(key, sum);
  return sum;
}
