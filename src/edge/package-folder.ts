import { createRequire } from "node:module";
import { dirname } from "node:path";

/**
 * The folder of this package, with `package.json` and `models`. Found through `imports` of
 * package.json, because compiled modules lie elsewhere than their sources.
 */
export const packageFolder = dirname(createRequire(import.meta.url).resolve("#package.json"));
