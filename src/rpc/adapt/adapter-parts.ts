import type { Validator } from "../validation/validator.js";
import type { ErrorReporter } from "./status.js";

/** What the adapters of all protocols share. */
export interface AdapterParts {
  readonly validator: Validator;
  readonly report: ErrorReporter;
}
