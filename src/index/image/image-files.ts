import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { errorText } from "../../core/model/errors.js";
import type { Log } from "../../core/ports/log.js";
import type { Removal } from "../../core/ports/removal.js";
import type { Store, VectorProfile } from "../../core/ports/store.js";
import { createPause } from "../../core/requests/pause.js";
import { memoryCollection, skillCollection } from "../../core/vectors/collection.js";
import { syncFolder } from "../../disk/folders.js";
import { type ImageHeader, type ImageOwner, imageKey } from "./image-format.js";
import { ImageReader } from "./image-reader.js";
import { ImageWriter } from "./image-writer.js";

const tables = [memoryCollection.table, skillCollection.table];

/** The end of the name of an image that is being written. */
const partEnd = ".part";

/** A commit that removed or replaced records of a namespace. */
interface LastRemoval {
  readonly seq: number;
  readonly ms: number;
}

/** A state of an index to write to an image. */
export interface ImageSource {
  /** The last commit in the index. */
  readonly seq: number;
  readonly profile: VectorProfile | undefined;
  write(image: ImageWriter): Promise<void>;
  /** Whether the index is still in the state that `write` began with. */
  isUnchanged(): boolean;
}

/**
 * The images of indexes in a folder, one file for each namespace and collection.
 *
 * An image never has a record that an acknowledged commit has deleted or replaced. Before the store
 * writes such a commit, `beforeRemovals` notes the commit and deletes the images of the namespace.
 * From then on, no image of an earlier state is put in place: `put` looks for such a commit and
 * renames the file in one step.
 */
export class ImageFiles {
  readonly #folder: string;
  readonly #log: Log;
  readonly #nowMs: () => number;
  /** The images in place, by `imageKey`, with their profiles. */
  readonly #profiles = new Map<string, VectorProfile | undefined>();
  /** Images that are being written. */
  readonly #parts = new Set<string>();
  /** The last removal in each namespace, as far as an index in RAM may be older. */
  readonly #removals = new Map<string, LastRemoval>();

  /**
   * @param folder `sweep` and `put` create it if it does not exist.
   * @param nowMs A clock that never goes back.
   */
  constructor(folder: string, log: Log, nowMs: () => number) {
    this.#folder = folder;
    this.#log = log;
    this.#nowMs = nowMs;
  }

