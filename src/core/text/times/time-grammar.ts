import type { Atom } from "./time-atom.js";
import { TimeAtoms } from "./time-atoms.js";
import { timeUnits } from "./time-lexicon.js";
import type { TextToken } from "./time-tokens.js";
import type { TimeLanguage } from "./time-words.js";
import { bit, nowhere, TokenRow } from "./token-row.js";
import type { TimeExpression, TimeRelation, WrittenTime } from "./written-time.js";

/** Expressions that were read, and the position of the token after them. */
interface Read {
  readonly expressions: readonly TimeExpression[];
  readonly next: number;
}

/** Languages in which a relation stands after its time: "20日以降". */
const postpositional: ReadonlySet<TimeLanguage> = new Set(["chinese", "japanese", "finnish"]);
/** The relations, with those first whose words are a part of another's. */
const relations = ["until", "since", "before", "after"] as const satisfies readonly TimeRelation[];
/** What the first word of an expression cannot be. */
const inside =
  bit.and | bit.to | bit.onward | bit.not | bit.hours | bit.at | bit.other | bit.weak | bit.clock;

/** Reads the times of a text in one language. */
export class TimeGrammar {
  readonly #row: TokenRow;
  readonly #atoms: TimeAtoms;
  readonly #isPostpositional: boolean;

  constructor(tokens: readonly TextToken[], language: TimeLanguage) {
    this.#row = new TokenRow(tokens, language);
    this.#atoms = new TimeAtoms(this.#row, language);
    this.#isPostpositional = postpositional.has(language);
  }

  /**
   * Returns the expressions, and the number of characters that they take.
   *
   * @param onlyLong Leave out expressions of one word, unless the word is the whole text.
   */
  read(onlyLong: boolean): {
    readonly expressions: readonly TimeExpression[];
    readonly length: number;
  } {
    const expressions: TimeExpression[] = [];
    let length = 0;
    for (let at = 0; at < this.#row.length; ) {
      const read = this.#row.is(at, ~(inside | bit.fill)) ? this.#expression(at) : undefined;
      if (read === undefined) {
        at++;
        continue;
      }
      if (!onlyLong || read.next - at > 1 || this.#row.length === 1) {
        if (!this.#isExcluded(at)) expressions.push(...read.expressions);
        length += (this.#row.at(read.next - 1)?.end ?? 0) - (this.#row.at(at)?.start ?? 0);
      }
      at = read.next;
    }
    return { expressions, length };
  }

  /** Whether the words before a position exclude the time there: "not on 3 May". */
  #isExcluded(at: number): boolean {
    return this.#row.is(this.#row.before(at, bit.in | bit.fill), bit.not);
  }

  #expression(at: number): Read | undefined {
    const plain = this.#atoms.read(at, false);
    return (
      this.#bounded(at) ??
      this.#range(at) ??
      this.#inclusive(at) ??
      this.#related(at) ??
      this.#besideIn(at) ??
      this.#beside(at) ??
      (plain && related("at", plain))
    );
  }

