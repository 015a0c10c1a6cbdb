import { crc32 } from "node:zlib";
import type { Meter } from "../../../core/ports/meter.js";
import type { Removal } from "../../../core/ports/removal.js";
import { type GatherLimits, gatherCalls } from "../../../core/requests/gather.js";
import { createPause } from "../../../core/requests/pause.js";
import { checksumOf, seal } from "../../codec/envelope.js";
import { outcomeUnknown, storeUnavailable } from "../../errors.js";
import {
  type Database,
  type Operation,
  operationsBetweenPauses,
  writeSynced,
} from "../folder/database.js";
import { replaceInTotals } from "../format/heads.js";
import { crossUserKey, markKey } from "../format/keys.js";
import { encodeMark, type HeadTotals, type MarkWindow } from "../format/marks.js";
import type { HighWaterMarker } from "./high-water-marker.js";
import type { OwnerState } from "./owner-state.js";

/** Maximum number of requests in a group, which is written as one batch. */
const maxGroupRequests = 512;
/** How long a group waits for further requests. */
const gathering: GatherLimits = { turnsMax: 32, callsEnough: 32, timeMs: 10 };
/** Maximum bytes of keys and values in a group. A larger request is a group of its own. */
const maxGroupBytes = 4 * 1024 * 1024;

/** The writes of one transaction. */
export interface CommitRequest {
  readonly operations: readonly Operation[];
  /** Bytes of all keys and values. */
  readonly bytes: number;
  /** The new states of the owners that the transaction changed. */
  readonly states: readonly OwnerState[];
  /** Absent: the request removes nothing from which an index is made. */
  readonly removals?: readonly Removal[];
}

