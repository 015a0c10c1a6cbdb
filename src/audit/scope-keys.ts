import { createHmac, randomBytes } from "node:crypto";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";

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

/** The keys of users and runs. Whoever lacks the key of a user cannot find the user's lines. */
export interface ScopeKeys {
  /**
   * Returns the pseudonyms of a scope. `undefined` if it has no key.
   *
   * @param mayAdd returns whether to make a key. Called only for a scope that has none
   */
  pseudonymsOf(scope: AuditScope, mayAdd: () => boolean): Pseudonyms | undefined;
  /** Writes new keys to disk. */
  sync(): Promise<void>;
  /** Deletes the key of a scope for good. Returns whether it had one. */
  forget(scope: AuditScope): Promise<boolean>;
  close(): Promise<void>;
}

/** Reads the keys of an audit folder, and creates their files if they are absent. */
export async function openScopeKeys(folder: string): Promise<ScopeKeys> {
  const secret = (await readIfPresent(secretPath(folder))) ?? (await createSecret(folder));
  const file = await open(keysPath(folder), "a+", 0o600);
  // A file that is open for appending cannot be written elsewhere.
  const writable = await open(keysPath(folder), "r+");
  const keys = parse(await file.readFile());
  await writable.truncate(keys.size);
  return createKeys(secret, keys, file, writable);
}

/** Returns a function that looks up pseudonyms. It finds none if the folder has no keys. */
export async function readPseudonyms(
  folder: string,
): Promise<(scope: AuditScope) => Pseudonyms | undefined> {
  const secret = await readIfPresent(secretPath(folder));
  const { places } = parse((await readIfPresent(keysPath(folder))) ?? Buffer.alloc(0));
  return (scope) => {
    const key = secret && places.get(nameOf(secret, scope))?.key;
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

/** A record has the HMAC of the scope with the secret, then the key. Deleted records are zeros. */
const recordBytes = 64;

interface Keys {
  readonly places: Map<string, { readonly key: Buffer; readonly offset: number }>;
  size: number;
}

function createKeys(
  secret: Buffer,
  keys: Keys,
  appended: FileHandle,
  writable: FileHandle,
): ScopeKeys {
  const { places } = keys;
  const recent = new Map<string, Pseudonyms>();
  let added: Buffer[] = [];
  const keyOf = (scope: AuditScope, mayAdd: () => boolean): Buffer | undefined => {
    const name = nameOf(secret, scope);
    const known = places.get(name)?.key;
    if (known !== undefined || !mayAdd()) return known;
    const key = randomBytes(keyBytes);
    places.set(name, { key, offset: keys.size });
    keys.size += recordBytes;
    added.push(Buffer.concat([Buffer.from(name, "base64url"), key]));
    return key;
  };
  const sync = async (): Promise<void> => {
    if (added.length === 0) return;
    const records = added;
    const size = keys.size - records.length * recordBytes;
    try {
      added = [];
      await appended.appendFile(Buffer.concat(records));
      await appended.datasync();
    } catch (error) {
      // The next sync writes all of them again, to where they belong.
      added = [...records, ...added];
      await writable.truncate(size).catch(() => undefined);
      throw error;
    }
  };
  return {
    pseudonymsOf(scope, mayAdd) {
      const text = scopeText(scope);
      const earlier = recent.get(text);
      if (earlier !== undefined) return earlier;
      const key = keyOf(scope, mayAdd);
      if (key === undefined) return undefined;
      if (recent.size >= recentMax) recent.clear();
      const made = createPseudonyms(key);
      recent.set(text, made);
      return made;
    },
    sync,
    async forget(scope) {
      await sync();
      recent.delete(scopeText(scope));
      const name = nameOf(secret, scope);
      const place = places.get(name);
      if (place === undefined) return false;
      places.delete(name);
      await writable.write(Buffer.alloc(recordBytes), 0, recordBytes, place.offset);
      await writable.sync();
      return true;
    },
    async close() {
      await appended.close();
      await writable.close();
    },
  };
}

/** Reads the records of a file, without a last record that is not complete. */
function parse(bytes: Buffer): Keys {
  const places: Keys["places"] = new Map();
  const size = bytes.length - (bytes.length % recordBytes);
  for (let offset = 0; offset < size; offset += recordBytes) {
    const name = bytes.subarray(offset, offset + keyBytes);
    const key = Buffer.from(bytes.subarray(offset + keyBytes, offset + recordBytes));
    if (name.some((byte) => byte !== 0)) places.set(name.toString("base64url"), { key, offset });
  }
  return { places, size };
}

function nameOf(secret: Buffer, scope: AuditScope): string {
  return createHmac("sha256", secret).update(scopeText(scope)).digest("base64url");
}

function scopeText({ tenant, kind, id }: AuditScope): string {
  return JSON.stringify([tenant, kind, id]);
}

const secretPath = (folder: string): string => join(folder, "secret");
const keysPath = (folder: string): string => join(folder, "keys");

async function createSecret(folder: string): Promise<Buffer> {
  const secret = randomBytes(keyBytes);
  const file = await open(secretPath(folder), "w", 0o600);
  try {
    await file.writeFile(secret);
    await file.sync();
  } finally {
    await file.close();
  }
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
