import { instantOfMillis } from "../../src/core/model/instant.js";
import type { Embedder } from "../../src/core/ports/embedder.js";
import { createBenchService } from "../harness/bench-service.js";
import type { SearchCase } from "./cases.js";
import type { Hit } from "./judge.js";

/** Answers a case over its memories and noise. */
export type AnswerCase = (one: SearchCase, noise: readonly string[]) => Promise<readonly Hit[]>;

/**
 * Creates a service and returns a function that answers cases through it, each in a namespace of
 * its own. The clock of the service shows the time of the case.
 *
 * @param embedder absent: keywords alone
 */
export async function openSearchAnswers(embedder: Embedder | undefined): Promise<AnswerCase> {
  let nowMs = 0;
  const service = await createBenchService(embedder, { nowMs: () => nowMs });
  return async (one, noise) => {
    const { kind, name, memories, query, budgetTokens, limit, timeRange } = one;
    ({ nowMs } = one);
    const namespace = `${kind}, ${name}`;
    const before = noise.length / 2;
    for (const content of noise.slice(0, before)) await service.add(namespace, { content });
    const caseIds = new Map<string, string>();
    for (const [caseId, memory] of memories)
      caseIds.set(await service.add(namespace, memory), caseId);
    for (const content of noise.slice(before)) await service.add(namespace, { content });
    const { hits } = await service.search(namespace, query, {
      budgetTokens,
      ...(limit !== undefined && { limit }),
      ...(timeRange !== undefined && { filter: { timeRange: instantsOf(timeRange) } }),
    });
    return hits.map(({ memory, scores, tokens }) => ({
      id: caseIds.get(memory.id),
      content: memory.content,
      tokens,
      relevance: scores.relevance,
    }));
  };
}

function instantsOf({ startMs, endMs }: NonNullable<SearchCase["timeRange"]>) {
  return { start: instantOfMillis(startMs), end: instantOfMillis(endMs) };
}
