import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { createValidator as createRuleValidator } from "@bufbuild/protovalidate";
import { type FieldViolation, VademecumError } from "../../core/model/errors.js";
import { type ContentCheck, compileContentCheck } from "./content-checks.js";
import { FaultyFields } from "./field-errors.js";
import { describeViolation, pathOfViolation } from "./violations.js";

/** Validates the requests of all protocols. */
export interface Validator {
  /**
   * Checks a request against the rules of its definition, and against limits that rules cannot
   * express.
   *
   * @throws INVALID_ARGUMENT (INVALID_FIELD) when a field breaks a rule or limit; names the paths
   *   of the first ten such fields and counts the rest
   */
  validate<M extends DescMessage>(schema: M, message: MessageShape<M>): void;
}

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
      if (violations.length > 0) {
        throw errorOf(
          violations,
          ({ field }) => field,
          ({ description }) => description,
        );
      }
      const result = rules.validate(schema, message);
      if (result.kind === "error") throw result.error;
      if (result.kind === "invalid") {
        throw errorOf(result.violations, pathOfViolation, (violation) =>
          describeViolation(violation, message),
        );
      }
    },
  };
}

/**
 * Returns one error for the violations. Keeps only the first violation of each field. Requires:
 * there is a violation.
 */
function errorOf<V>(
  violations: readonly V[],
  fieldOf: (violation: V) => string,
  describe: (violation: V) => string,
): VademecumError {
  const seen = new Set<string>();
  const faulty = new FaultyFields();
  for (const violation of violations) {
    const field = fieldOf(violation);
    if (seen.has(field)) continue;
    seen.add(field);
    faulty.add(field, () => describe(violation));
  }
  const { text, details } = faulty.describe();
  return new VademecumError("INVALID_ARGUMENT", "INVALID_FIELD", text, details);
}
