import type { Namespace, Scope } from "../../../core/model/namespace.js";
import type {
  Change,
  Head,
  PlaceOf,
  ScanRange,
  Snapshot,
  Table,
  ValueOf,
} from "../../../core/ports/store.js";
import { agentOfPlace } from "../../place.js";
import {
  type Database,
  type DatabaseSnapshot,
  readPayload,
  scanChunks,
} from "../folder/database.js";
import { changeLogEntry, readChanges } from "../format/change-records.js";
import { checksumOf } from "../format/envelope.js";
import { noTotals, replaceInTotals } from "../format/heads.js";
import { changeKey, scopePart } from "../format/keys.js";
import {
  loadNamespacePlace,
  loadScopePlace,
  type NamespacePlace,
  type Place,
  type ScopePlace,
  totalsOf,
} from "./places.js";
import { decodeEntry, entryRange, readRecord, type TableRecord } from "./record-reader.js";
import type { TableVerification } from "./table-verification.js";

/** What a snapshot reads with. */
export interface SnapshotParts {
  readonly epoch: string;
  readonly database: Database;
  readonly verification: TableVerification;
}

/** Takes a snapshot. Throws DATA_LOSS if the scope's head is damaged. */
export async function openLevelSnapshot(
  scope: Scope,
  parts: SnapshotParts,
): Promise<LevelSnapshot> {
  const snapshot = parts.database.snapshot();
  try {
    return new LevelSnapshot(scope, parts, snapshot);
  } catch (error) {
    await snapshot.close();
    throw error;
  }
}

/** Reads of a scope as LevelDB keeps it for a snapshot. */
export class LevelSnapshot implements Snapshot {
  readonly head: Head;
  readonly #database: Database;
  readonly #verification: TableVerification;
  readonly #scopePart: Buffer;
  readonly #scopePlace: ScopePlace;
  readonly #namespaces = new Map<string, NamespacePlace>();

  constructor(
    private readonly scope: Scope,
    { epoch, database, verification }: SnapshotParts,
    private readonly snapshot: DatabaseSnapshot,
  ) {
    this.#database = database;
    this.#verification = verification;
    this.#scopePart = scopePart(scope);
    this.#scopePlace = loadScopePlace(database, this.#scopePart, snapshot);
    this.head = { epoch, seq: this.#scopePlace.seq };
  }

  async get<T extends Table>(
    table: T,
    place: PlaceOf<T>,
    key: string,
  ): Promise<ValueOf<T> | undefined> {
    const from = this.#place(place);
    if (!this.#verification.isKnown(from, table))
      await this.#verification.verify(from, table, this.snapshot);
    return readRecord(this.#database, table, from.range(table), key, this.snapshot);
  }

  async *scan<T extends Table>(
    table: T,
    place: PlaceOf<T>,
    scanRange: ScanRange = {},
  ): AsyncIterable<TableRecord<T>> {
    const from = this.#place(place);
    const range = entryRange(from.range(table), scanRange, this.snapshot);
    const known = this.#verification.isKnown(from, table);
    // Whoever loads a whole table reads it once, not twice: it is verified on the way.
    const onTheWay = !known && scanRange.after === undefined && scanRange.reverse !== true;
    if (!known && !onTheWay) await this.#verification.verify(from, table, this.snapshot);
    let found = noTotals;
    for await (const entries of scanChunks(this.#database, range)) {
      for (const entry of entries) {
        yield decodeEntry(table, range, entry);
        if (onTheWay) found = replaceInTotals(found, undefined, checksumOf(entry[1]));
      }
    }
    if (onTheWay) this.#verification.conclude(from, table, found);
  }

  async count<T extends Table>(table: T, place: PlaceOf<T>): Promise<number> {
    return totalsOf(this.#place(place), table).count;
  }

  /** Commits after `afterSeq`, oldest first; `undefined` if the log does not reach back that far. */
  changes(afterSeq: number): readonly Change[] | undefined {
    return readChanges(afterSeq, this.head.seq, (seq) =>
      readPayload(this.#database, changeKey(this.#scopePart, seq), changeLogEntry, this.snapshot),
    );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.snapshot.close();
  }

  #place(place: Namespace | Scope): Place {
    const agentId = agentOfPlace(this.scope, place);
    if (agentId === undefined) return this.#scopePlace;
    const known = this.#namespaces.get(agentId);
    if (known !== undefined) return known;
    const loaded = loadNamespacePlace(this.#database, this.#scopePart, agentId, this.snapshot);
    this.#namespaces.set(agentId, loaded);
    return loaded;
  }
}
