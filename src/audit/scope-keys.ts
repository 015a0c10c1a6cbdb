import { createHmac, randomBytes } from "node:crypto";
import { type FileHandle, open, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A user or a run of a tenant. An empty tenant stands for the data without a tenant. */
export interface AuditScope {
  readonly tenant: string;
  readonly kind: "user" | "run" | "server";
  readonly id: string;
}

/** The keys of users and runs. Whoever lacks the key of a user cannot find the user's lines. */
export interface ScopeKeys {
  /**
   * Returns the key of a scope.
   *
   * @param mayAdd returns whether to make a key. Called only for a scope that has none
   */
  keyOf(scope: AuditScope, mayAdd: () => boolean): Buffer | undefined;
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

/** Returns a function that looks up keys. It finds none if the folder has no keys. */
export async function readScopeKeys(
  folder: string,
): Promise<(scope: AuditScope) => Buffer | undefined> {
  const secret = await readIfPresent(secretPath(folder));
  const { places } = parse((await readIfPresent(keysPath(folder))) ?? Buffer.alloc(0));
  return (scope) => (secret === undefined ? undefined : places.get(nameOf(secret, scope))?.key);
}

/** Returns what stands for an id in the lines of a scope. */
export function pseudonym(key: Buffer, kind: "user" | "run" | "agent" | "id", id: string): string {
  const digest = createHmac("sha256", key).update(`${kind}\0${id}`).digest();
  return digest.subarray(0, pseudonymBytes).toString("base64url");
}

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
  let added: Buffer[] = [];
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
    keyOf(scope, mayAdd) {
      const name = nameOf(secret, scope);
      const known = places.get(name)?.key;
      if (known !== undefined || !mayAdd()) return known;
      const key = randomBytes(keyBytes);
      places.set(name, { key, offset: keys.size });
      keys.size += recordBytes;
      added.push(Buffer.concat([Buffer.from(name, "base64url"), key]));
      return key;
    },
    sync,
    async forget(scope) {
      await sync();
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

function nameOf(secret: Buffer, { tenant, kind, id }: AuditScope): string {
  return createHmac("sha256", secret)
    .update(JSON.stringify([tenant, kind, id]))
    .digest("base64url");
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
