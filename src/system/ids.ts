import { randomFillSync, randomInt } from "node:crypto";
import { UUID } from "uuidv7";
import type { IdSource } from "../core/ports/clock.js";

/**
 * Number of random 32-bit numbers that are drawn together, because one draw takes a few
 * microseconds.
 */
const drawnTogether = 512;

/** The counter has 42 bits, of which the first value sets 41. */
const counterMax = 2 ** 42;
const lowBits = 2 ** 30;

/**
 * Creates a source of UUIDv7 ids: the milliseconds of a time, a counter, and random bits. The
 * counter never starts again, so ids of the same millisecond increase even if ids of other
 * milliseconds are made between them.
 */
export function createIdSource(): IdSource {
  const numbers = new Uint32Array(drawnTogether);
  let used = drawnTogether;
  let counter = randomInt(2 ** 41);
  return {
    next(timeMs) {
      if (used === drawnTogether) {
        randomFillSync(numbers);
        used = 0;
      }
      counter = (counter + 1) % counterMax;
      const random = numbers[used++] as number;
      return UUID.fromFieldsV7(
        timeMs,
        Math.floor(counter / lowBits),
        counter % lowBits,
        random,
      ).toString();
    },
  };
}
