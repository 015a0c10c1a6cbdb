import type { Expected } from "../load/oracle.js";

/** A proposal, as the server must return it. */
export interface ProposalModel {
  readonly id: string;
  /** Index of the namespace of the agent that proposed it. */
  readonly namespace: number;
  /** The label of a block, or the id of a memory of the namespace. */
  readonly target: { readonly kind: "block" | "memory"; readonly name: string };
  readonly old: string;
  readonly new: string;
  status: "PENDING" | "APPROVED" | "REJECTED" | "CONFLICTED";
  /** Whether the texts are still there: a deletion of the target removes them. */
  hasTexts: boolean;
}

/** A skill, as the server must return it. */
export interface SkillModel {
  readonly lesson: string;
  successes: number;
}

/** A call with an idempotency key, and its first reply. */
export interface KeyedCall {
  readonly name: string;
  readonly send: () => Promise<unknown>;
  readonly reply: unknown;
  /**
   * The record that the call wrote, and how often it was deleted before. After a further deletion,
   * a repetition is a new call. Absent: a repetition gets the first reply for good.
   */
  readonly made?: { readonly target: string; readonly deletions: number };
  /** Changes the model after a repetition that was a new call. Absent: such calls are not made. */
  readonly redo?: ((reply: unknown) => void) | undefined;
}

/** Notes that a record was deleted. */
export function noteDeletion({ deletions }: Model, target: string): void {
  deletions.set(target, (deletions.get(target) ?? 0) + 1);
}

/** The whole content of the server, as plain maps. */
export interface Model {
  /** For each namespace: its memories by id, in the order of writing. */
  readonly memories: ReadonlyMap<string, Expected>[];
  /** For each namespace: its skills by id, in the order of writing. */
  readonly skills: Map<string, SkillModel>[];
  /** For each user: the bodies of all versions of each block, oldest first, by label. */
  readonly blocks: Map<string, string[]>[];
  /** For each user: all proposals, in the order of writing. */
  readonly proposals: ProposalModel[][];
  /** For each run: its values by key, in the order of the first write. */
  readonly keys: Map<string, string>[];
  readonly keyedCalls: KeyedCall[];
  /** How often each record was deleted, by `KeyedCall.made.target`. */
  readonly deletions: Map<string, number>;
}

export const userCount = 3;
export const agentCount = 2;
export const namespaceCount = userCount * agentCount;
export const runCount = 2;

/** Creates the model of an empty server. */
export function createModel(): Model {
  const each = <T>(count: number, create: () => T) => Array.from({ length: count }, create);
  return {
    memories: each(namespaceCount, () => new Map<string, Expected>()),
    skills: each(namespaceCount, () => new Map<string, SkillModel>()),
    blocks: each(userCount, () => new Map<string, string[]>()),
    proposals: each(userCount, (): ProposalModel[] => []),
    keys: each(runCount, () => new Map<string, string>()),
    keyedCalls: [],
    deletions: new Map(),
  };
}

/** Returns the index of the user of a namespace. */
export function userOf(namespace: number): number {
  return Math.floor(namespace / agentCount);
}

/** Returns an element of a list. Requires: the element exists. */
export function at<T>(list: readonly T[], index: number): T {
  const element = list[index];
  if (element === undefined) throw new Error(`there is no element ${index} of ${list.length}`);
  return element;
}

/** Picks one of the items by any whole number; `undefined` if there are none. */
export function pickFrom<T>(items: Iterable<T>, number: number): T | undefined {
  const list = [...items];
  return list[number % list.length];
}

/** Removes the texts of proposals about deleted targets. Pending proposals become conflicted. */
export function withdraw(
  proposals: readonly ProposalModel[],
  isAbout: (proposal: ProposalModel) => boolean,
): void {
  for (const proposal of proposals.filter(isAbout)) {
    proposal.hasTexts = false;
    if (proposal.status === "PENDING") proposal.status = "CONFLICTED";
  }
}

/** Removes the texts of the proposals about deleted memories of a namespace. */
export function withdrawMemories(
  model: Model,
  namespace: number,
  isDeleted: (id: string) => boolean,
): void {
  withdraw(
    at(model.proposals, userOf(namespace)),
    (proposal) =>
      proposal.target.kind === "memory" &&
      proposal.namespace === namespace &&
      isDeleted(proposal.target.name),
  );
}
