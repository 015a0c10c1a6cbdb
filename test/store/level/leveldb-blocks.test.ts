import fc from "fast-check";
import snappy from "snappyjs";
import { expect, it } from "vitest";
import { uncompressBlock } from "../../../src/store/level/leveldb-files/table.js";
import { propertyRuns } from "../../suite.js";

const compress = Reflect.get(snappy, "compress") as (bytes: Uint8Array) => Uint8Array;

/** Texts that Snappy compresses, and random bytes. */
const contents = fc.oneof(
  fc.uint8Array({ maxLength: 5_000 }),
  fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 2_000 }))
    .map(([piece, times]) => Buffer.concat(Array.from({ length: times }, () => piece))),
);

/** Uncompresses bytes. Returns undefined if they are refused. */
function uncompressed(bytes: Uint8Array): Buffer | undefined {
  try {
    return uncompressBlock(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return undefined;
  }
}

it("a compressed block has its content again", () => {
  fc.assert(
    fc.property(contents, (content) => {
      expect(uncompressed(compress(content))?.equals(content)).toBe(true);
    }),
    { numRuns: propertyRuns(100) },
  );
});

it("a damaged block is refused, or has at most 22 times its bytes", () => {
  const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 8 });
  fc.assert(
    fc.property(contents, damage, fc.nat(), (content, changes, cut) => {
      const bytes = Buffer.from(compress(content));
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      const damaged = bytes.subarray(0, bytes.length - (cut % bytes.length));
      expect(uncompressed(damaged)?.length ?? 0).toBeLessThanOrEqual(22 * damaged.length);
    }),
    { numRuns: propertyRuns(500) },
  );
});

it("random bytes are refused, or have at most 22 times their number", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
      expect(uncompressed(bytes)?.length ?? 0).toBeLessThanOrEqual(22 * bytes.length);
    }),
    { numRuns: propertyRuns(500) },
  );
});

it("a block that claims gigabytes takes no RAM", () => {
  const claim = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x07, 0x00, 0x61]);
  expect(uncompressed(claim)).toBeUndefined();
});
