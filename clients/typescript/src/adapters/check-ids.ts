/**
 * Checks that a program has chosen ids, also in JavaScript.
 *
 * @param ids the ids by their names, such as `{ userId, agentId }`
 * @throws TypeError when one of the ids is missing or empty
 */
export function checkIds(ids: Readonly<Record<string, unknown>>): void {
  for (const [name, id] of Object.entries(ids))
    if (typeof id !== "string" || id === "")
      throw new TypeError(`${name} is missing. Set it: there is no default.`);
}
