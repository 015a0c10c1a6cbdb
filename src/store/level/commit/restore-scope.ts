import type { RecordPage, RestoredScope } from "../../../core/ports/backup.js";
import type { Head, Table } from "../../../core/ports/store.js";
import { checksumOf, seal } from "../../codec/envelope.js";
import { tableOfPage } from "../../codec/owned-tables.js";
import { growthOfTotals } from "../../engine/storage-totals.js";
import { requireHead } from "../../errors.js";
import { recordBytes, storedBytes } from "../../usage.js";
import { type Operation, scanChunks } from "../folder/database.js";
import type { DiskSpace } from "../folder/disk-space.js";
import {
  epochOf,
  noTotals,
  replaceInTotals,
  type TableTotals,
  type Totals,
} from "../format/heads.js";
import { recordKey, sweepKey } from "../format/keys.js";
import type { GroupCommit } from "./group-commit.js";
import { agentsOf } from "./level-scope-reader.js";
import {
  freePlace,
  headlessNamespaceState,
  type NamespaceState,
  namespaceRanges,
  type OwnerState,
  replaceNamespaceState,
  replaceScopeState,
  scopeRanges,
} from "./owner-state.js";
import type { PendingScope } from "./pending-scope.js";
import { bytesOf, moreNamespaces, removalsOf } from "./staged-outcome.js";
import { stagedKey } from "./sweeper.js";
import type { TransactionOutcome } from "./transaction-outcome.js";

/** The parts of an engine that a restore writes through. */
export interface RestorePath {
  readonly groups: GroupCommit;
  readonly space: DiskSpace;
  /** The `stagedKey` of the note of each place that a restore is filling. */
  readonly staged: Set<string>;
}

/** A restore whose records are written and wait to become visible. */
export interface EndedRestore {
  readonly outcome: TransactionOutcome;
  /** Ends the protection of the records from the sweeper. Visible records do not need it. */
  readonly end: () => void;
}

/** The records of one owner that no reader sees yet. */
interface Stage {
  readonly place: number;
  readonly range: OwnerState["range"];
  readonly note: Buffer;
  readonly tables: Map<Table, Totals>;
  bytes: number;
}

/**
 * Writes the records of a scope into new places, which no head names. The outcome makes them
 * visible in one batch and hides the previous records. Call `end` once that batch is durable.
 *
 * The first batch of a place writes a note that tells the sweeper to empty the place.
 * The last batch of the restore deletes these notes. So the sweeper removes the records of a
 * restore that fails or crashes.
 *
 * Requires: no transaction of the scope is running, and all earlier ones are durable.
 *
 * @throws ABORTED (SCOPE_CHANGED) when the head of the scope is not `replaced`
 * @throws INVALID_ARGUMENT (INVALID_BACKUP) as `BackupTarget.restoreScope`
 * @throws RESOURCE_EXHAUSTED (DISK_FULL) when the disk has too little free space
 */
export async function restoreScope(
  current: PendingScope,
  path: RestorePath,
  restored: RestoredScope,
  replaced: Head,
  pages: AsyncIterable<RecordPage>,
): Promise<EndedRestore> {
  const { state } = current;
  requireHead({ epoch: epochOf(state, current.epoch), seq: state.seq }, replaced);
  const staging = new Staging(current, path);
  try {
    for await (const page of pages) await staging.write(page);
    const outcome = await staging.finish(restored);
    return { outcome, end: () => staging.release() };
  } catch (error) {
    staging.release();
    throw error;
  }
}

/** A batch is written when it has this many operations. */
const batchOperations = 1000;
/** A batch is written when it has this many bytes. */
const batchBytes = 1024 * 1024;

class Staging {
  #storedBytes = 0;
  readonly #stages = new Map<string | undefined, Stage>();
  /** Operations that are not written yet. */
  #operations: Operation[] = [];
  #bytes = 0;

  constructor(
    private readonly current: PendingScope,
    private readonly path: RestorePath,
  ) {}

