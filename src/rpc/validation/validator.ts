import { create, type DescFile, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { createValidator as createRuleValidator } from "@bufbuild/protovalidate";
import { file_buf_validate_validate } from "#gen/buf/validate/validate_pb.js";
import { type FieldViolation, VademecumError } from "../../core/model/errors.js";
import { nextTurn } from "../../core/requests/pause.js";
import { type ContentCheck, compileContentCheck } from "./content-checks.js";
import { FaultyFields } from "./field-errors.js";
import { describeViolation, pathOfViolation } from "./violations.js";

/** Validates the requests of all protocols. */
export interface Validator {
  /**
   * Checks a request against the rules of its definition, and against limits that rules cannot
   * express.
   *
   * @throws INVALID_ARGUMENT (INVALID_FIELD) when a field breaks a rule or limit; the error names
   *   the paths of the first ten such fields and counts the rest
   */
  validate<M extends DescMessage>(schema: M, message: MessageShape<M>): void;
}

/** The validator of the library. Compiles the rules of a message type on its first use. */
const rules = createRuleValidator();

/**
 * Compiles the rules of message types, so that their first requests do not delay other calls. Lets
 * other calls run between two types.
 *
 * The first rule for strings compiles all kinds of rules for strings; the same holds for numbers
 * and lists. Small types come first, because they have few kinds of values. This order halves the
 * longest time without a pause.
 */
export async function compileRules(schemas: readonly DescMessage[]): Promise<void> {
  for (const schema of schemas.toSorted((a, b) => fieldCount(a) - fieldCount(b))) {
    await nextTurn();
    rules.validate(schema, create(schema));
  }
}

/** Returns the number of fields of a message type and of all types in it. */
function fieldCount(schema: DescMessage, counted = new Set<DescMessage>()): number {
  if (counted.has(schema)) return 0;
  counted.add(schema);
  const inside = schema.fields.map(({ message }) =>
    message === undefined ? 0 : fieldCount(message, counted),
  );
  return inside.reduce((sum, count) => sum + count, schema.fields.length);
}

/** The checks of a message type. */
interface Checks {
  readonly content: ContentCheck;
  readonly hasRules: boolean;
}

/** Creates a validator. It compiles the checks of a message type on first use. */
export function createValidator(): Validator {
  const known = new Map<DescMessage, Checks>();
  const checksOf = (schema: DescMessage): Checks => {
    const checks = known.get(schema) ?? {
      content: compileContentCheck(schema),
      hasRules: importsRules(schema.file),
    };
    known.set(schema, checks);
    return checks;
  };
  return {
    validate(schema, message) {
      const violations: FieldViolation[] = [];
      const { content, hasRules } = checksOf(schema);
      content(message, "", violations);
      // The rules come second: they fail on Timestamps out of range, and are slow on long lists.
      if (violations.length > 0) {
        throw errorOf(
          violations,
          ({ field }) => field,
          ({ description }) => description,
        );
      }
      if (!hasRules) return;
      const result = rules.validate(schema, message);
      if (result.kind === "error") throw result.error;
      if (result.kind === "invalid") {
        throw errorOf(
          result.violations,
          (violation) => pathOfViolation(violation, schema),
          (violation) => describeViolation(violation, message),
        );
      }
    },
  };
}

/** Whether messages of a file, or messages that they contain, can have rules. */
function importsRules({ dependencies }: DescFile): boolean {
  return dependencies.some(
    (file) => file.name === file_buf_validate_validate.name || importsRules(file),
  );
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
