import { type Job, JobKind } from "#gen/vademecum/v1/server_pb.js";

/** Returns what a job does, such as `reindex of user ada, agent guide, embedding, 5 of 10`. */
export function jobText({ kind, namespace, phase, done, total }: Job): string {
  const name = JobKind[kind]?.toLowerCase().replaceAll("_", " ") ?? "unknown";
  const where =
    namespace === undefined ? "" : ` of user ${namespace.userId}, agent ${namespace.agentId}`;
  const share = total > 0n ? `, ${done} of ${total}` : done > 0n ? `, ${done}` : "";
  return `${name}${where}${phase === "" ? "" : `, ${phase.toLowerCase()}`}${share}`;
}