  /** Reads "less than a year ago", "in more than two weeks", "hace más de un año". */
  #bounded(at: number): Read | undefined {
    const row = this.#row;
    const opening = row.is(at, bit.ago | bit.ahead) ? at : nowhere;
    const start = Number.isNaN(opening) ? at : opening + 1;
    const before = row.find(start, bit.less | bit.more);
    const number = row.find(Number.isNaN(before) ? start : before + 1, bit.number);
    const count = row.value(number, "number") ?? 1;
    const unitAt = row.find((Number.isNaN(number) ? before : number) + 1, bit.unit);
    const unit = timeUnits[row.value(unitAt, "unit") ?? nowhere];
    const after = Number.isNaN(before) ? row.find(unitAt + 1, bit.less | bit.more) : nowhere;
    const bound = Number.isNaN(before) ? after : before;
    const last = Number.isNaN(after) ? unitAt : after;
    const closing = row.find(last + 1, bit.ago | bit.ahead);
    const side = Number.isNaN(closing) ? opening : closing;
    if (unit === undefined || Number.isNaN(bound) || Number.isNaN(side)) return undefined;
    const sign = row.is(side, bit.ago) ? -1 : 1;
    const today = { kind: "offset", unit: "day", from: 0, to: 0 } as const;
    const time: WrittenTime = {
      kind: "beside",
      base: today,
      unit,
      count: sign * count,
      isSpan: false,
    };
    const next = (Number.isNaN(closing) ? last : closing) + 1;
    if (row.is(bound, bit.more))
      return { expressions: [{ relation: sign < 0 ? "before" : "after", time }], next };
    const [first, end] = sign < 0 ? [time, today] : [today, time];
    return { expressions: [{ relation: "between", time: first, last: end }], next };
  }

  /** Reads "on or before 3 May" and "vor oder am 3. Mai". */
  #inclusive(at: number): Read | undefined {
    const row = this.#row;
    const relation = bit.before | bit.after;
    const or = row.find(at + 1, bit.and);
    const other = row.find(or + 1, row.is(at, relation) ? bit.in : relation);
    if (!row.is(at, bit.in | relation) || Number.isNaN(other)) return undefined;
    const atom = this.#atoms.read(row.skip(other + 1, bit.in), true);
    const isBefore = row.is(row.is(other, relation) ? other : at, bit.before);
    return atom && related(isBefore ? "until" : "since", atom);
  }

  /** Reads "in the two weeks before 3 May": all days of the weeks. */
  #besideIn(at: number): Read | undefined {
    const row = this.#row;
    // "In two weeks" is a time ahead, "in the two weeks" is not.
    if (!row.is(at, bit.in) || (row.is(at, bit.ahead) && !row.is(at + 1, bit.fill)))
      return undefined;
    const read = row.is(row.find(at + 1, bit.number), bit.number)
      ? this.#beside(at + 1)
      : undefined;
    const [expression] = read?.expressions ?? [];
    if (read === undefined || expression?.time.kind !== "beside") return undefined;
    const time = { ...expression.time, isSpan: true };
    return { ...read, expressions: [{ relation: "at", time }] };
  }

  /** Reads "from … to …", "between … and …" or "3 May – 8 May". */
  #range(at: number): Read | undefined {
    const between = this.#row.is(at, bit.between);
    const opens = this.#row.is(at, bit.between | bit.from | bit.since);
    const first = this.#atoms.read(opens ? at + 1 : at, true);
    if (first === undefined) return undefined;
    const middle = this.#row.find(first.next, between ? bit.and | bit.to : bit.to | bit.until);
    const last = this.#atoms.read(this.#row.skip(middle + 1, bit.in), true);
    const [time, ...others] = first.times;
    const [end, ...otherEnds] = last?.times ?? [];
    if (last === undefined || time === undefined || end === undefined) return undefined;
    if (others.length + otherEnds.length > 0) return undefined;
    if (!opens && (first.isWeak || last.isWeak) && !this.#atoms.isSupported(at)) return undefined;
    const isClosed = this.#isPostpositional && this.#row.is(last.next, bit.until);
    const expressions = [{ relation: "between", time, last: end } as const];
    return { expressions, next: isClosed ? last.next + 1 : last.next };
  }

  /** Reads "before …" and the other relations, also after the time, as "20日以降". */
  #related(at: number): Read | undefined {
    // A word for several relations, such as "до", means the last one.
    for (const relation of relations.toReversed()) {
      if (!this.#row.is(at, bit[relation])) continue;
      const atom = this.#atoms.read(this.#row.skip(at + 1, bit.in), true);
      if (atom !== undefined) return related(relation, atom);
    }
    const isFrom = this.#row.is(at, bit.from);
    const atom = this.#atoms.read(isFrom ? at + 1 : at, isFrom);
    if (atom === undefined) return undefined;
    const onward = this.#row.find(atom.next, bit.onward);
    if (isFrom && this.#row.is(onward, bit.onward))
      return related("since", { ...atom, next: onward + 1 });
    if (!this.#isPostpositional) return this.#orRelated(atom);
    for (const relation of relations) {
      const found = this.#row.find(atom.next, bit[relation]);
      if (!this.#row.is(found, bit[relation])) continue;
      const next = found + 1;
      const isBeside = relation === "before" || relation === "after";
      return (
        (isBeside && this.#spanBeside(relation, atom, next)) || related(relation, { ...atom, next })
      );
    }
    return undefined;
  }

  /** Reads the weeks in "3月15日前一周" after the time and its relation. */
  #spanBeside(relation: "before" | "after", { times }: Atom, at: number): Read | undefined {
    const row = this.#row;
    const number = row.find(at, bit.number);
    const unitAt = row.find(Number.isNaN(number) ? at : number + 1, bit.unit);
    const unit = timeUnits[row.value(unitAt, "unit") ?? nowhere];
    const [base] = times;
    if (unit === undefined || base?.kind !== "date" || base.day === undefined) return undefined;
    const count = (relation === "before" ? -1 : 1) * (row.value(number, "number") ?? 1);
    const time = { kind: "beside", base, unit, count, isSpan: true } as const;
    return related("at", { times: [time], isWeak: false, next: unitAt + 1 });
  }

  /** Reads "3 May or later". */
  #orRelated(atom: Atom): Read | undefined {
    const or = this.#row.find(atom.next, bit.and);
    const isBefore = this.#row.is(or + 1, bit.before | bit.ago);
    const isAfter = this.#row.is(or + 1, bit.after | bit.ahead);
    if (isBefore === isAfter || this.#atoms.read(or + 2, true) !== undefined) return undefined;
    return related(isBefore ? "until" : "since", { ...atom, next: or + 2 });
  }

  /** Reads "two days after 3 May", "the week before 3 May" and "the week of 3 May". */
  #beside(at: number): Read | undefined {
    const row = this.#row;
    const number = row.find(at, bit.number);
    const count = row.value(number, "number");
    const last = row.find(at, bit.shift);
    const isLast = (row.value(last, "shift") ?? 0) < 0;
    const start = count === undefined ? (isLast ? last + 1 : at) : number + 1;
    const weekday =
      count === undefined ? row.value(row.find(start, bit.weekday), "weekday") : undefined;
    const unitAt = row.find(start, weekday === undefined ? bit.unit : bit.weekday);
    const unit = timeUnits[row.value(unitAt, "unit") ?? 0] ?? "day";
    const relation = row.find(unitAt + 1, bit.before | bit.after);
    const timeAt = (Number.isNaN(relation) ? unitAt : relation) + 1;
    // "Die Woche vom 4. Mai", but not "the week from 4 May to 10 May".
    const after = this.#atoms.read(row.skip(timeAt, bit.in | bit.from), true);
    const isOpen = row.is(row.find(timeAt, bit.from), bit.from);
    const isRange = isOpen && row.is(row.find(after?.next ?? nowhere, bit.to | bit.until), ~0);
    const atom = isRange ? undefined : after;
    const [base] = atom?.times ?? [];
    const sign = row.is(relation, bit.before) ? -1 : 1;
    if (Number.isNaN(relation)) {
      const isOne = count === undefined && !isLast && !Number.isNaN(unitAt);
      if (!isOne || atom === undefined || base?.kind !== "date" || base.day === undefined)
        return undefined;
      if (unit === "week") return related("at", { ...atom, times: [{ ...base, isWeek: true }] });
      return unit === "weekend"
        ? related("at", { ...atom, times: [{ ...base, isWeekend: true }] })
        : undefined;
    }
    if (atom === undefined || base === undefined)
      return this.#besideLast(weekday ?? unit, relation, sign);
    const time: WrittenTime = {
      kind: "beside",
      base,
      unit,
      count: sign * (count ?? 1),
      isSpan: count === undefined && weekday === undefined,
      ...(weekday !== undefined && { weekday }),
    };
    return related("at", { ...atom, times: [time] });
  }

  /** Reads "the week before last" and "the Monday after next" after the relation. */
  #besideLast(
    what: (typeof timeUnits)[number] | number,
    relation: number,
    sign: 1 | -1,
  ): Read | undefined {
    const shiftAt = this.#row.find(relation + 1, bit.shift);
    if (this.#row.value(shiftAt, "shift") !== sign) return undefined;
    const time: WrittenTime =
      typeof what === "string"
        ? { kind: "offset", unit: what, from: 2 * sign, to: 2 * sign }
        : {
            kind: "beside",
            base: { kind: "weekday", weekday: what, shift: sign },
            unit: "day",
            count: sign,
            isSpan: false,
            weekday: what,
          };
    return related("at", { times: [time], isWeak: false, next: shiftAt + 1 });
  }
}

function related(relation: TimeRelation, { times, next }: Atom): Read {
  // "Dal 3 al 9 giugno" begins as "dal 3 giugno" does, but is a range already.
  const isRange = times.some((time) => time.kind === "date" && time.lastDay !== undefined);
  const expressions = times.map((time) => {
    // The whole end of a month is before its end.
    const isEnd = (time.kind === "date" || time.kind === "offset") && time.part === 2;
    if (isEnd && relation === "before") return { relation: "until", time } as const;
    return { relation: isRange ? "at" : relation, time } as const;
  });
  return { expressions, next };
}
