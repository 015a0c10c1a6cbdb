import type { Scope } from "../model/namespace.js";
import { allSlots, holdsScope, type SlotRange } from "../model/slot-range.js";
import type { BackupSource, RawRecord, RecordPage, ScopeState } from "../ports/backup.js";
import type { Call } from "../ports/call.js";
import { createPause } from "../requests/pause.js";
import {
  type BackupChunk,
  type BackupContent,
  type BackupHeader,
  backupFormat,
  type ChunkRecord,
} from "./backup-chunk.js";
import { RecordDigest, ScopesDigest } from "./record-digest.js";

/** Maximum number of payload bytes in one chunk. A longer payload continues in the next chunks. */
export const chunkMaxBytes = 512 * 1024;

/** Maximum number of records in one chunk. A restore never divides a chunk between two batches. */
const chunkMaxRecords = 1000;

/** What to back up. */
export interface BackupQuery {
  readonly content: BackupContent;
  /** Backs up the scopes whose slots lie in this range. Absent: all scopes. */
  readonly range?: SlotRange;
  /** Backs up only these scopes and ignores the range. Absent: all scopes of the range. */
  readonly scopes?: readonly Scope[];
}

/** The parts of a header that the caller decides. */
export type BackupNames = Omit<BackupHeader, "format" | "content" | "scopes">;

/**
 * Yields a backup. Each scope is in one consistent state, but the states of two scopes may be from
 * different times. Only a backup of content `records` has chunks of records. With content `heads`,
 * the digest of every scope is empty.
 *
 * @throws DATA_LOSS (DAMAGED_RECORD) when records are damaged
 */
export async function* writeBackup(
  source: BackupSource,
  { content, range = allSlots, scopes: wanted }: BackupQuery,
  names: BackupNames,
  call: Call,
): AsyncGenerator<BackupChunk> {
  const states =
    wanted === undefined ? await statesIn(source, range, call) : wanted.map((scope) => ({ scope }));
  const header = { ...names, format: backupFormat, content, scopes: states.length };
  yield { kind: "header", header };
  const total = new ScopesDigest();
  const pause = createPause();
  for (const known of states) {
    call.throwIfEnded();
    if (content === "heads" && "head" in known) {
      yield { kind: "scope", state: known };
      const empty = new RecordDigest().end();
      total.add(empty);
      yield { kind: "scopeEnd", ...empty };
      continue;
    }
    await using reader = await source.openScope(known.scope);
    yield { kind: "scope", state: reader.state };
    const digest = new RecordDigest();
    if (content !== "heads") {
      for await (const page of reader.pages()) {
        call.throwIfEnded();
        await pause();
        digest.add(page);
        if (content === "records") yield* chunksOf(page);
      }
    }
    const end = digest.end();
    total.add(end);
    yield { kind: "scopeEnd", ...end };
  }
  yield { kind: "trailer", ...total.end() };
}

/**
 * Lists the scopes of a range, so that the header can state their number. The list fits in RAM,
 * because heads are small.
 */
async function statesIn(
  source: BackupSource,
  range: SlotRange,
  call: Call,
): Promise<readonly ScopeState[]> {
  const states: ScopeState[] = [];
  const pause = createPause();
  for await (const state of source.scopeStates()) {
    call.throwIfEnded();
    await pause();
    if (holdsScope(range, state.scope)) states.push(state);
  }
  return states;
}

/** Cuts a page into chunks. */
function* chunksOf({ agentId, table, records }: RecordPage): Generator<BackupChunk> {
  let chunk: ChunkRecord[] = [];
  let bytes = 0;
  for (const record of records.flatMap(partsOf)) {
    const size = record.payload.length + record.key.length;
    if (chunk.length > 0 && (bytes + size > chunkMaxBytes || chunk.length === chunkMaxRecords)) {
      yield { kind: "records", agentId, table, records: chunk };
      chunk = [];
      bytes = 0;
    }
    chunk.push(record);
    bytes += size;
  }
  if (chunk.length > 0) yield { kind: "records", agentId, table, records: chunk };
}

function partsOf([key, payload]: RawRecord): readonly ChunkRecord[] {
  if (payload.length <= chunkMaxBytes) return [{ key, payload, continues: false }];
  const parts: ChunkRecord[] = [];
  for (let start = 0; start < payload.length; start += chunkMaxBytes) {
    const end = start + chunkMaxBytes;
    parts.push({ key, payload: payload.subarray(start, end), continues: end < payload.length });
  }
  return parts;
}
