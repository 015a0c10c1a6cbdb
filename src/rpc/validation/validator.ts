import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { createValidator as createRuleValidator } from "@bufbuild/protovalidate";
import { type FieldViolation, VademecumError } from "../../core/model/errors.js";
import { type ContentCheck, compileContentCheck } from "./content-checks.js";
import { describeViolation } from "./violations.js";

/** Validates the requests of all protocols. */
export interface Validator {
  /**
   * Checks a request against the rules of its definition, and against limits that rules cannot say.
   *
   * @throws INVALID_ARGUMENT (INVALID_FIELD) when a field breaks one; names the path of each
   */
  validate<M extends DescMessage>(schema: M, message: MessageShape<M>): void;
}

/** Violations that get a description. An error has no space for more. */
const describedMax = 20;

/** Compiles the rules of a message type once, however many validators a process has. */
const rules = createRuleValidator();

/**
 * Creates a validator. It compiles the checks of a message type once. The types in `schemas` are
 * compiled now, so that no caller waits: the first rules take a tenth of a second. Other types are
 * compiled on first use.
 */
export function createValidator(schemas: Iterable<DescMessage> = []): Validator {
  const contentChecks = new Map<DescMessage, ContentCheck>();
  const contentCheckOf = (schema: DescMessage) => {
    const check = contentChecks.get(schema) ?? compileContentCheck(schema);
    contentChecks.set(schema, check);
    return check;
  };
  for (const schema of schemas) {
    contentCheckOf(schema);
    rules.validate(schema, create(schema));
  }
  return {
    validate(schema, message) {
      const violations: FieldViolation[] = [];
      contentCheckOf(schema)(message, "", violations);
      // The rules come second: they fail on Timestamps out of range, and are slow on long lists.
      if (violations.length > 0) throw invalidRequest(violations);
      const result = rules.validate(schema, message);
      if (result.kind === "error") throw result.error;
      if (result.kind === "invalid") {
        throw invalidRequest(
          result.violations
            .slice(0, describedMax)
            .map((violation) => describeViolation(violation, message)),
        );
      }
    },
  };
}

/** Requires: there is a violation. Keeps the first of each field. */
function invalidRequest(violations: readonly FieldViolation[]): VademecumError {
  const [first = { field: "", description: "" }] = violations;
  const fields = violations.filter(
    ({ field }, index) => violations.findIndex((other) => other.field === field) === index,
  );
  const more = fields.length === 1 ? "" : ` (and ${fields.length - 1} more, see the details)`;
  return new VademecumError("INVALID_ARGUMENT", "INVALID_FIELD", first.description + more, {
    field: first.field,
    fields,
  });
}
