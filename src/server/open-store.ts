import type { Config } from "../config/server-settings.js";
import type { RawRecords } from "../core/ports/backup.js";
import type { Clock } from "../core/ports/clock.js";
import type { Log } from "../core/ports/log.js";
import type { Meter } from "../core/ports/meter.js";
import type { Store } from "../core/ports/store.js";
import type { WritesState } from "../core/ports/writes-state.js";
import { modeForOthers } from "../credentials/mode-for-others.js";
import { createHeldStore, type HeldStore, type MoveKeeper } from "../store/holds/held-store.js";
import { keepMovesInFile, keepMovesInMemory } from "../store/holds/keep-moves.js";
import type { LevelStoreOptions } from "../store/level/level-store.js";
import type { PostgresStoreOptions } from "../store/postgres/open-postgres-store.js";
import type { PostgresStore } from "../store/postgres/postgres-store.js";

/** Learns when the store stops working, and when it works again. */
export interface Availability {
  set(available: boolean): void;
  /** Notes whether writes that add data work. */
  setWrites(state: WritesState): void;
}

/** Dependencies of a store. */
export interface StoreDependencies {
  readonly clock: Clock;
  /** Whether `clock` is the machine's, so that a shared store compares it with its own clock. */
  readonly isMachineClock: boolean;
  readonly log: Log;
  readonly availability: Availability;
  readonly meter: Meter;
  /** See `LevelStoreOptions.beforeRemovals`. */
  readonly beforeRemovals?: LevelStoreOptions["beforeRemovals"];
}

/** A store, its records for backups, and the holds of its tenants. */
export interface OpenStore extends HeldStore {
  readonly records: RawRecords;
  /** Number of the format of the stored data; 0: nothing is stored. */
  readonly format: number;
}

/**
 * Opens the store that the configuration names. Loads the modules of this store only.
 *
 * @throws ConfigError when a file of the settings cannot be used
 * @throws VademecumError when the data folder or PostgreSQL cannot be used
 */
export async function openStore(
  config: Config,
  { clock, isMachineClock, log, availability, meter, beforeRemovals }: StoreDependencies,
): Promise<OpenStore> {
  const onFailure = (): void => availability.set(false);
  const onRecovered = (): void => availability.set(true);
  switch (config.provider) {
    case "memory": {
      const { createInMemoryStore } = await import("../store/in-memory/in-memory-store.js");
      return { ...(await withHolds(createInMemoryStore(), keepMovesInMemory(), clock)), format: 0 };
    }
    case "level": {
      const { openLevelStore } = await import("../store/level/level-store.js");
      const { folderFormat } = await import("../store/level/folder/mark-file.js");
      const { openMovesFile } = await import("../store/level/folder/moves-file.js");
      const store = await openLevelStore({
        folder: config.dataFolder,
        clock,
        syncMarks: config.syncMarks,
        onFailure,
        onRecovered,
        onFull: (isFull) => availability.setWrites(isFull ? "disk_full" : "ok"),
        beforeRemovals,
        log,
        meter,
      });
      await warnOfReaders(config.dataFolder, log);
      const held = await withHolds(store, keepMovesInFile(openMovesFile(config.dataFolder)), clock);
      return { ...held, format: folderFormat };
    }
    case "postgres": {
      const machineClock = isMachineClock ? clock : undefined;
      const onWrites = (state: WritesState): void => availability.setWrites(state);
      const events = { onFailure, onRecovered, onWrites };
      const store = await openPostgres(config, { machineClock, ...events, log, meter });
      const { tableFormat: format } = await import("../store/postgres/tables/create-tables.js");
      return { records: store.records, store, holdsOf: (tenant) => store.holdsOf(tenant), format };
    }
  }
}

/**
 * Logs a warning if other users of the machine can open the data folder. Volumes of containers may
 * need such a mode, so the server starts all the same.
 */
async function warnOfReaders(folder: string, log: Log): Promise<void> {
  const mode = await modeForOthers(folder);
  if (mode === undefined) return;
  const message = "other users of this machine may read or change the data folder; run chmod 700";
  log("warn", message, { folder, mode });
}

/**
 * Wraps a store, so that it refuses the writes of scopes that are held, and every use of scopes
 * that have moved to another server. Closes the store when the stored moves cannot be read.
 */
async function withHolds(
  records: Store & RawRecords,
  keeper: MoveKeeper,
  clock: Clock,
): Promise<Omit<OpenStore, "format">> {
  try {
    return { records, ...(await createHeldStore(records, keeper, clock)) };
  } catch (error) {
    await records.close();
    throw error;
  }
}

async function openPostgres(
  config: Config,
  parts: Pick<
    PostgresStoreOptions,
    "machineClock" | "onFailure" | "onRecovered" | "onWrites" | "log" | "meter"
  >,
): Promise<PostgresStore> {
  const { openPostgresStore } = await import("../store/postgres/open-postgres-store.js");
  const { readPostgresTargets } = await import("./postgres-targets.js");
  return openPostgresStore({ ...(await readPostgresTargets(config)), ...parts });
}
