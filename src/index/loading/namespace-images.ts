import { errorText } from "../../core/model/errors.js";
import type { Log } from "../../core/ports/log.js";
import type { VectorProfile } from "../../core/ports/store.js";
import type { ImageFiles } from "../image/image-files.js";
import { type ImageOwner, imageKey } from "../image/image-format.js";
import { HotNamespaceIndex } from "../namespace-index.js";
import type { IndexParts } from "../rows/index-rows.js";
import type { HotNamespace } from "./hot-namespace.js";

/** An image is saved again when more rows than this, or than this share of all, have changed. */
const changedMax = { rows: 256, share: 0.05 };

/**
 * After a removal, which deletes the image, the image is saved again only after this time without
 * removals. Else each of many removals would cost a save.
 */
const quietMs = 60_000;

/**
 * An index that leaves the RAM is saved, even without changes, when its image is this many commits
 * behind: an image that is further behind than the change log is useless.
 */
const commitsBehindMax = 2_048;

/** Loads the images of indexes, and decides when to save them. */
export class NamespaceImages {
  readonly #files: ImageFiles;
  readonly #parts: IndexParts;
  readonly #log: Log;
  /** The indexes that are being saved, by `imageKey`. */
  readonly #saving = new Map<string, HotNamespace>();
  readonly #saves = new Set<Promise<void>>();
  #isClosed = false;
  #isFailing = false;

  constructor(files: ImageFiles, parts: IndexParts, log: Log) {
    this.#files = files;
    this.#parts = parts;
    this.#log = log;
  }

  /** Whether a namespace has an image. */
  has(owner: ImageOwner): boolean {
    return this.#files.has(owner);
  }

  /** Whether a namespace has an image, with this profile. `undefined`: it has no image. */
  profileOf(owner: ImageOwner): { readonly profile: VectorProfile | undefined } | undefined {
    return this.#files.has(owner) ? { profile: this.#files.profileOf(owner) } : undefined;
  }

  /**
   * Returns the index that is being saved, or loads an image. The index may be behind the store.
   * Returns `undefined` if there is no usable image.
   */
  async load(owner: ImageOwner): Promise<HotNamespace | undefined> {
    const saving = this.#saving.get(imageKey(owner));
    if (saving?.isWhole === true) return saving;
    try {
      using image = this.#files.open(owner);
      if (image === undefined) return undefined;
      const index = await HotNamespaceIndex.load(this.#parts, image);
      const saved = { seq: index.head.seq, changes: index.rows.changes };
      const { namespace } = owner;
      return { namespace, owner, index, graph: undefined, isWhole: true, saved };
    } catch (error) {
      this.#files.discard(owner, error);
      return undefined;
    }
  }

  /** Deletes an image that cannot be brought up to date. */
  drop(owner: ImageOwner): void {
    this.#files.forget(owner);
  }

  /** Saves an index that leaves the RAM, in the background. Never rejects. */
  evict(hot: HotNamespace): void {
    if (this.#isClosed || !this.#hasNews(hot)) return;
    const saved = this.save(hot);
    this.#saves.add(saved);
    void saved.then(() => this.#saves.delete(saved));
  }

  /** Whether an index should be saved soon: it has no image, or many rows have changed. */
  isDue(hot: HotNamespace): boolean {
    const { owner, index, saved, isWhole } = hot;
    if (!isWhole || index.size === 0 || this.#files.msSinceRemoval(owner) < quietMs) return false;
    if (saved === undefined || !this.#files.has(owner)) return true;
    const most = Math.max(changedMax.rows, changedMax.share * index.size);
    return index.rows.changes - saved.changes > most;
  }

  /**
   * Saves an index. A failure, which costs no more than a rebuild, is logged once until a save
   * succeeds: a full disk lets all saves fail.
   */
  async save(hot: HotNamespace): Promise<void> {
    const { owner, index } = hot;
    const key = imageKey(owner);
    if (!hot.isWhole || this.#saving.has(key)) return;
    const { head, rows, profile } = index;
    const { changes } = rows;
    const isUnchanged = (): boolean =>
      hot.isWhole && rows.changes === changes && index.head.seq === head.seq;
    this.#saving.set(key, hot);
    try {
      const isSaved = await this.#files.put(owner, {
        seq: head.seq,
        profile,
        write: (image) => index.save(image, owner),
        isUnchanged,
      });
      if (isSaved) hot.saved = { seq: head.seq, changes };
      if (isSaved) this.#isFailing = false;
    } catch (error) {
      // Rows that were renumbered meanwhile cannot be saved. The next save has them.
      if (!isUnchanged()) return;
      if (!this.#isFailing) {
        const reason = errorText(error);
        this.#log("warn", "images of indexes cannot be saved", { reason, error });
      }
      this.#isFailing = true;
    } finally {
      this.#saving.delete(key);
    }
  }

  /**
   * Saves all indexes with changes, the largest first. Begins no save after `msMax` milliseconds.
   *
   * @param bringUp lets an index follow its store, before it is saved
   */
  async saveAll(
    all: readonly HotNamespace[],
    msMax: number,
    bringUp: (hot: HotNamespace) => Promise<void>,
  ): Promise<void> {
    const endMs = performance.now() + msMax;
    for (const hot of all.toSorted((a, b) => b.index.size - a.index.size)) {
      if (performance.now() >= endMs) return;
      await bringUp(hot);
      if (this.#hasNews(hot)) await this.save(hot);
    }
  }

  /** Forgets removals that no index in RAM can be older than. */
  forgetRemovals(isInRam: (key: string) => boolean): void {
    this.#files.forgetRemovals((key) => this.#saving.has(key) || isInRam(key));
  }

  /** Ends all saving. Resolves when the saves that have begun are done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#saves);
  }

  #hasNews({ owner, index, saved, isWhole }: HotNamespace): boolean {
    if (!isWhole || index.size === 0) return false;
    if (saved === undefined || !this.#files.has(owner)) return true;
    return index.rows.changes !== saved.changes || index.head.seq - saved.seq > commitsBehindMax;
  }
}
