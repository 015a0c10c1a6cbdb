import { env } from "node:process";

/**
 * Whether all tests run, in their long forms: `vitest run --mode all`, as `npm run test:all` does.
 * Otherwise the quick suite runs, as `npm test` does.
 */
export const isFullSuite = env["MODE"] === "all";

/** Returns a setting of the suite that runs, such as a number of rounds. */
export function bySuite<T>(settings: { readonly quick: T; readonly full: T }): T {
  return isFullSuite ? settings.full : settings.quick;
}

/** Returns how often a property is checked: `full` times, or an eighth in the quick suite. */
export function propertyRuns(full: number): number {
  return bySuite({ quick: Math.ceil(full / 8), full });
}
