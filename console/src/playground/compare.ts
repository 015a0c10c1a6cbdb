import type { ExplainedMemory } from "#gen/vademecum/v1/memory_provider_pb.js";

type Explained = Pick<ExplainedMemory, "memory" | "returned">;

/** How the hits of two searches differ. */
export interface Difference {
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** Whether the hits of both searches have the same order. */
  readonly isSameOrder: boolean;
}

/** Returns the place of each hit in its result by the id of its memory. The first one has 1. */
export function placesOf(memories: readonly Explained[]): ReadonlyMap<string, number> {
  return new Map(hitsOf(memories).map((id, index) => [id, index + 1]));
}

/** Compares the hits of two searches. */
export function compareHits(first: readonly Explained[], second: readonly Explained[]): Difference {
  const [firstIds, secondIds] = [hitsOf(first), hitsOf(second)];
  const inSecond = new Set(secondIds);
  const inFirst = new Set(firstIds);
  const both = firstIds.filter((id) => inSecond.has(id));
  const sameInSecond = secondIds.filter((id) => inFirst.has(id));
  return {
    both: both.length,
    onlyFirst: firstIds.length - both.length,
    onlySecond: secondIds.length - both.length,
    isSameOrder: both.every((id, index) => id === sameInSecond[index]),
  };
}

function hitsOf(memories: readonly Explained[]): readonly string[] {
  return memories.filter(({ returned }) => returned).map(({ memory }) => memory?.id ?? "");
}
