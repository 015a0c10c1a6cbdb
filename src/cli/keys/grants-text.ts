import type { Grants } from "../../credentials/stored-principal.js";

/** Returns lines that say what a principal may do. */
export function grantsText(grants: Grants): string[] {
  const { roles = [], users = [], agents = [], runs = [], tools = [], tenant } = grants;
  const lists = { roles, users, agents, runs, tools };
  const lines = Object.entries(lists).map(
    ([name, values]) => `  ${name}: ${values.length === 0 ? "none" : values.join(", ")}`,
  );
  return tenant === undefined ? lines : [...lines, `  tenant: ${tenant}`];
}
