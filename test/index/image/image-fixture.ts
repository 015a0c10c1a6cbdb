import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Memory } from "../../../src/core/model/memory.js";
import { type Namespace, scopeOf } from "../../../src/core/model/namespace.js";
import type { Log } from "../../../src/core/ports/log.js";
import type { NamespaceIndex } from "../../../src/core/ports/search-index.js";
import type { Store } from "../../../src/core/ports/store.js";
import { ImageFiles } from "../../../src/index/image/image-files.js";
import type { IndexParts } from "../../../src/index/rows/index-rows.js";
import { createSearchIndex, type HotSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { putMemory } from "../../contract/search-index/context.js";
import { createManualTimer } from "../../server/manual-timer.js";
import { createTestFolder, openTestStore } from "../../store/level/level-folder.js";

const signal = new AbortController().signal;

export const notes: Namespace = { userId: "kim", agentId: "notes" };
export const others: Namespace = { userId: "lee", agentId: "notes" };

/** A store in a folder, with images of its indexes. */
export class ImageFixture {
  readonly #folder: string;
  readonly #onEnd: (end: () => Promise<void>) => void;
  /** The time that the images know, in milliseconds. */
  nowMs = 0;
  /** The lines of the log. */
  readonly logged: string[] = [];
  /** See `IndexParts.wordPieces`. */
  wordPieces: IndexParts["wordPieces"] = () => undefined;
  readonly log: Log = (level, message) => void this.logged.push(`${level}: ${message}`);
  /** The number of scans of whole tables: a load from the records makes two. */
  scans = 0;
  store!: Store;
  files!: ImageFiles;
  index!: HotSearchIndex;

  private constructor(folder: string, onEnd: (end: () => Promise<void>) => void) {
    this.#folder = folder;
    this.#onEnd = onEnd;
  }

  /** Creates an empty store. */
  static async create(onEnd: (end: () => Promise<void>) => void): Promise<ImageFixture> {
    const fixture = new ImageFixture(await createTestFolder(onEnd), onEnd);
    await fixture.open();
    onEnd(() => fixture.close());
    return fixture;
  }

  get imageFolder(): string {
    return join(this.#folder, "images");
  }

  /** Opens the store, sweeps the images, and opens an index. */
  async open(maxBytes = 2 ** 30): Promise<void> {
    this.files = new ImageFiles(this.imageFolder, this.log, () => this.nowMs);
    const store = await openTestStore(this.#folder, {
      beforeRemovals: (removals) => this.files.beforeRemovals(removals),
    });
    await this.files.sweep(store);
    this.store = {
      ...bound(store),
      snapshot: async (scope) => {
        const snapshot = await store.snapshot(scope);
        const scan = snapshot.scan.bind(snapshot);
        snapshot.scan = (...of) => {
          this.scans += 1;
          return scan(...of);
        };
        return snapshot;
      },
    };
    this.index = this.openIndex(maxBytes);
  }

  openIndex(maxBytes = 2 ** 30): HotSearchIndex {
    const images = { files: this.files, timer: createManualTimer(), closingMs: 60_000 };
    return createSearchIndex({
      ...{ codec: memoryRecords, store: this.store, maxBytes, images, log: this.log },
      wordPieces: (modelId) => this.wordPieces?.(modelId),
    });
  }

  /** Stops cleanly, which saves the images. */
  async close(): Promise<void> {
    await this.index.close();
    await this.store.close();
  }

  async restart(): Promise<void> {
    await this.close();
    await this.open();
  }

  /** An index that is derived from the records. It has no images. */
  async rebuilt<T>(namespace: Namespace, read: (index: NamespaceIndex) => T): Promise<T> {
    const index = createSearchIndex({
      codec: memoryRecords,
      store: this.store,
      maxBytes: 2 ** 30,
      wordPieces: (modelId) => this.wordPieces?.(modelId),
    });
    this.#onEnd(() => index.close());
    return index.read(namespace, signal, read);
  }

  read<T>(namespace: Namespace, read: (index: NamespaceIndex) => T): Promise<T> {
    return this.index.read(namespace, signal, read);
  }

  /** Saves the images that are due, once all reads have ended. */
  async save(): Promise<void> {
    await this.index.settled();
    await this.index.saveImages();
  }

  async write(
    namespace: Namespace,
    memories: readonly Memory[],
    vectorOf: (memory: Memory, at: number) => Float32Array | undefined = () => undefined,
  ): Promise<void> {
    await this.store.update(scopeOf(namespace), async (tx) => {
      for (const [at, memory] of memories.entries())
        putMemory(tx, namespace, memory, vectorOf(memory, at));
    });
  }

  async remove(namespace: Namespace, ...ids: readonly string[]): Promise<void> {
    await this.store.update(scopeOf(namespace), async (tx) => {
      for (const id of ids) {
        tx.delete("memories", namespace, id);
        tx.delete("vectors", namespace, id);
      }
    });
  }

  /** Names of the files in the folder of images. */
  get names(): readonly string[] {
    return readdirSync(this.imageFolder);
  }

  /** Whether any file in the folder of images contains a text. */
  contains(text: string): boolean {
    const forms = [Buffer.from(text), Buffer.from(text, "utf16le")];
    return this.names.some((name) => {
      const file = readFileSync(join(this.imageFolder, name));
      return forms.some((form) => file.includes(form));
    });
  }
}

/** Returns an object with the methods of a store, so that a spread has them. */
function bound(store: Store): Store {
  return {
    openedAtMs: store.openedAtMs,
    pageKey: store.pageKey,
    reserve: (...of) => store.reserve(...of),
    totals: () => store.totals(),
    update: (scope, transact) => store.update(scope, transact),
    erase: (scope, nowMs) => store.erase(scope, nowMs),
    head: (scope) => store.head(scope),
    snapshot: (scope) => store.snapshot(scope),
    recent: (scope, afterSeq, head) => store.recent?.(scope, afterSeq, head),
    changes: (snapshot, afterSeq) => store.changes(snapshot, afterSeq),
    acrossUsers: (table, range) => store.acrossUsers(table, range),
    undelivered: () => store.undelivered(),
    ids: (range) => store.ids(range),
    namespaces: () => store.namespaces(),
    scopes: () => store.scopes(),
    dueScopes: (nowMs) => store.dueScopes(nowMs),
    settleDue: (...of) => store.settleDue(...of),
    compact: () => store.compact(),
    close: () => store.close(),
  };
}
