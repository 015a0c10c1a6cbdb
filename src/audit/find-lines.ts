import type { AuditLine, AuditQuery } from "../core/ports/audit.js";
import type { Call } from "../core/ports/call.js";
import { dayOf, daysIn, fileOf, linesIn } from "./audit-files.js";
import { readLine } from "./chain.js";
import { readPseudonyms } from "./scope-keys.js";

/** Which lines to find. All conditions must hold. */
export interface LineQuery {
  /** Default: the data without a tenant. */
  readonly tenant: string;
  readonly user?: string;
  readonly run?: string;
  /** Requires: `user` or `run`. */
  readonly agent?: string;
  /** Id or label of a record. Requires: `user` or `run`. */
  readonly id?: string;
}

/**
 * Finds lines of an audit trail, the oldest first. Without `user` and `run`, finds all lines. Finds
 * none of a user whose key was deleted, or whom no line is about.
 *
 * @throws Error of the system when a file cannot be read
 */
export async function* findLines(folder: string, query: LineQuery): AsyncGenerator<AuditLine> {
  const isWanted = await filterOf(folder, query);
  for (const day of await daysIn(folder))
    for await (const line of linesOf(folder, day)) if (isWanted(line)) yield line;
}

/**
 * Finds the newest lines of a trail, the newest first. Reads the files from the newest on.
 *
 * @throws Error of the system when a file cannot be read
 */
export async function newestLines(
  folder: string,
  { sinceMs = 0, beforeNumber = Infinity, limit, ...query }: AuditQuery,
  call: Call,
): Promise<readonly AuditLine[]> {
  const isWanted = await filterOf(folder, query);
  const firstDay = dayOf(sinceMs);
  const since = new Date(sinceMs).toISOString();
  let found: readonly AuditLine[] = [];
  for (const day of (await daysIn(folder)).toReversed()) {
    if (day < firstDay || found.length >= limit) break;
    let ofDay: AuditLine[] = [];
    for await (const line of linesOf(folder, day)) {
      call.throwIfEnded();
      if (line.number >= beforeNumber) break;
      const { tenant = "", time } = line;
      if (tenant !== query.tenant || String(time) < since || !isWanted(line)) continue;
      ofDay.push(line);
      // Only the newest are wanted; the list is cut now and then.
      if (ofDay.length >= 2 * limit) ofDay = ofDay.slice(-limit);
    }
    found = [...found, ...ofDay.toReversed()].slice(0, limit);
  }
  return found;
}

/** Returns whether a line fits. None does if nobody knows the pseudonym of the user. */
async function filterOf(
  folder: string,
  { tenant, user, run, agent, id }: LineQuery,
): Promise<(line: AuditLine) => boolean> {
  const kind = user === undefined ? "run" : "user";
  const scope = user ?? run;
  const pseudonym =
    scope === undefined
      ? undefined
      : await (await readPseudonyms(folder))({ tenant, kind, id: scope });
  if (scope !== undefined && pseudonym === undefined) return () => false;
  const short = (of: "user" | "run" | "agent" | "id", value: string | undefined) =>
    value === undefined ? undefined : pseudonym?.(of, value);
  const wanted = {
    user: short("user", user),
    run: short("run", run),
    agent: short("agent", agent),
  };
  const wantedId = short("id", id);
  return (line) =>
    Object.entries(wanted).every(([name, value]) => value === undefined || line[name] === value) &&
    (wantedId === undefined || (Array.isArray(line["ids"]) && line["ids"].includes(wantedId)));
}

/** Reads the lines of a day that can be read. */
async function* linesOf(folder: string, day: string): AsyncGenerator<AuditLine> {
  for await (const { text } of linesIn(fileOf(folder, day))) {
    const read = readLine(text);
    if (read !== undefined) yield { ...read.fields, number: read.number };
  }
}
