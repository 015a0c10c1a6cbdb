import { computed, signal } from "@preact/signals";
import type { GetCallerResponse } from "#gen/vademecum/v1/access_service_pb.js";
import { apiKey } from "./key.js";
import { access, needsKey } from "./rpc.js";

/** Who uses the page, as the server sees it. */
export const caller = signal<GetCallerResponse | undefined>(undefined);

/** The roles that also open the calls of `reader`. */
const readingRoles = ["reader", "writer", "curator", "proposer", "approver"];

/**
 * Whether the person may make the calls of a role. What a person may not do is not drawn; the
 * server refuses it in any case.
 */
export function hasRole(
  role: "reader" | "approver" | "proposer" | "curator" | "operator",
): boolean {
  const roles = caller.value?.roles ?? [];
  return role === "reader" ? roles.some((it) => readingRoles.includes(it)) : roles.includes(role);
}

/** Whether everybody who can connect may do everything. */
export const isOpen = computed(() => caller.value?.credentialsInUse === false);

/** Asks the server who the person is. Without a key that the server knows, asks for one. */
export async function identify(): Promise<void> {
  try {
    const found = await access.getCaller({});
    caller.value = found;
    needsKey.value = found.credentialsInUse && found.principal === "nobody";
  } catch {
    // A call without a valid key has set `needsKey`. Any other failure shows on the pages.
    if (apiKey.value === undefined) caller.value = undefined;
  }
}
