/** Types of the part of snappyjs that is used; the package brings none. */
declare module "snappyjs" {
  /** Throws if the data is no Snappy block. */
  export function uncompress(compressed: Uint8Array, maxLength?: number): Uint8Array;
}
