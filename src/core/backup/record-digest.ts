import { createHash } from "node:crypto";
import type { RecordPage } from "../ports/backup.js";
import type { ScopeDigest } from "./backup-chunk.js";

/**
 * Computes the SHA-256 digest of records in their order. Each record adds the lengths of its parts,
 * and then the parts: its owner (agent and table), key and payload. The division into pages makes
 * no difference.
 */
export class RecordDigest {
  readonly #hash = createHash("sha256");
  #records = 0;

  add({ agentId, table, records }: RecordPage): void {
    const owner = Buffer.from(
      agentId === undefined ? `-${table}` : `${Buffer.byteLength(agentId)}:${agentId}${table}`,
    );
    for (const [key, payload] of records) {
      const keyBytes = Buffer.byteLength(key);
      const prefix = Buffer.allocUnsafe(12 + owner.length + keyBytes);
      prefix.writeUInt32LE(owner.length, 0);
      prefix.writeUInt32LE(keyBytes, 4);
      prefix.writeUInt32LE(payload.length, 8);
      owner.copy(prefix, 12);
      prefix.write(key, 12 + owner.length);
      this.#hash.update(prefix).update(payload);
    }
    this.#records += records.length;
  }

  /** Returns the digest of all records so far. Call it once, at the end. */
  end(): ScopeDigest {
    return { records: this.#records, sha256: this.#hash.digest() };
  }
}

/**
 * Computes the digest of scopes: SHA-256 over the digests of their records, in the order of the
 * backup.
 */
export class ScopesDigest {
  readonly #hash = createHash("sha256");
  #scopes = 0;
  #records = 0;

  add({ records, sha256 }: ScopeDigest): void {
    this.#hash.update(sha256);
    this.#scopes++;
    this.#records += records;
  }

  /** Returns the totals of all scopes so far. Call it once, at the end. */
  end(): ScopeDigest & { readonly scopes: number } {
    return { scopes: this.#scopes, records: this.#records, sha256: this.#hash.digest() };
  }
}

/** Whether two digests are of the same records. */
export function sameDigest(a: ScopeDigest, b: ScopeDigest): boolean {
  return a.records === b.records && Buffer.compare(a.sha256, b.sha256) === 0;
}
