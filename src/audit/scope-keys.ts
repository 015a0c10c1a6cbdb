import { createHmac, randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { makeFolder, syncFolder } from "../disk/folders.js";

/** A user or a run of a tenant. An empty tenant stands for the data without a tenant. */
export interface AuditScope {
  readonly tenant: string;
  readonly kind: "user" | "run" | "server";
  readonly id: string;
}

/**
 * Returns what stands for an id in the lines of a scope: an HMAC with the key of the scope. The
 * same id has another pseudonym in each scope.
 */
export type Pseudonyms = (kind: "user" | "run" | "agent" | "id", id: string) => string;

/** The keys of users. Whoever lacks the key of a user cannot find the user's lines. */
export interface ScopeKeys {
  /**
   * Reads the keys of scopes, and makes the missing ones. Resolves when new keys are on disk.
   *
   * @param mayAdd returns whether to make a key. Called only for a user who has none
   */
  prepare(
    scopes: readonly { readonly scope: AuditScope; readonly mayAdd: () => boolean }[],
  ): Promise<void>;
  /** Returns the pseudonyms of a scope of the last `prepare`. `undefined` if it has no key. */
  pseudonymsOf(scope: AuditScope): Pseudonyms | undefined;
  /**
   * Deletes the key of a user for good. Returns whether there was one: runs have no keys of their
   * own.
   */
  forget(scope: AuditScope): Promise<boolean>;
}

/** Opens the keys of an audit folder, and creates the secret if it is absent. */
export async function openScopeKeys(folder: string): Promise<ScopeKeys> {
  const secret = (await readIfPresent(secretPath(folder))) ?? (await createSecret(folder));
  const keys = join(folder, "keys");
  await makeFolder(keys);
  return new KeptKeys(secret, keys);
}

/** Returns a function that looks up pseudonyms. It finds none if the folder has no keys. */
export async function readPseudonyms(
  folder: string,
): Promise<(scope: AuditScope) => Promise<Pseudonyms | undefined>> {
  const secret = await readIfPresent(secretPath(folder));
  return async (scope) => {
    if (secret === undefined) return undefined;
    if (scope.kind !== "user") return createPseudonyms(derivedKey(secret, scope));
    const name = nameOf(secret, scope);
    const key = (await readShelf(shelfPath(join(folder, "keys"), name))).places.get(
      name.toString("base64url"),
    )?.key;
    return key && createPseudonyms(key);
  };
}

/** Keeps the pseudonyms of users, runs and agents, because an HMAC takes microseconds. */
function createPseudonyms(key: Buffer): Pseudonyms {
  const known = new Map<string, string>();
  return (kind, id) => {
    const text = `${kind}\0${id}`;
    const earlier = known.get(text);
    if (earlier !== undefined) return earlier;
    const digest = createHmac("sha256", key).update(text).digest();
    const made = digest.subarray(0, pseudonymBytes).toString("base64url");
    if (kind !== "id" && known.size < knownMax) known.set(text, made);
    return made;
  };
}

/** Maximum number of pseudonyms of a scope, and of scopes, that are kept in RAM. */
const knownMax = 16;
const recentMax = 4096;

const pseudonymBytes = 16;
const keyBytes = 32;

/** A record has the HMAC of the user with the secret, then the key. Deleted records are zeros. */
const recordBytes = 64;

/** The keys in one file, by the names of their users. */
interface Shelf {
  readonly places: ReadonlyMap<string, { readonly key: Buffer; readonly offset: number }>;
  /** Where the next key is written: after the last whole record. */
  readonly size: number;
}

/**
 * The keys of users are in 256 files, by the first byte of the name. So a key is found by reading a
 * small part of all keys, and the RAM has only those in use. The key of a run, and that of calls
 * that name neither, is an HMAC of its name: nobody has to delete it for the sake of a person.
 */
class KeptKeys implements ScopeKeys {
  readonly #secret: Buffer;
  readonly #folder: string;
  readonly #recent = new LRUCache<string, Pseudonyms>({
    // Unlike `max`, `maxSize` reserves no memory for future entries.
    maxSize: recentMax,
    sizeCalculation: () => 1,
  });
  #prepared: ReadonlyMap<string, Pseudonyms> = new Map();

  constructor(secret: Buffer, folder: string) {
    this.#secret = secret;
    this.#folder = folder;
  }

  async prepare(scopes: Parameters<ScopeKeys["prepare"]>[0]): Promise<void> {
    const prepared = new Map<string, Pseudonyms>();
    const missing = new Map<string, Map<string, () => boolean>>();
    for (const { scope, mayAdd } of scopes) {
      const text = scopeText(scope);
      const known = this.#recent.get(text) ?? this.#derived(scope);
      if (known !== undefined) prepared.set(text, known);
      else {
        const path = shelfPath(this.#folder, nameOf(this.#secret, scope));
        const ofShelf = missing.get(path) ?? new Map<string, () => boolean>();
        missing.set(path, ofShelf.set(text, mayAdd));
      }
    }
    await Promise.all(
      [...missing].map(async ([path, users]) => {
        for (const [text, key] of await this.#keysOf(path, users))
          prepared.set(text, createPseudonyms(key));
      }),
    );
    for (const [text, pseudonyms] of prepared) this.#recent.set(text, pseudonyms);
    this.#prepared = prepared;
  }

  pseudonymsOf(scope: AuditScope): Pseudonyms | undefined {
    return this.#prepared.get(scopeText(scope));
  }

  async forget(scope: AuditScope): Promise<boolean> {
    if (scope.kind !== "user") return false;
    this.#recent.delete(scopeText(scope));
    const name = nameOf(this.#secret, scope);
    const path = shelfPath(this.#folder, name);
    const place = (await readShelf(path)).places.get(name.toString("base64url"));
    if (place === undefined) return false;
    await writeAt(path, Buffer.alloc(recordBytes), place.offset);
    return true;
  }

  #derived(scope: AuditScope): Pseudonyms | undefined {
    return scope.kind === "user" ? undefined : createPseudonyms(derivedKey(this.#secret, scope));
  }

  /** Reads the keys of users from a file, and adds those that may be added. */
  async #keysOf(
    path: string,
    users: ReadonlyMap<string, () => boolean>,
  ): Promise<ReadonlyMap<string, Buffer>> {
    const { places, size } = await readShelf(path);
    const keys = new Map<string, Buffer>();
    const added: Buffer[] = [];
    for (const [text, mayAdd] of users) {
      const name = digestOf(this.#secret, text);
      const known = places.get(name.toString("base64url"))?.key;
      if (known === undefined && !mayAdd()) continue;
      const key = known ?? randomBytes(keyBytes);
      keys.set(text, key);
      if (known === undefined) added.push(name, key);
    }
    // What a failed write has left after the last whole record is overwritten.
    if (added.length > 0) await writeAt(path, Buffer.concat(added), size);
    if (added.length > 0 && size === 0) await syncFolder(this.#folder);
    return keys;
  }
}

/** Writes bytes at an offset, and syncs them. */
async function writeAt(path: string, bytes: Buffer, offset: number): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    await file.write(bytes, 0, bytes.length, offset);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Reads the records of a file, without a last record that is not complete. */
async function readShelf(path: string): Promise<Shelf> {
  const bytes = (await readIfPresent(path)) ?? Buffer.alloc(0);
  const places = new Map<string, { readonly key: Buffer; readonly offset: number }>();
  const size = bytes.length - (bytes.length % recordBytes);
  for (let offset = 0; offset < size; offset += recordBytes) {
    const name = bytes.subarray(offset, offset + keyBytes);
    const key = Buffer.from(bytes.subarray(offset + keyBytes, offset + recordBytes));
    if (name.some((byte) => byte !== 0)) places.set(name.toString("base64url"), { key, offset });
  }
  return { places, size };
}

function shelfPath(folder: string, name: Buffer): string {
  return join(folder, name.toString("hex", 0, 1));
}

function nameOf(secret: Buffer, scope: AuditScope): Buffer {
  return digestOf(secret, scopeText(scope));
}

/** Returns the key of a scope that is no user. */
function derivedKey(secret: Buffer, scope: AuditScope): Buffer {
  return digestOf(secret, `key of ${scopeText(scope)}`);
}

function digestOf(secret: Buffer, text: string): Buffer {
  return createHmac("sha256", secret).update(text).digest();
}

function scopeText({ tenant, kind, id }: AuditScope): string {
  return JSON.stringify([tenant, kind, id]);
}

const secretPath = (folder: string): string => join(folder, "secret");

async function createSecret(folder: string): Promise<Buffer> {
  const secret = randomBytes(keyBytes);
  const file = await open(secretPath(folder), "w", 0o600);
  try {
    await file.writeFile(secret);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(folder);
  return secret;
}

async function readIfPresent(path: string): Promise<Buffer | undefined> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  // A crash may leave an empty file, which no line depends on.
  return bytes?.length === 0 ? undefined : bytes;
}
