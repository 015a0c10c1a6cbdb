/** Types of the functions of snappyjs that this service uses. The package has no types. */
declare module "snappyjs" {
  /** Throws if the data is not a Snappy block. */
  export function uncompress(compressed: Uint8Array, maxLength?: number): Uint8Array;
}
