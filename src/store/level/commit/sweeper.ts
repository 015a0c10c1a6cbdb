import { unseal } from "../../codec/envelope.js";
import { SweepLoop } from "../../engine/sweep-loop.js";
import { type Database, type Operation, readSealed, scanChunks } from "../folder/database.js";
import { placeRange, scopePart, sweepRange } from "../format/keys.js";
import { parseKey } from "../format/parse-key.js";
import type { GroupCommit } from "./group-commit.js";
import { bytesOf } from "./staged-outcome.js";

/** Returns the key of a note as text. A note names a place whose records are to be removed. */
export function stagedKey(note: Buffer): string {
  return note.toString("latin1");
}

/**
 * Creates a loop that removes the records of cleared namespaces, of replaced scopes and of failed
 * restores. A note in the store names each place with such records, see `sweepKey`. A sweep
 * works through all notes.
 *
 * It commits chunk by chunk, so after a crash the next sweep continues where the last one stopped.
 * It changes no head, because the counts in the heads already leave out these records.
 *
 * @param staged the notes, as `stagedKey` returns them, about places that a restore is still
 *   filling. The sweeper leaves these places alone
 */
export function createSweeper(
  database: Database,
  groups: GroupCommit,
  staged: ReadonlySet<string>,
  onError: (error: unknown) => void,
): SweepLoop {
  const loop = new SweepLoop(sweepAll, onError);
  return loop;

  async function sweepAll(): Promise<void> {
    for await (const notes of scanChunks(database, sweepRange)) {
      for (const [note] of notes) {
        if (loop.isStopped) return;
        await sweep(note);
      }
    }
  }

  async function sweep(note: Buffer): Promise<void> {
    const parsed = parseKey(note);
    if (parsed?.kind !== "sweep") return;
    // A staged place is being filled by a restore. A missing note means that the restore has
    // ended since the scan. In both cases the place is in use. A damaged note may name any place.
    const value = readSealed(database, note);
    if (staged.has(stagedKey(note)) || value === undefined || unseal(note, value) === undefined)
      return;
    const range = placeRange(scopePart(parsed.scope), parsed.agentId, parsed.place);
    for await (const entries of scanChunks(database, range)) {
      if (loop.isStopped) return;
      await remove(entries.map(([key]) => key));
    }
    await remove([note]);
  }

  async function remove(keys: readonly Buffer[]): Promise<void> {
    const operations = keys.map((key): Operation => ({ type: "del", key }));
    await groups.commit({ operations, bytes: bytesOf(operations), states: [] });
  }
}
