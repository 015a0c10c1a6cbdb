import type { ExplainedMemory } from "#gen/vademecum/v1/memory_provider_pb.js";

/** Stages with a score of their own. The other ones change the score of the stage before. */
const ownScores: ReadonlySet<string> = new Set(["keyword", "vector", "fused", "relevance", "gate"]);
/** Stages without a score. Why they dropped a memory is its outcome. */
const withoutScore: ReadonlySet<string> = new Set(["filter", "packing"]);

/**
 * Returns what a stage did with a memory: its score and rank, or the change of the score. Empty if
 * the stage changed nothing, or did not see the memory.
 */
export function stageCell({ stages }: Pick<ExplainedMemory, "stages">, name: string): string {
  const index = stages.findIndex((it) => it.name === name);
  const stage = stages[index];
  if (stage === undefined || withoutScore.has(name)) return "";
  if (stage.droppedReason !== "") return "✕";
  if (ownScores.has(name)) {
    if (stage.score === 0) return "";
    return `${stage.score.toFixed(2)}${stage.rank === undefined ? "" : ` #${stage.rank}`}`;
  }
  const before = stages.slice(0, index).findLast((it) => !["relevance", "gate"].includes(it.name));
  const change = stage.score - (before?.score ?? 0);
  if (Math.abs(change) < 0.0005) return "";
  return `${change > 0 ? "+" : "−"}${Math.abs(change).toFixed(3)}`;
}

/** Returns the score by which a memory is ranked. */
export function finalScore({ stages }: Pick<ExplainedMemory, "stages">): number | undefined {
  return stages.findLast(({ name, droppedReason }) => {
    return droppedReason === "" && !withoutScore.has(name) && !ownScores.has(name);
  })?.score;
}

/** Returns the names of the stages that did something with one of the memories, in their order. */
export function activeStages(memories: readonly Pick<ExplainedMemory, "stages">[]): string[] {
  const names = new Set(memories.flatMap(({ stages }) => stages.map(({ name }) => name)));
  return [...names].filter((name) => memories.some((memory) => stageCell(memory, name) !== ""));
}
