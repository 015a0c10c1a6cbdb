import { Confidence, type Proposal } from "#gen/vademecum/v1/proposal_pb.js";
import { Applicability } from "#gen/vademecum/v1/proposal_service_pb.js";
import { addsHidden, hiddenNames } from "../hidden.js";

/** Places of a replacement above which a person must press the key twice. */
const placesMax = 5;

/** Returns the words of an edit that an approver may change. */
export function proposedWords({ change, newString }: Proposal): string {
  return change.case === undefined ? newString : change.value;
}

/**
 * Returns the text that an edit makes, for a preview while somebody types. The server applies the
 * edit itself.
 */
export function applyEdit(proposal: Proposal, current: string, words: string): string {
  const { change, oldString, replaceAll } = proposal;
  if (change.case === "newBody") return words;
  if (change.case === "append")
    return current === "" || current.endsWith("\n") ? current + words : `${current}\n${words}`;
  if (oldString === "") return words;
  if (replaceAll) return current.split(oldString).join(words);
  const at = current.indexOf(oldString);
  return at < 0 ? current : current.slice(0, at) + words + current.slice(at + oldString.length);
}

/** Returns the reasons for which an approval needs a second key. */
export function doubts(
  proposal: Proposal,
  applicability: Applicability,
  before: string,
  after: string,
): readonly string[] {
  const { confidence, oldString, replaceAll } = proposal;
  const places = replaceAll && oldString !== "" ? before.split(oldString).length - 1 : 1;
  return [
    confidence === Confidence.LOW && "the agent is not sure",
    applicability === Applicability.APPLIES_TO_CHANGED_TEXT &&
      "the text has changed since the proposal",
    after.length < before.length / 2 && "more than half of the text goes",
    addsHidden(before, after) && `hidden characters come in (${hiddenNames(after).join(", ")})`,
    places > placesMax && `the edit changes ${places} places`,
  ].filter((reason) => reason !== false);
}
