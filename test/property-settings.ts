import fc from "fast-check";
import { isFullSuite, propertyRuns } from "./suite.js";

// The quick suite checks the same values in each run; the full suite checks new values.
fc.configureGlobal({ numRuns: propertyRuns(100), ...(isFullSuite ? {} : { seed: 1 }) });
