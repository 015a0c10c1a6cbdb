import { Confidence, type Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import { Applicability } from "#gen/vademecum/v1/proposal_service_pb.js";

/** The states by which the inbox groups what waits. */
export const groups = ["ready", "changed", "stale", "repeats"] as const;
export type Group = (typeof groups)[number];

export const groupNames: Readonly<Record<Group, string>> = {
  ready: "Ready",
  changed: "Changed since",
  stale: "Stale",
  repeats: "Repeats",
};

/** Returns the group of a proposal. One that was not checked yet counts as ready. */
export function groupOf(proposal: Proposal, applicability: Applicability | undefined): Group {
  if (applicability !== undefined && isStale(applicability)) return "stale";
  if (proposal.repeatOf !== undefined) return "repeats";
  return applicability === Applicability.APPLIES_TO_CHANGED_TEXT ? "changed" : "ready";
}

/** Whether an approval would fail. */
export function isStale(applicability: Applicability): boolean {
  return staleReasons[applicability] !== undefined;
}

/** Why an edit cannot be applied, in a few words. */
export const staleReasons: Partial<Record<Applicability, string>> = {
  [Applicability.OLD_STRING_GONE]: "the old text is gone",
  [Applicability.OLD_STRING_AMBIGUOUS]: "the old text occurs several times",
  [Applicability.TARGET_GONE]: "the target was deleted",
  [Applicability.RESULT_REFUSED]: "the result would be too large, or empty",
  [Applicability.TEXT_CHANGED]: "the text has changed, and the edit replaces all of it",
};

/** What the inbox shows only a part of. Empty values mean all. */
export interface InboxFilter {
  readonly user: string;
  readonly agent: string;
  readonly target: string;
}

/** Whether a proposal passes a filter. */
export function passes({ namespace, target }: Proposal, filter: InboxFilter): boolean {
  return (
    (filter.user === "" || namespace?.userId === filter.user) &&
    (filter.agent === "" || namespace?.agentId === filter.agent) &&
    (filter.target === "" || target.value === filter.target)
  );
}

/** Whether two proposals change the same block or memory. */
export function haveSameTarget(one: Proposal, other: Proposal): boolean {
  return (
    one.namespace?.userId === other.namespace?.userId &&
    one.target.case === other.target.case &&
    one.target.value === other.target.value &&
    (one.target.case === "blockLabel" || one.namespace?.agentId === other.namespace?.agentId)
  );
}

const places = new WeakMap<Proposal, string>();

/** Returns the place of an edit: proposals at the same place overtake each other. */
export function placeOf(proposal: Proposal): string {
  const known = places.get(proposal);
  if (known !== undefined) return known;
  const { namespace, target, oldString, change } = proposal;
  const agent = target.case === "memoryId" ? namespace?.agentId : "";
  const parts = [namespace?.userId, target.case, agent, target.value, change.case, oldString];
  const found = JSON.stringify(parts);
  places.set(proposal, found);
  return found;
}

export const confidenceNames: Readonly<Record<Confidence, string>> = {
  [Confidence.UNSPECIFIED]: "MEDIUM",
  [Confidence.LOW]: "LOW",
  [Confidence.MEDIUM]: "MEDIUM",
  [Confidence.HIGH]: "HIGH",
};
