import { createHash } from "node:crypto";
import type { Scope } from "./namespace.js";

/** The greatest slot. Each scope has a slot, a number that `slotOf` computes from its id. */
export const lastSlot = 0xffff_ffff;

/** A range of slots, both ends included. A backup or a move takes the scopes of a range. */
export interface SlotRange {
  /** 0 to `lastSlot`. */
  readonly first: number;
  /** `first` to `lastSlot`. */
  readonly last: number;
}

/** All slots. */
export const allSlots: SlotRange = { first: 0, last: lastSlot };

/**
 * Returns the slot of a scope, 0 to `lastSlot`: the first four bytes of the SHA-256 digest of
 * `idOf(scope)`. The same user has the same slot in every tenant.
 */
export function slotOf(scope: Scope): number {
  return createHash("sha256").update(idOf(scope)).digest().readUInt32BE(0);
}

/** Whether a range contains the slot of a scope. */
export function holdsScope({ first, last }: SlotRange, scope: Scope): boolean {
  if (first === 0 && last === lastSlot) return true;
  const slot = slotOf(scope);
  return first <= slot && slot <= last;
}

/** Returns the id of a scope's user or run; empty for the server's scope. */
export function idOf(scope: Scope): string {
  switch (scope.kind) {
    case "user":
      return scope.userId;
    case "run":
      return scope.runId;
    case "server":
      return "";
  }
}

/** Whether two ranges have a slot in common. */
export function overlap(a: SlotRange, b: SlotRange): boolean {
  return a.first <= b.last && b.first <= a.last;
}

/** Returns the slots that two ranges have in common; `undefined` if there are none. */
export function intersection(a: SlotRange, b: SlotRange): SlotRange | undefined {
  if (!overlap(a, b)) return undefined;
  return { first: Math.max(a.first, b.first), last: Math.min(a.last, b.last) };
}

/** Removes the slots of `without` from a range. Returns the rest: at most two ranges. */
export function subtractRange(
  { first, last }: SlotRange,
  without: SlotRange,
): readonly SlotRange[] {
  if (!overlap({ first, last }, without)) return [{ first, last }];
  const rest: SlotRange[] = [];
  if (first < without.first) rest.push({ first, last: without.first - 1 });
  if (last > without.last) rest.push({ first: without.last + 1, last });
  return rest;
}
