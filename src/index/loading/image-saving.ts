import type { ReadSignal } from "../../core/ports/search-index.js";
import type { Timer } from "../../core/ports/timer.js";
import type { HotNamespace } from "./hot-namespace.js";
import type { HotNamespaces } from "./hot-namespaces.js";
import type { NamespaceCache } from "./namespace-cache.js";
import type { NamespaceImages } from "./namespace-images.js";

/** The time between two looks for indexes to save, in milliseconds. */
const intervalMs = 5_000;

/** The signal of a read that nobody gives up. */
const neverEnds: ReadSignal = { aborted: false, throwIfAborted: () => undefined };

/** What the saving of images needs. */
export interface ImageSavingParts {
  readonly images: NamespaceImages;
  readonly hot: NamespaceCache<HotNamespace>;
  /** The indexes of each table. */
  readonly readers: Readonly<Record<string, HotNamespaces>>;
  readonly timer: Timer;
  /** After this time, `close` begins no further save, in milliseconds. */
  readonly closingMs: number;
}

/** Saves images of the indexes in RAM: regularly when they are due, and all at the end. */
export class ImageSaving {
  readonly #parts: ImageSavingParts;
  #isEnded = false;
  #running: Promise<void> = Promise.resolve();
  #cancel: () => void;

  constructor(parts: ImageSavingParts) {
    this.#parts = parts;
    this.#cancel = this.#wait();
  }

  /** Saves the images that are due. */
  async saveDue(): Promise<void> {
    const { images, hot, readers } = this.#parts;
    for (const due of hot.values().filter((one) => images.isDue(one))) {
      await this.#bringUp(due);
      if (images.isDue(due)) await images.save(due);
    }
    images.forgetRemovals((key) => Object.values(readers).some((all) => all.isInUse(key)));
  }

  /** Saves all images that have changed, and ends. */
  async close(): Promise<void> {
    const { images, hot, closingMs } = this.#parts;
    this.#isEnded = true;
    this.#cancel();
    await this.#running;
    await images.saveAll(hot.values(), closingMs, (one) => this.#bringUp(one));
    await images.close();
  }

  /**
   * Lets an index follow its store. An index that lags behind a deletion cannot be saved. A failed
   * read is not reported: the next read of a caller fails too.
   */
  async #bringUp({ owner, namespace }: HotNamespace): Promise<void> {
    const reader = this.#parts.readers[owner.table];
    await reader?.read(namespace, neverEnds, () => undefined).catch(() => undefined);
  }

  #wait(): () => void {
    return this.#parts.timer.after(intervalMs, () => {
      this.#running = this.saveDue().finally(() => {
        if (!this.#isEnded) this.#cancel = this.#wait();
      });
    });
  }
}