  /**
   * Deletes every image that may have a removed record, such as a file that was copied back. Call
   * it before the first call is served.
   */
  async sweep(store: Store): Promise<void> {
    this.#makeFolder();
    const pause = createPause();
    let removed = 0;
    for (const name of readdirSync(this.#folder)) {
      if (!(await this.#admit(name, store))) {
        rmSync(join(this.#folder, name), { recursive: true, force: true });
        removed += 1;
      }
      await pause();
    }
    if (removed === 0) return;
    await this.#syncFolder();
    this.#log("info", "images of indexes that were out of date were deleted", { images: removed });
  }

  /** Whether there is an image. */
  has(owner: ImageOwner): boolean {
    return this.#profiles.has(imageKey(owner));
  }

  /** Returns the profile of an image; `undefined` without an image or a profile. */
  profileOf(owner: ImageOwner): VectorProfile | undefined {
    return this.#profiles.get(imageKey(owner));
  }

  /**
   * Opens an image. Returns `undefined` if there is none. The caller closes it.
   *
   * @throws when the image is damaged
   */
  open(owner: ImageOwner): ImageReader | undefined {
    if (!this.has(owner)) return undefined;
    const reader = new ImageReader(this.#path(owner), createPause());
    if (imageKey(ownerOf(reader.header)) === imageKey(owner)) return reader;
    reader[Symbol.dispose]();
    throw new Error("the image is of another namespace");
  }

  /** Deletes an image that cannot be used. Its namespace is loaded from the records. */
  discard(owner: ImageOwner, error: unknown): void {
    this.#remove(owner);
    const reason = errorText(error);
    this.#log("warn", "an image of an index is unusable and is rebuilt", { reason, error });
  }

  /** Deletes an image. */
  forget(owner: ImageOwner): void {
    this.#remove(owner);
  }

  /** Milliseconds since the last removal in a namespace; infinity if none is known. */
  msSinceRemoval(owner: ImageOwner): number {
    const { ms } = this.#removals.get(imageKey(owner)) ?? { ms: Number.NEGATIVE_INFINITY };
    return this.#nowMs() - ms;
  }

  /**
   * Writes an image and puts it in place. Returns false, and leaves the files as they were, if the
   * index has changed meanwhile, or if records were removed after its last commit.
   */
  async put(owner: ImageOwner, source: ImageSource): Promise<boolean> {
    const key = imageKey(owner);
    if (this.#parts.has(key) || !this.#mayPut(key, source)) return false;
    const path = this.#path(owner);
    const part = path + partEnd;
    this.#makeFolder();
    const file = openSync(part, "w", 0o600);
    this.#parts.add(key);
    try {
      try {
        await source.write(new ImageWriter(file, createPause()));
      } finally {
        closeSync(file);
      }
      // Nothing else runs between this check and the renaming.
      if (!source.isUnchanged() || !this.#mayPut(key, source)) return false;
      renameSync(part, path);
      this.#profiles.set(key, source.profile);
      this.#removals.delete(key);
      return true;
    } finally {
      this.#parts.delete(key);
      rmSync(part, { force: true });
    }
  }

  /**
   * Deletes the images of namespaces of which commits are about to remove or replace records. After
   * it resolves, not even a power failure brings the files back.
   */
  async beforeRemovals(removals: readonly Removal[]): Promise<void> {
    let isChanged = false;
    for (const { namespace, seq } of removals) {
      for (const table of tables) {
        const owner = { table, namespace };
        const key = imageKey(owner);
        isChanged ||= this.#profiles.has(key) || this.#parts.has(key);
        this.#removals.set(key, { seq, ms: this.#nowMs() });
        this.#remove(owner);
      }
    }
    if (isChanged) await this.#syncFolder();
  }

  /** Forgets the removals in namespaces of which no index is in RAM. */
  forgetRemovals(isInRam: (key: string) => boolean): void {
    for (const key of this.#removals.keys()) if (!isInRam(key)) this.#removals.delete(key);
  }

  #mayPut(key: string, { seq }: ImageSource): boolean {
    return (this.#removals.get(key)?.seq ?? 0) <= seq;
  }

  #remove(owner: ImageOwner): void {
    const key = imageKey(owner);
    if (!this.#profiles.has(key) && !this.#parts.has(key)) return;
    const path = this.#path(owner);
    rmSync(path, { force: true });
    rmSync(path + partEnd, { force: true });
    this.#profiles.delete(key);
  }

  /** Notes an image if it has no removed record. Returns whether it stays. */
  async #admit(name: string, store: Store): Promise<boolean> {
    if (name.endsWith(partEnd)) return false;
    try {
      using image = new ImageReader(join(this.#folder, name));
      const { head, profile } = image.header;
      const owner = ownerOf(image.header);
      if (fileName(owner) !== name) return false;
      const state = await store.removalState?.(owner.namespace);
      if (state === undefined || state.epoch !== head.epoch) return false;
      if (head.seq < state.removalSeq || head.seq > state.seq) return false;
      this.#profiles.set(imageKey(owner), profile);
      return true;
    } catch {
      return false;
    }
  }

  #makeFolder(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** Makes removals durable. A folder that somebody has removed has no images to remove. */
  async #syncFolder(): Promise<void> {
    await syncFolder(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }

  #path(owner: ImageOwner): string {
    return join(this.#folder, fileName(owner));
  }
}

function ownerOf({ table, userId, agentId, tenant }: ImageHeader): ImageOwner {
  const namespace = tenant === undefined ? { userId, agentId } : { userId, agentId, tenant };
  return { table, namespace };
}

/** Returns a hash, because ids may contain characters that file names may not contain. */
function fileName({ table, namespace: { userId, agentId, tenant } }: ImageOwner): string {
  const names = tenant === undefined ? [userId, agentId] : [userId, agentId, tenant];
  return createHash("sha256")
    .update(JSON.stringify([table, ...names]))
    .digest("hex");
}
