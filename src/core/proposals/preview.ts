import type { Instant } from "../model/instant.js";
import type { Namespace } from "../model/namespace.js";
import { hasTexts, isOverdue, type Proposal } from "../model/proposal.js";
import type { Snapshot } from "../ports/store.js";
import { isBlank } from "../text/blank.js";
import type { EditResult } from "./edit.js";
import type { Applicability, ProposalPreview } from "./service.js";
import { editTarget, readTarget, textOf, versionOf } from "./target.js";
import { shownDiff, unifiedDiff } from "./unified-diff.js";

/**
 * Returns what the approval of a proposal would do now. `undefined`: the proposal cannot be
 * approved any more.
 */
export async function previewOf(
  snapshot: Snapshot,
  userId: string,
  proposal: Proposal,
  now: Instant,
): Promise<ProposalPreview | undefined> {
  if (proposal.status !== "PENDING" || isOverdue(proposal, now) || !hasTexts(proposal))
    return undefined;
  const namespace: Namespace = { userId, agentId: proposal.agentId };
  const creates = proposal.baseVersion === 0;
  const found = await readTarget(snapshot, namespace, proposal.target, now, creates);
  const targetVersion = versionOf(found);
  if (found === undefined)
    return { applicability: "TARGET_GONE", targetVersion, diff: "", truncated: false };
  const currentText = textOf(found);
  const result = editTarget(found, proposal, proposal);
  const applicability = applicabilityOf(proposal, currentText, result);
  const preview = {
    applicability,
    targetVersion,
    ...(!(creates && targetVersion === 0) && { currentText }),
  };
  if (result.kind !== "applied" || applicability === "RESULT_REFUSED")
    return { ...preview, diff: "", truncated: false };
  const from = `version ${targetVersion}`;
  return {
    ...preview,
    resultText: result.text,
    ...shownDiff(unifiedDiff(currentText, result.text, from, "proposal")),
  };
}

function applicabilityOf(
  { target, baseText }: Proposal,
  text: string,
  result: EditResult,
): Applicability {
  switch (result.kind) {
    case "missing":
      return "OLD_STRING_GONE";
    case "ambiguous":
      return "OLD_STRING_AMBIGUOUS";
    case "changed":
      return "TEXT_CHANGED";
    case "too large":
      return "RESULT_REFUSED";
    case "applied":
      if (target.kind === "memory" && isBlank(result.text)) return "RESULT_REFUSED";
      return text === baseText ? "APPLIES" : "APPLIES_TO_CHANGED_TEXT";
  }
}
