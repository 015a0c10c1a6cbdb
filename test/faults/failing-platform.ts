import type { Database } from "../../src/store/level/folder/database.js";
import type { StorePlatform } from "../../src/store/level/folder/platform.js";
import { testPlatform } from "../store/level/level-folder.js";

type WriteOptions = Parameters<ReturnType<Database["batch"]>["write"]>[0];

/** Faults to inject. They take effect at the next call; the test removes them. */
export interface Failures {
  /** Called instead of writing a batch to LevelDB. It may call `write` to write the batch. */
  write?: (write: () => Promise<void>) => Promise<void>;
  /** Called before the mark file is written. */
  markWrite?: () => void;
  /** Called before the mark file is synced. */
  markSync?: () => void;
  /** Called before LevelDB is opened. */
  open?: () => void;
}

/** The real machine with the faults of `failures`. Adds every opened LevelDB to `opened`. */
export function createFailingPlatform(failures: Failures, opened: Database[] = []): StorePlatform {
  return {
    ...testPlatform,
    async openDatabase(folder, options) {
      failures.open?.();
      const database = await testPlatform.openDatabase(folder, options);
      const createBatch = database.batch.bind(database) as () => ReturnType<typeof database.batch>;
      const failingBatch = (): ReturnType<typeof database.batch> => {
        const batch = createBatch();
        const write = batch.write.bind(batch);
        batch.write = (writeOptions: WriteOptions = {}) =>
          (failures.write ?? ((writeBatch) => writeBatch()))(() => write(writeOptions));
        return batch;
      };
      opened.push(database);
      return Object.assign(database, { batch: failingBatch });
    },
    async openMarkFile(path) {
      const file = await testPlatform.openMarkFile(path);
      return {
        ...file,
        async write(mark) {
          failures.markWrite?.();
          await file.write(mark);
        },
        async sync() {
          failures.markSync?.();
          await file.sync();
        },
      };
    },
  };
}
