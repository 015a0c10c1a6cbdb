import { env } from "node:process";
import { crc32 } from "node:zlib";

const mode = env["MODE"];

/**
 * Whether servers run over PostgreSQL if their test chooses no provider, as in
 * `npm run test:postgres`.
 */
export const isOverPostgres = mode === "postgres" || mode === "postgres-all";

/**
 * Whether all tests run, in their long forms, as in `npm run test:all`. Otherwise the quick suite
 * runs, as in `npm test`.
 */
export const isFullSuite = mode === "all" || mode === "postgres-all";

/** Whether a case runs over each protocol. With PostgreSQL, one protocol is enough. */
export const coversProtocols = isFullSuite && !isOverPostgres;

/** A number of the commit under test. Another commit makes another choice of cases with it. */
export const commitNumber = crc32(env["VADEMECUM_TEST_COMMIT"] ?? "");

/** Returns a setting of the suite that runs, such as a number of rounds. */
export function bySuite<T>(settings: { readonly quick: T; readonly full: T }): T {
  return isFullSuite ? settings.full : settings.quick;
}

/** Returns how often to check a property: `full` times, or an eighth of it in the quick suite. */
export function propertyRuns(full: number): number {
  return bySuite({ quick: Math.ceil(full / 8), full });
}