interface WaitingRequest {
  readonly request: CommitRequest;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface Group {
  readonly number: number;
  readonly checksum: number;
  readonly operations: Operation[];
}

/** The state after the last group of the opened store. */
export interface GroupCommitState {
  /** Number of the last group. */
  readonly newest: number;
  readonly heads: HeadTotals;
  readonly window: MarkWindow;
}

/**
 * Writes requests in groups: while one synced batch is being written, the next group fills. LevelDB
 * does not keep the order of concurrent batches, so only one batch is written at a time.
 *
 *   request ---+
 *   request ---+--> group n: one synced batch --> high-water mark n --> all acknowledged
 *   request ------> group n + 1 fills meanwhile
 *
 * After the first failure nothing more is written: LevelDB may lose writes that follow a torn end
 * of its log.
 */
export class GroupCommit {
  readonly #waiting: WaitingRequest[] = [];
  #newest: number;
  #heads: HeadTotals;
  readonly #window: MarkWindow;
  #failure: { readonly error: unknown } | undefined;
  #writing: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly marker: HighWaterMarker,
    state: GroupCommitState,
    private readonly onFailure: (error: unknown) => void,
    private readonly meter: Meter,
    /** See `LevelStoreOptions.beforeRemovals`. */
    private readonly beforeRemovals?: (removals: readonly Removal[]) => Promise<void>,
  ) {
    this.#newest = state.newest;
    this.#heads = state.heads;
    this.#window = state.window;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * Checks that writes are possible.
   *
   * @throws UNAVAILABLE (STORE_UNAVAILABLE) after a failure
   */
  requireWriting(): void {
    if (this.#failure !== undefined)
      throw storeUnavailable("has failed and is being reopened", this.#failure.error);
  }

  /**
   * Resolves when the request is durable. Requests become durable in the order of the calls.
   *
   * @throws UNAVAILABLE (STORE_UNAVAILABLE) after a failure
   * @throws UNAVAILABLE (OUTCOME_UNKNOWN) when writing fails
   */
  commit(request: CommitRequest): Promise<void> {
    this.requireWriting();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when nothing is left to write. */
  async drain(): Promise<void> {
    await this.#writing;
  }

  /** Stops all writes because of an error elsewhere. Waiting requests reject. */
  fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    for (const { reject } of this.#waiting.splice(0)) reject(outcomeUnknown(error));
    this.onFailure(error);
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await gatherCalls(() => this.#waiting.length, gathering);
      await this.#writeGroup(this.#takeWaiting());
    }
    this.#writing = undefined;
  }

  async #writeGroup(requests: readonly WaitingRequest[]): Promise<void> {
    if (requests.length === 0) return;
    const startMs = performance.now();
    try {
      const group = await this.#makeGroup(requests.map(({ request }) => request));
      const removals = requests.flatMap(({ request }) => request.removals ?? []);
      if (removals.length > 0) await this.beforeRemovals?.(removals);
      // `fail` may have been called meanwhile.
      this.requireWriting();
      await writeSynced(this.database, group.operations);
      await this.marker.note(group.number, group.checksum);
      this.meter("groupTransactions", requests.length);
      this.meter("groupSeconds", (performance.now() - startMs) / 1000);
    } catch (error) {
      this.fail(error);
    }
    // If `fail` was called during the write, nothing is acknowledged.
    for (const { resolve, reject } of requests) {
      if (this.#failure === undefined) resolve();
      else reject(outcomeUnknown(this.#failure.error));
    }
  }

  #takeWaiting(): readonly WaitingRequest[] {
    let bytes = 0;
    let count = 0;
    for (const { request } of this.#waiting) {
      bytes += request.bytes;
      if (count > 0 && (bytes > maxGroupBytes || count === maxGroupRequests)) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  async #makeGroup(requests: readonly CommitRequest[]): Promise<Group> {
    const operations: Operation[] = [];
    /** The last state of each changed owner. */
    const states = new Map<string, OwnerState>();
    let bytes = 0;
    for (const request of requests) {
      for (const operation of request.operations) {
        operations.push(operation);
        const note = noteOf(operation);
        if (note !== undefined) operations.push(note);
      }
      for (const state of request.states) states.set(state.slot.id, state);
      bytes += request.bytes;
    }
    for (const state of states.values()) operations.push(...this.#writeHead(state));
    const checksum = await checksumOfOperations(operations);
    const number = ++this.#newest;
    for (const removed of this.#window.add(bytes))
      operations.push({ type: "del", key: markKey(removed) });
    const key = markKey(number);
    const mark = { floor: this.#window.floor, bytes, groupChecksum: checksum, heads: this.#heads };
    operations.push({ type: "put", key, value: seal(key, encodeMark(mark)) });
    return { number, checksum, operations };
  }

  #writeHead(state: OwnerState): readonly Operation[] {
    const { slot } = state;
    const payload = state.encode();
    const value = payload && seal(slot.key, payload);
    const before = slot.storedChecksum;
    const after = value && checksumOf(value);
    this.#heads = replaceInTotals(this.#heads, before, after);
    slot.storedChecksum = after;
    if (value !== undefined) return [{ type: "put", key: slot.key, value }];
    return before === undefined ? [] : [{ type: "del", key: slot.key }];
  }
}

/** Returns the operation on the note of a record that is listed over all users. */
function noteOf({ type, key }: Operation): Operation | undefined {
  const note = crossUserKey(key);
  if (note === undefined) return undefined;
  return type === "del" ? { type, key: note } : { type, key: note, value: seal(note, key) };
}

/**
 * CRC-32 over one number for each operation: the checksum of a put value, or the CRC-32 of a
 * deleted key.
 */
async function checksumOfOperations(operations: readonly Operation[]): Promise<number> {
  const checksums = Buffer.allocUnsafe(operations.length * 4);
  const pause = createPause();
  for (const [index, operation] of operations.entries()) {
    checksums.writeUInt32LE(
      operation.type === "put" ? checksumOf(operation.value) : crc32(operation.key),
      index * 4,
    );
    if (index % operationsBetweenPauses === operationsBetweenPauses - 1) await pause();
  }
  return crc32(checksums);
}
