import { env } from "node:process";
import fc from "fast-check";
import { propertyRuns } from "./suite.js";

// Each run checks the same values, so that a change passes or fails whoever runs the tests.
const seed = Number(env["VADEMECUM_TEST_SEED"] ?? 1);

fc.configureGlobal({ numRuns: propertyRuns(100), seed });
