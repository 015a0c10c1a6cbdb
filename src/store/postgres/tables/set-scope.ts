import { allOf, type Session } from "../session/connection.js";

/** Limits the transaction to the records of one scope: row policies hide all others. */
export function setScope(session: Session, { uuid }: { readonly uuid: string }): Promise<unknown> {
  return session.run(`set local vm.scope = '${uuid}'`);
}

/**
 * Lets the transaction list the records of `crossUserTables` of all users. It has no scope, so row
 * policies hide all other records.
 */
export function setAcrossUsers(session: Session): Promise<unknown> {
  return allOf([
    setScope(session, { uuid: noScope }),
    session.run("set local vm.across_users = 'on'"),
  ]);
}

/** No scope has this id. */
export const noScope = "00000000-0000-0000-0000-000000000000";
