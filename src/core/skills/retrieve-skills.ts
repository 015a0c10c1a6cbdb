import { instantOfMillis } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import { scopeOf } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { NamespaceIndex } from "../ports/search-index.js";
import { firstOfMessage } from "../requests/page.js";
import { compareNewestFirst } from "../requests/timeline.js";
import { fusedScore, relevanceOf } from "../search/scores.js";
import { embedTexts, noTextVectors } from "../vectors/text-vectors.js";
import {
  type GivenOrMade,
  type QueryVector,
  queryEmbedder,
  queryVectorFor,
} from "../vectors/vectors.js";
import type { SkillServiceParts } from "./parts.js";
import { readSkill } from "./skill-records.js";
import type { KnownSkill, RetrievedSkills, RetrieveSkillsQuery } from "./skill-service.js";
import { laterOf } from "./use-times.js";

/** Finds the skills that are most similar to a situation, and notes that they were used. */
export async function retrieveSkills(
  parts: SkillServiceParts,
  query: RetrieveSkillsQuery,
  call: Call,
): Promise<RetrievedSkills> {
  const given = query.queryEmbedding;
  if (given !== undefined) return retrieveWith(parts, query, { given, made: noTextVectors }, call);
  const expected = queryEmbedder(await parts.index.profileOf(query.namespace), parts.embedders);
  return embedTexts([query.query], expected, call).use(([made]) =>
    retrieveWith(parts, query, { given, made }, call),
  );
}

async function retrieveWith(
  parts: SkillServiceParts,
  query: RetrieveSkillsQuery,
  vectors: GivenOrMade,
  call: Call,
): Promise<RetrievedSkills> {
  const { index, embedders, clock, uses } = parts;
  const { namespace, query: text } = query;
  const { found, keywordsOnlyReason } = await index.read(namespace, call.signal, (opened) => {
    const queryVector = queryVectorFor(
      namespace,
      opened,
      embedders,
      { ...vectors, text },
      "query_embedding",
    );
    return {
      found: mostSimilar(opened, query, queryVector),
      keywordsOnlyReason: queryVector.keywordsOnlyReason,
    };
  });
  const nowMs = clock.nowMs();
  const known = found.length === 0 ? [] : await readFound(parts, query, found, nowMs);
  const skills = firstOfMessage(known);
  uses.note(
    namespace,
    skills.map(({ skill }) => skill.id),
    nowMs,
  );
  return {
    skills,
    omittedCount: known.length - skills.length,
    ...(keywordsOnlyReason !== undefined && { keywordsOnlyReason }),
  };
}

/** A skill in the index that passes. */
interface Found {
  readonly memory: Memory;
  readonly score: number;
  readonly similarity: number;
}

/** The skills at or above the least similarity, best first; those of the same score newest first. */
function mostSimilar(
  index: NamespaceIndex,
  query: RetrieveSkillsQuery,
  { vector, calibration }: QueryVector,
): Found[] {
  const { query: text, topK, minSimilarity, toolName } = query;
  const {
    count,
    rows,
    keyword,
    vector: cosines,
  } = index.candidates({ text, ...(vector && { vector }) });
  const found: Found[] = [];
  for (let i = 0; i < count; i++) {
    const score = fusedScore(keyword[i] as number, cosines[i] as number, calibration);
    const similarity = relevanceOf(score, calibration);
    if (similarity < minSimilarity) continue;
    const { memory } = index.at(rows[i] as number);
    if (toolName === undefined || memory.kind === toolName)
      found.push({ memory, score, similarity });
  }
  if (minSimilarity === 0 && found.length < topK)
    found.push(...withoutScore(index, toolName, found));
  return found
    .sort((a, b) => b.score - a.score || compareNewestFirst(a.memory, b.memory))
    .slice(0, topK);
}

/** The skills that have nothing in common with the query. */
function withoutScore(
  index: NamespaceIndex,
  toolName: string | undefined,
  found: readonly Found[],
): Found[] {
  const known = new Set(found.map(({ memory }) => memory.id));
  const { count, rows } = index.candidates({ text: "" });
  return Array.from(rows.subarray(0, count), (row) => index.at(row).memory)
    .filter(({ id, kind }) => !known.has(id) && (toolName === undefined || kind === toolName))
    .map((memory) => ({ memory, score: 0, similarity: 0 }));
}

/** What the store has of the skills; one that was deleted meanwhile is left out. */
async function readFound(
  { store }: SkillServiceParts,
  { namespace, includeEmbedding }: RetrieveSkillsQuery,
  found: readonly Found[],
  nowMs: number,
): Promise<(KnownSkill & { readonly similarity: number })[]> {
  const now = instantOfMillis(nowMs);
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const read = await Promise.all(
    found.map(async ({ memory, similarity }) => {
      const known = await readSkill(snapshot, namespace, memory.id, includeEmbedding);
      return (
        known && {
          ...known,
          use: { ...known.use, lastUsedTime: laterOf(known.use.lastUsedTime, now) },
          similarity,
        }
      );
    }),
  );
  return read.filter((known) => known !== undefined);
}
