import { daysIn, fileOf, linesIn } from "./audit-files.js";
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

/** A line about a call, or about the trail itself. */
export type FoundLine = Readonly<Record<string, unknown>>;

/**
 * Finds lines of an audit trail, the oldest first. Without `user` and `run`, finds all lines. Finds
 * none of a user whose key was deleted, or whom no line is about.
 *
 * @throws Error of the system when a file cannot be read
 */
export async function* findLines(
  folder: string,
  { tenant, user, run, agent, id }: LineQuery,
): AsyncGenerator<FoundLine> {
  const kind = user === undefined ? "run" : "user";
  const scope = user ?? run;
  const pseudonym =
    scope === undefined
      ? undefined
      : await (await readPseudonyms(folder))({ tenant, kind, id: scope });
  if (scope !== undefined && pseudonym === undefined) return;
  const short = (of: "user" | "run" | "agent" | "id", value: string | undefined) =>
    value === undefined ? undefined : pseudonym?.(of, value);
  const wanted = {
    user: short("user", user),
    run: short("run", run),
    agent: short("agent", agent),
  };
  const wantedId = short("id", id);
  const isWanted = (line: FoundLine): boolean =>
    Object.entries(wanted).every(([name, value]) => value === undefined || line[name] === value) &&
    (wantedId === undefined || (Array.isArray(line["ids"]) && line["ids"].includes(wantedId)));
  for (const day of await daysIn(folder))
    for await (const { text } of linesIn(fileOf(folder, day))) {
      const read = readLine(text);
      if (read !== undefined && isWanted(read.fields))
        yield { number: read.number, ...read.fields };
    }
}
