import { env } from "node:process";
import fc from "fast-check";
import { propertyRuns } from "./suite.js";

// Each run checks the same random values, so that tests pass or fail the same on every machine.
const seed = Number(env["VADEMECUM_TEST_SEED"] ?? 1);

fc.configureGlobal({ numRuns: propertyRuns(100), seed });
