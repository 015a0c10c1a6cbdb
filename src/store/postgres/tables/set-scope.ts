import type { Session } from "../session/connection.js";

/** Sets the scope whose records row policies show, until the end of the transaction. */
export function setScope(session: Session, { uuid }: { readonly uuid: string }): Promise<unknown> {
  return session.run(`set local vm.scope = '${uuid}'`);
}
