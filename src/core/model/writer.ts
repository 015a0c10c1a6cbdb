import { VademecumError } from "./errors.js";
import { anonymous, hasRole, identityOf, type Principal } from "./principal.js";

/** A record that knows which principal wrote its content. */
export interface WrittenRecord {
  readonly id: string;
  /** The identity of the principal. Absent: nobody with credentials wrote it. */
  readonly writtenBy?: string;
}

/** Returns the writer to store with content that the principal of this name writes. */
export function writerOf(name: string): Pick<WrittenRecord, "writtenBy"> {
  return name === anonymous.name ? {} : { writtenBy: identityOf({ name }) };
}

/** Whether `requireWriter` lets a caller change a record. */
export function isWriter(principal: Principal, { writtenBy }: WrittenRecord): boolean {
  return hasRole(principal, "curator") || writtenBy === identityOf(principal);
}

/** What a caller can do instead of changing a record that another principal wrote. */
const alternatives = {
  memory: "call ProposeEdit",
  skill: "store a skill without an id",
} as const;

/**
 * Checks that a caller may change or delete a record without a review: it wrote the content, or is
 * a curator. Otherwise an agent could undo what a person has approved, or change what another agent
 * has learned.
 *
 * @param field the field of the request that names the record
 * @throws PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote the content
 */
export function requireWriter(
  principal: Principal,
  record: WrittenRecord,
  field: string,
  kind: keyof typeof alternatives = "memory",
): void {
  if (isWriter(principal, record)) return;
  throw new VademecumError(
    "PERMISSION_DENIED",
    "ROLE_REQUIRED",
    `your credentials did not write ${kind} '${record.id}', so this call needs the role 'curator'; ` +
      `${alternatives[kind]}, or ask the operator for the role`,
    { field, metadata: { roles: "curator" } },
  );
}
