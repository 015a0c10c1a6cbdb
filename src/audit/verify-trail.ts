import { daysIn, fileOf, linesIn } from "./audit-files.js";
import { type ChainEnd, type ChainLine, chainStart, readLine } from "./chain.js";

/** The first place at which a trail is not as it was written. */
export interface TrailFault {
  /** Path of the file. */
  readonly file: string;
  /** The line in the file, from 1 on. */
  readonly line: number;
  /** What was removed, changed or added. */
  readonly what: string;
}

/** The result of a check of a trail. */
export interface TrailReport {
  /** Number of lines that were read. */
  readonly lines: number;
  /** Number of the first line. Greater than 1 if the server has removed old files. */
  readonly first: number | undefined;
  readonly last: ChainEnd | undefined;
  /** Absent: the chain holds. */
  readonly fault?: TrailFault;
  /** Bytes after the last line: a line that was not written to its end, as after a crash. */
  readonly tornBytes: number;
}

/**
 * Checks the chain of an audit trail up to its first fault. A trail from whose end lines were
 * removed looks like one that was written up to there.
 *
 * @throws Error of the system when a file cannot be read
 */
export async function verifyTrail(folder: string): Promise<TrailReport> {
  const check = createCheck();
  const days = await daysIn(folder);
  let tornBytes = 0;
  for (const day of days) {
    const file = fileOf(folder, day);
    let line = 0;
    for await (const { text, isWhole } of linesIn(file)) {
      line++;
      if (!isWhole && day === days.at(-1)) tornBytes = Buffer.byteLength(text);
      else check.take(text, { file, line });
      if (check.fault() !== undefined) return check.report(0);
    }
  }
  return check.report(tornBytes);
}

type Place = Omit<TrailFault, "what">;

/** A line that was checked, and where it is. */
interface Checked extends ChainLine {
  readonly place: Place;
}

function createCheck(): {
  take(text: string, place: Place): void;
  fault(): TrailFault | undefined;
  report(tornBytes: number): TrailReport;
} {
  let lines = 0;
  let first: Checked | undefined;
  let last: Checked | undefined;
  let fault: TrailFault | undefined;
  /** The last line that the server says it has removed for its age. */
  let removed = chainStart;
  return {
    take(text, place) {
      const line = readLine(text);
      fault = faultOf(line, place, last);
      if (line === undefined || fault !== undefined) return;
      last = { ...line, place };
      first ??= last;
      lines++;
      const { event, through, throughHash } = line.fields;
      if (event === "removed" && typeof through === "number" && typeof throughHash === "string")
        removed = { number: through, hash: throughHash };
    },
    fault: () => fault,
    report(tornBytes) {
      const found = fault ?? (first && beginningFault(first, removed));
      const end = last && { number: last.number, hash: last.hash };
      return { lines, first: first?.number, last: end, tornBytes, ...(found && { fault: found }) };
    },
  };
}

/** Returns the fault of a line that follows `last`. */
function faultOf(
  line: ChainLine | undefined,
  place: Place,
  last: Checked | undefined,
): TrailFault | undefined {
  if (line === undefined) return { ...place, what: "this is no line of the audit trail" };
  const { number, previous, isIntact } = line;
  if (last !== undefined && number <= last.number)
    return { ...place, what: `line number ${number} was added: the number was there before` };
  if (!isIntact) return { ...place, what: `line number ${number} was changed` };
  if (last === undefined) return undefined;
  if (number > last.number + 1)
    return { ...place, what: `${numbers(last.number + 1, number - 1)} removed before this line` };
  if (previous !== last.hash)
    return { ...last.place, what: `line number ${last.number} was changed, with its hash` };
  return undefined;
}

/** Returns the fault of a trail that does not begin with the first line. */
function beginningFault({ number, previous, place }: Checked, removed: ChainEnd) {
  const before = number - 1;
  const isFirst = before === 0 && previous === chainStart.hash;
  const isRemovedForAge =
    before < removed.number || (before === removed.number && previous === removed.hash);
  if (isFirst || isRemovedForAge) return undefined;
  return before === 0
    ? { ...place, what: `line number ${number} was changed, with its hash` }
    : { ...place, what: `${numbers(1, before)} removed before this line` };
}

function numbers(from: number, to: number): string {
  return from === to ? `line number ${from} was` : `lines number ${from} to ${to} were`;
}