  async write(page: RecordPage): Promise<void> {
    const table = tableOfPage(page);
    const stage = this.#stages.get(page.agentId) ?? this.#begin(page.agentId);
    const range = stage.range(table);
    let totals = stage.tables.get(table) ?? noTotals;
    for (const [key, payload] of page.records) {
      const keyBytes = recordKey(range, key);
      const value = seal(keyBytes, payload);
      this.#put({ type: "put", key: keyBytes, value });
      totals = replaceInTotals(totals, undefined, checksumOf(value));
      stage.bytes += recordBytes(table, key, payload.length);
      this.#storedBytes += storedBytes(key, payload.length);
    }
    stage.tables.set(table, totals);
    this.path.space.requireRoom();
    if (this.#operations.length >= batchOperations || this.#bytes >= batchBytes)
      await this.#flush();
  }

  async finish({ seq, lastTimeMs, epoch }: RestoredScope): Promise<TransactionOutcome> {
    const { state, scopePart, database, epoch: storeEpoch } = this.current;
    const operations = this.#operations;
    for (const { note } of this.#stages.values()) operations.push({ type: "del", key: note });
    const namespaces = new Map<string, NamespaceState>();
    const agents = new Set([...(await agentsOf(database, scopePart)), ...this.#agents()]);
    let memories = 0;
    let bytes = this.#stages.get(undefined)?.bytes ?? 0;
    for (const agentId of agents) {
      const before = this.current.namespace(agentId);
      const stage = this.#stages.get(agentId);
      if (before.slot.storedChecksum !== undefined)
        operations.push(putNote(sweepKey(scopePart, agentId, before.place)));
      if (stage === undefined) {
        const place = freePlace(database, scopePart, agentId, before.place);
        namespaces.set(agentId, headlessNamespaceState(before, scopePart, place));
        continue;
      }
      const head = { ...stage, removalSeq: seq };
      namespaces.set(agentId, replaceNamespaceState(before, scopePart, head));
      memories += head.tables.get("memories")?.count ?? 0;
      bytes += head.bytes;
    }
    if (state.slot.storedChecksum !== undefined)
      operations.push(putNote(sweepKey(scopePart, undefined, state.place)));
    const own = this.#stages.get(undefined);
    const scopeState = replaceScopeState(state, scopePart, {
      seq,
      lastTimeMs: Math.max(lastTimeMs, state.lastTimeMs),
      tables: own?.tables ?? noTables,
      usage: { memories, bytes },
      stored: new Map([["", this.#storedBytes]]),
      broughtEpoch:
        epoch === undefined || epoch === storeEpoch ? undefined : { epoch, within: storeEpoch },
      place: own?.place ?? freePlace(database, scopePart, undefined, state.place),
      // Pruning looks at the restored records once, and then knows.
      dueMs: 0,
    });
    // Deletes the change log, because its entries do not describe what the restore changes.
    for await (const entries of scanChunks(database, this.current.changeLog))
      for (const [key] of entries) operations.push({ type: "del", key });
    const states = [scopeState, ...namespaces.values()];
    return {
      request: {
        operations,
        bytes: bytesOf(operations),
        states,
        removals: removalsOf(this.current.scope, new Set(namespaces.keys()), seq),
      },
      grows: false,
      clears: true,
      scopeState,
      totals: growthOfTotals(
        this.current.scope,
        state,
        scopeState,
        moreNamespaces(this.current, namespaces),
      ),
      namespaces,
      records: [],
      commit: undefined,
    };
  }

  /** Lets the sweeper remove the staged records, if their notes still exist. */
  release(): void {
    for (const { note } of this.#stages.values()) this.path.staged.delete(stagedKey(note));
  }

  *#agents(): Generator<string> {
    for (const agentId of this.#stages.keys()) if (agentId !== undefined) yield agentId;
  }

  /**
   * Writes the operations that are not written yet. The last operations of a restore are not
   * written here: they become part of the outcome.
   */
  async #flush(): Promise<void> {
    const operations = this.#operations;
    this.#operations = [];
    this.#bytes = 0;
    await this.path.groups.commit({ operations, bytes: bytesOf(operations), states: [] });
  }

  #put(operation: Operation & { readonly type: "put" }): void {
    this.#operations.push(operation);
    this.#bytes += operation.key.length + operation.value.length;
  }

  #begin(agentId: string | undefined): Stage {
    const { database, scopePart, state } = this.current;
    const before = agentId === undefined ? state : this.current.namespace(agentId);
    const place = freePlace(database, scopePart, agentId, before.place);
    const note = sweepKey(scopePart, agentId, place);
    const range =
      agentId === undefined
        ? scopeRanges(scopePart, place)
        : namespaceRanges(scopePart, agentId, place);
    const stage = { place, range, note, tables: new Map<Table, Totals>(), bytes: 0 };
    this.#stages.set(agentId, stage);
    this.path.staged.add(stagedKey(note));
    this.#put(putNote(note));
    return stage;
  }
}

const noTables: TableTotals = new Map();

const noPayload = new Uint8Array(0);

function putNote(key: Buffer): Operation & { readonly type: "put" } {
  return { type: "put", key, value: seal(key, noPayload) };
}
