import type { Proposal } from "#gen/vademecum/v1/proposal_pb.js";

/** Names the target of a proposal for a sentence. */
export function targetName({ namespace, target }: Proposal): string {
  const kind = target.case === "blockLabel" ? "block" : "memory";
  return `${kind} ${target.value ?? ""} of ${namespace?.userId ?? ""}`;
}
