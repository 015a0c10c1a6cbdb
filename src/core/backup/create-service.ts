import { createHash, randomUUID } from "node:crypto";
import { holdsScope, type SlotRange } from "../model/slot-range.js";
import type { RawRecords, ScopeCheck } from "../ports/backup.js";
import type { Clock } from "../ports/clock.js";
import type { Hold, WriteHolds } from "../ports/holds.js";
import { latestTimeAt, restoreBackup } from "./restore-backup.js";
import type { BackupService, HoldAction, MovedUsers } from "./service.js";
import { writeBackup } from "./write-backup.js";

/** The dependencies of the service. */
export interface BackupServiceParts {
  /** The records of one tenant. */
  readonly records: RawRecords;
  /** The name of the tenant. `undefined`: the records are those without a tenant. */
  readonly tenant: string | undefined;
  readonly holds: WriteHolds;
  readonly clock: Clock;
  readonly productVersion: string;
  /** Begins the check of the records of a restored scope. */
  readonly check: () => ScopeCheck;
  /** Called after a restore or a move of scopes, so that watchers of these scopes read again. */
  readonly onReplaced: () => void;
}

export function createBackupService(parts: BackupServiceParts): BackupService {
  const { records, tenant, holds, clock, productVersion, check, onReplaced } = parts;
  return {
    async *backup(query, call) {
      const names = {
        productVersion,
        backupId: randomUUID(),
        createTimeMs: clock.nowMs(),
        sourceId: await sourceIdOf(records, tenant),
      };
      yield* writeBackup(records, query, names, call);
    },
    async *restore(chunks, call) {
      try {
        const latestMs = latestTimeAt(clock.nowMs());
        yield* restoreBackup(records, chunks, { epoch: "kept", latestMs, check }, call);
      } finally {
        onReplaced();
      }
    },
    async hold(range, action) {
      const hold = await applyHold(holds, range, action);
      if (action.kind === "move" || action.kind === "handOver") onReplaced();
      return { hold, moves: await holds.moves(), storeId: await storeIdOf(records) };
    },
    storeId: () => storeIdOf(records),
    movedUsers: () => movedUsers(records, holds),
  };
}

/** Returns an id of the store that the records are in. It changes with the epoch of the store. */
async function storeIdOf(records: RawRecords): Promise<string> {
  return idFrom(`store ${await epochOf(records)}`);
}

/** Returns an id of the store and the tenant of the records. It changes with the epoch. */
async function sourceIdOf(records: RawRecords, tenant: string | undefined): Promise<string> {
  return idFrom(`source ${await epochOf(records)} ${tenant ?? ""}`);
}

/** Returns the epoch of the store that the records are in. */
async function epochOf(records: RawRecords): Promise<string> {
  // No run has an empty id, so this scope has no commit. Its head then has the store's epoch.
  return (await records.head({ kind: "run", runId: "" })).epoch;
}

/** Returns a digest of the text, because the text contains the epoch, which is secret. */
function idFrom(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

async function movedUsers(records: RawRecords, holds: WriteHolds): Promise<MovedUsers> {
  const moves = await holds.moves();
  const addresses = new Set<string>();
  let count = 0;
  if (moves.length === 0) return { count, addresses: [] };
  for await (const { scope } of records.scopeStates()) {
    const move = scope.kind === "user" ? moves.find((it) => holdsScope(it, scope)) : undefined;
    if (move === undefined) continue;
    count++;
    addresses.add(move.address);
  }
  return { count, addresses: [...addresses] };
}

async function applyHold(
  holds: WriteHolds,
  range: SlotRange,
  action: HoldAction,
): Promise<Hold | undefined> {
  switch (action.kind) {
    case "hold":
      return holds.hold(range);
    case "renew":
      return holds.renew(range, action.holdId);
    case "move":
      return holds.move(range, action.holdId, action.target);
    case "handOver":
      return holds.handOver(range, action.holdId, action.target);
    case "changeAddress":
      await holds.changeAddress(range, action.storeId, action.address);
      return undefined;
    case "release":
      await holds.release(range);
      return undefined;
    case "list":
      return undefined;
  }
}
