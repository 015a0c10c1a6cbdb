/** The kinds of harm that no fault may do. A run passes if each was counted 0 times. */
export type Harm =
  /** An acknowledged write is missing, or its record has an older value. */
  | "lost"
  /**
   * A record is in a state that no call can have produced, such as a value that nobody wrote, or
   * half of a write.
   */
  | "wrong"
  /** A call that was repeated with its idempotency key happened twice. */
  | "doubled"
  /** A record that was deleted, or has expired, is there again. */
  | "back from deletion"
  /** A decision about a proposal was applied without its edit, or the edit without the decision. */
  | "half approved"
  /** A search does not find a record that a listing contains. */
  | "not searchable"
  /** A record of another user, agent or run was returned. */
  | "leaked"
  /** A damaged folder opens, and its records differ without an error. */
  | "silent damage"
  /** Damage that no check of the folder finds, although a read fails. */
  | "unverified damage"
  /**
   * A restored backup of the readable records of a damaged folder has a record that nobody wrote,
   * lacks a readable record, or lacks a record although nothing was listed as missing.
   */
  | "bad rescue"
  /** `verify` has findings in a folder that was not damaged. */
  | "unsound folder"
  /** Ids or times are not in the order of writing. */
  | "out of order"
  /** The server did not start, stop or refuse as it should. */
  | "wrong process state"
  /** Memory, descriptors or files grow in the second half of a run. */
  | "growing"
  /** A call failed in a way that the fault does not explain. */
  | "unexpected error";

/** Maximum number of descriptions that are kept and reported. Further harm is only counted. */
const describedMax = 50;

/** Counts what happened in a run, and the harm that was seen. */
export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #harms = new Map<Harm, number>();
  /** The harm, in words. */
  readonly described: string[] = [];

  readonly #report: (line: string) => void;

  /**
   * `checked`: the kinds of harm that the run looks for. The table lists them, even with a count of
   * 0. `report` receives a line for each of the first 50 harms.
   */
  constructor(checked: readonly Harm[], report: (line: string) => void) {
    this.#report = report;
    for (const harm of [...checked, "unexpected error" as const]) this.#harms.set(harm, 0);
  }

  /** Adds to a count. */
  count(name: string, by = 1): void {
    this.#counts.set(name, this.of(name) + by);
  }

  /** Returns a count; 0 if nothing was added to it. */
  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** Counts harm, and describes it. */
  harm(harm: Harm, what: string): void {
    this.#harms.set(harm, (this.#harms.get(harm) ?? 0) + 1);
    if (this.described.length === describedMax) return;
    this.described.push(`${harm}: ${what}`);
    this.#report(`${harm}: ${what}`);
  }

  /** Whether there was no harm. */
  get isSound(): boolean {
    return [...this.#harms.values()].every((count) => count === 0);
  }

  /** Returns all counts in one line. */
  line(): string {
    const harmed = [...this.#harms].filter(([, count]) => count > 0);
    return [...this.#counts, ...harmed].map(([name, count]) => `${name} ${count}`).join(", ");
  }

  /** Returns all counts as a table. */
  table(): string {
    const counts = [...this.#counts].map(([name, count]) => [name, count, ""] as const);
    const harms = [...this.#harms].map(
      ([name, count]) => [name, count, count === 0 ? "as it must be" : "must be 0"] as const,
    );
    const rows = [...counts, ...harms];
    const width = Math.max(...rows.map(([name]) => name.length));
    return rows
      .map(([name, count, note]) => {
        const number = count.toLocaleString("en").padStart(12);
        return `${name.padEnd(width)}${number}  ${note}`.trimEnd();
      })
      .join("\n");
  }
}
