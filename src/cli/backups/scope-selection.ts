import { type Command, InvalidArgumentError } from "commander";
import type { Scope } from "../../core/model/namespace.js";
import {
  allSlots,
  holdsScope,
  overlap,
  type SlotRange,
  slotOf,
} from "../../core/model/slot-range.js";
import { CommandFailure } from "../command-io.js";
import { collectValues } from "../option-values.js";
import { printable } from "../printable.js";

/** The scopes that a command works on. */
export interface ScopeSelection {
  /** Whether the command works on all scopes. */
  readonly isAll: boolean;
  /** The named users. */
  readonly users: readonly string[];
  /** The slots of the scopes. No two ranges overlap. */
  readonly ranges: readonly SlotRange[];
  readonly has: (scope: Scope) => boolean;
}

interface SelectionOptions {
  readonly user?: readonly string[];
  readonly range?: readonly SlotRange[];
}

/** Adds the options `--user` and `--range`. `verb` says what the command does, as in "Move". */
export function addSelection(command: Command, verb: string): Command {
  return command
    .option(
      "--user <id>",
      `${verb} only this user. Can be repeated. Default: all users, runs and manifests.`,
      collectValues,
    )
    .option(
      "--range <first-last>",
      `${verb} only the users and runs in a range of slots, such as 00000000-7fffffff for one half. ` +
        "The slot of a user is the first 8 hexadecimal digits of the SHA-256 of its id. Can be " +
        "repeated.",
      (text, previous: readonly SlotRange[] | undefined) => [...(previous ?? []), slotRange(text)],
    );
}

/**
 * Reads the options of `addSelection`.
 *
 * @throws CommandFailure when two ranges overlap
 */
export function selectionOf(command: Command): ScopeSelection {
  const { user = [], range = [] } = command.opts<SelectionOptions>();
  const users = [...new Set(user)];
  if (range.some((one, at) => range.slice(at + 1).some((other) => overlap(one, other))))
    throw new CommandFailure("--range: two ranges overlap", 2);
  const named = new Set(users);
  const isAll = users.length === 0 && range.length === 0;
  const points = new Set(users.map((userId) => slotOf({ kind: "user", userId })));
  const single = [...points].map((slot) => ({ first: slot, last: slot }));
  return {
    isAll,
    users,
    ranges: isAll
      ? [allSlots]
      : [...range, ...single.filter((point) => !range.some((it) => overlap(it, point)))],
    has: (scope) =>
      isAll ||
      (scope.kind === "user" && named.has(scope.userId)) ||
      range.some((it) => holdsScope(it, scope)),
  };
}

/**
 * Checks that every named user is among the scopes.
 *
 * @throws CommandFailure when a user is missing
 */
export function requireUsers(
  { users }: ScopeSelection,
  scopes: readonly Scope[],
  where: string,
): void {
  const found = new Set(scopes.map((scope) => (scope.kind === "user" ? scope.userId : undefined)));
  const missing = users.find((userId) => !found.has(userId));
  if (missing !== undefined)
    throw new CommandFailure(`--user: ${where} has no data of the user '${printable(missing)}'`);
}

function slotRange(text: string): SlotRange {
  const [, first = "", last = ""] = /^([\da-f]{8})-([\da-f]{8})$/i.exec(text) ?? [];
  const range = { first: Number.parseInt(first, 16), last: Number.parseInt(last, 16) };
  if (range.first <= range.last) return range;
  throw new InvalidArgumentError(
    "It must be two slots of 8 hexadecimal digits, such as 00000000-7fffffff.",
  );
}
