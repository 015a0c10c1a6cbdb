import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * An API key: `vdm_`, 16 digits of its id, 64 of its secret, 8 of a checksum, all hexadecimal.
 * Scanners for secrets can match this form. The checksum reveals a mistyped key.
 */
export interface ApiKey {
  /** Names the key. Not secret. */
  readonly id: string;
  /**
   * SHA-256 of the secret. A slow hash would protect it no better, because nobody can guess 256
   * random bits.
   */
  readonly secretSha256: Buffer;
}

const keyPattern = /^vdm_([0-9a-f]{16})([0-9a-f]{64})([0-9a-f]{8})$/;

/** Creates a key. Only the returned text holds its secret. */
export function createApiKey(): ApiKey & { readonly text: string } {
  const id = randomBytes(8).toString("hex");
  const secret = randomBytes(32).toString("hex");
  const text = `vdm_${id}${secret}${checksum(id + secret)}`;
  return { text, id, secretSha256: sha256(secret) };
}

/** Reads a key; `undefined` if the text is not a key. */
export function parseApiKey(text: string): ApiKey | undefined {
  const [, id, secret, sum] = keyPattern.exec(text) ?? [];
  if (id === undefined || secret === undefined || sum !== checksum(id + secret)) return undefined;
  return { id, secretSha256: sha256(secret) };
}

function sha256(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
