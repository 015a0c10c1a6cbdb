import type { CallObserver } from "../../core/ports/ended-call.js";
import type { Meter } from "../../core/ports/meter.js";
import type { Tracer } from "../../core/ports/tracer.js";
import type { Access } from "../access/access.js";
import type { Traffic } from "../admit/traffic.js";
import type { Validator } from "../validation/validator.js";
import type { RequestWaits } from "./request-waits.js";
import type { ErrorReporter } from "./status.js";

/** The parts that the adapters of all protocols share. */
export interface AdapterParts {
  readonly access: Access;
  readonly validator: Validator;
  readonly report: ErrorReporter;
  /** Notes each call that has ended. */
  readonly observe: CallObserver;
  readonly meter: Meter;
  /** Absent: no call is traced. */
  readonly tracer?: Tracer | undefined;
  readonly requestWaits: RequestWaits;
  readonly traffic: Traffic;
}
