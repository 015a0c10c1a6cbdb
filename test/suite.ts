import { env } from "node:process";

/**
 * Whether all tests run, in their long forms: `npm run test:all` sets `VADEMECUM_TESTS=all`.
 * Otherwise the quick suite runs, as `npm test` does.
 */
export const isFullSuite = env["VADEMECUM_TESTS"] === "all";

/** Returns a setting of the suite that runs, such as a number of rounds. */
export function bySuite<T>(settings: { readonly quick: T; readonly full: T }): T {
  return isFullSuite ? settings.full : settings.quick;
}
