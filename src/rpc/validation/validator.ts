import { create, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { createValidator as createRuleValidator } from "@bufbuild/protovalidate";
import { type FieldViolation, VademecumError } from "../../core/model/errors.js";
import { type ContentCheck, compileContentCheck } from "./content-checks.js";
import { describeViolation } from "./violations.js";

/** The one validation layer, for all protocols. */
export interface Validator {
  /**
   * Checks a request against the rules of its definition, and what rules cannot say.
   * @throws INVALID_ARGUMENT (INVALID_FIELD) with the path of each field at fault
   */
  validate<M extends DescMessage>(schema: M, message: MessageShape<M>): void;
}

/** More violations than fit into an error need no description. */
const describedMax = 20;

/** Compiles the rules of a message type once, however many validators a process has. */
const rules = createRuleValidator();

/**
 * Makes a validator. Checks are compiled once for each message type: for those given at once, so that no caller waits (the first rules take a
 * tenth of a second), for others when they are met.
 */
export function createValidator(schemas: Iterable<DescMessage> = []): Validator {
  const contentChecks = new Map<DescMessage, ContentCheck>();
  const contentCheckOf = (schema: DescMessage) => {
    const compiled = contentChecks.get(schema) ?? compileContentCheck(schema);
    contentChecks.set(schema, compiled);
    return compiled;
  };
  for (const schema of schemas) {
    contentCheckOf(schema);
    rules.validate(schema, create(schema));
  }
  return {
    validate(schema, message) {
      const violations: FieldViolation[] = [];
      contentCheckOf(schema)(message, "", violations);
      // Rules come second: they fail on Timestamps out of range, and overlong lists make them slow.
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

function invalidRequest(violations: readonly FieldViolation[]): VademecumError {
  const [first] = violations;
  const fields = violations.filter(
    ({ field }, index) => violations.findIndex((other) => other.field === field) === index,
  );
  const more = fields.length === 1 ? "" : ` (and ${fields.length - 1} more, see the details)`;
  return new VademecumError(
    "INVALID_ARGUMENT",
    "INVALID_FIELD",
    `${first?.field}: ${first?.description}${more}`,
    { fields },
  );
}
