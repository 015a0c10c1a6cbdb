import { type Database, type Operation, scanChunks } from "../folder/database.js";
import { generationRange, parseKey, scopePart, sweepRange } from "../format/keys.js";
import type { GroupCommit } from "./group-commit.js";

/** Removes the records of namespaces that were cleared, in the background. */
export interface Sweeper {
  /** Looks for records to remove; does nothing if it is at work already, as it looks again before it ends. */
  wake(): void;
  /** Ends at the next chunk; the rest is removed after the next opening. */
  stop(): Promise<void>;
}

/** Every chunk is a group of its own kind: after a crash the sweep goes on where it was. Records in it are counted by no head any more. */
export function createSweeper(
  database: Database,
  groups: GroupCommit,
  onError: (error: unknown) => void,
): Sweeper {
  let stopped = false;
  let working: Promise<void> | undefined;
  let woken = false;

  async function sweepAll(): Promise<void> {
    while (woken && !stopped) {
      woken = false;
      for await (const notes of scanChunks(database, sweepRange)) {
        for (const [note] of notes) await sweep(note);
      }
    }
  }

  async function sweep(note: Buffer): Promise<void> {
    const parsed = parseKey(note);
    if (parsed?.kind !== "sweep") return;
    const { namespace, generation } = parsed;
    const range = generationRange(
      scopePart({ kind: "user", userId: namespace.userId }),
      namespace.agentId,
      generation,
    );
    for await (const entries of scanChunks(database, range)) {
      if (stopped) return;
      await remove(entries.map(([key]) => key));
    }
    await remove([note]);
  }

  async function remove(keys: readonly Buffer[]): Promise<void> {
    const operations = keys.map((key): Operation => ({ type: "del", key }));
    await groups.commit({
      operations,
      bytes: keys.reduce((sum, key) => sum + key.length, 0),
      states: [],
    });
  }

  function wake(): void {
    woken = true;
    if (stopped || working !== undefined) return;
    working = sweepAll().then(
      () => {
        working = undefined;
        // Somebody may have come between the last look and the end.
        if (woken) wake();
      },
      (error: unknown) => {
        working = undefined;
        onError(error);
      },
    );
  }

  return {
    wake,
    async stop() {
      stopped = true;
      await working;
    },
  };
}
