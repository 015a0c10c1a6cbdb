import type { Validator } from "../validation/validator.js";
import type { ErrorReporter } from "./status.js";

/** What the calls of all protocols go through. */
export interface AdapterParts {
  readonly validator: Validator;
  readonly report: ErrorReporter;
}
