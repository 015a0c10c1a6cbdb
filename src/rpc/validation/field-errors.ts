import type { ErrorDetails, FieldViolation } from "../../core/model/errors.js";

/** Maximum number of violations that an error describes. The error only counts the rest. */
const describedMax = 10;

/** Collects the faulty fields of a request: describes the first fields, and counts all. */
export class FaultyFields {
  readonly #described: FieldViolation[] = [];
  #count = 0;

  /** Number of faulty fields. */
  get count(): number {
    return this.#count;
  }

  /** Adds a field. `describe` says what is allowed, and what the request has. */
  add(field: string, describe: () => string): void {
    this.#count += 1;
    if (this.#described.length < describedMax)
      this.#described.push({ field, description: describe() });
  }

  /**
   * Returns the message and the details of an error about the fields. An empty path stands for the
   * message itself. Requires: there is a faulty field.
   */
  describe(): { readonly text: string; readonly details: ErrorDetails } {
    const [first = { field: "", description: "" }] = this.#described;
    return {
      text: first.description + this.#rest(),
      details: { field: first.field, fields: this.#described },
    };
  }

  #rest(): string {
    const more = this.#count - 1;
    if (more === 0) return "";
    const details = more < describedMax ? "see the details" : "the details name the first ones";
    return ` (and ${more.toLocaleString("en")} more, ${details})`;
  }
}
