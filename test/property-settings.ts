import fc from "fast-check";
import { isFullSuite, propertyRuns } from "./suite.js";

// The quick suite checks the same values in each run; the full one looks for new ones.
fc.configureGlobal({ numRuns: propertyRuns(100), ...(isFullSuite ? {} : { seed: 1 }) });
