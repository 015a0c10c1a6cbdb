import { VademecumError } from "../model/errors.js";
import type { Memory } from "../model/memory.js";
import { anonymous, hasRole, identityOf, type Principal } from "../model/principal.js";

/** Returns the writer to store with content that the principal of this name writes. */
export function writerOf(name: string): Pick<Memory, "writtenBy"> {
  return name === anonymous.name ? {} : { writtenBy: identityOf({ name }) };
}

/**
 * Checks that a caller may change, supersede or delete a memory without a review: it wrote the
 * content, or is a curator. Otherwise an agent could undo what a person has approved.
 *
 * @param field the field of the request that names the memory
 * @throws PERMISSION_DENIED (ROLE_REQUIRED) when another principal wrote the content
 */
export function requireWriter(principal: Principal, memory: Memory, field: string): void {
  if (hasRole(principal, "curator")) return;
  if (memory.writtenBy === identityOf(principal)) return;
  throw new VademecumError(
    "PERMISSION_DENIED",
    "ROLE_REQUIRED",
    `your credentials did not write memory '${memory.id}', so this call needs the role 'curator'; ` +
      "call ProposeEdit, or ask the operator for the role",
    { field, metadata: { roles: "curator" } },
  );
}
