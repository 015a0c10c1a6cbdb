/** Passes the bytes of a message on, in place of encoding or decoding it. */
export function asIs(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
