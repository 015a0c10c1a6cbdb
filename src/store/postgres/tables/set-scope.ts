import type { Session } from "../session/connection.js";

/** Limits the transaction to the records of one scope: row policies hide all others. */
export function setScope(session: Session, { uuid }: { readonly uuid: string }): Promise<unknown> {
  return session.run(`set local vm.scope = '${uuid}'`);
}
