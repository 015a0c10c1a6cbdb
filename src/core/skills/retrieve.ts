import { instantOfMillis } from "../model/instant.js";
import { compareNewestFirst, type Memory } from "../model/memory.js";
import { scopeOf } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { NamespaceIndex, Row } from "../ports/search-index.js";
import { firstOfMessage } from "../requests/list-page.js";
import { createPause } from "../requests/pause.js";
import { laterOf } from "../requests/use-times.js";
import { withQueryVectors } from "../search/query/query-vectors.js";
import { fusedScore } from "../search/query/scores.js";
import { type GivenOrMade, type QueryVector, queryVectorFor } from "../vectors/vectors.js";
import { likenessTo } from "./likeness.js";
import { readSkill } from "./records.js";
import type {
  FoundSkill,
  RetrievedSkills,
  RetrieveSkillsQuery,
  SkillServiceParts,
} from "./service.js";

/** Finds the skills that are most similar to a situation, and records their use. */
export async function retrieveSkills(
  parts: SkillServiceParts,
  query: RetrieveSkillsQuery,
  call: Call,
): Promise<RetrievedSkills> {
  const given = query.queryEmbedding;
  const { namespace, query: text } = query;
  return withQueryVectors(parts, { namespace, text, given }, call, (made) =>
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
      found: findMostSimilar(opened, query, queryVector),
      keywordsOnlyReason: queryVector.keywordsOnlyReason,
    };
  });
  const nowMs = clock.nowMs();
  const known = found.length === 0 ? [] : await readSkills(parts, query, found, nowMs);
  const skills = await firstOfMessage(known);
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

/** A skill that the search found. The index holds skills as memories. */
interface ScoredSkill {
  readonly memory: Memory;
  readonly score: number;
  readonly similarity: number;
}

/**
 * Finds the skills of at least `minSimilarity`, most similar first. Of equally similar skills, the
 * one with the higher score comes first, then the newest.
 */
function findMostSimilar(
  index: NamespaceIndex,
  query: RetrieveSkillsQuery,
  queryVector: QueryVector,
): ScoredSkill[] {
  const { vector, calibration } = queryVector;
  const { query: text, topK, minSimilarity, toolName } = query;
  const {
    count,
    rows,
    keyword,
    vector: cosines,
  } = index.candidates({ text, respells: true, ...(vector && { vector }) });
  const likeness = likenessTo(text, queryVector, {
    isVectorGiven: query.queryEmbedding !== undefined,
  });
  const found: ScoredSkill[] = [];
  for (let i = 0; i < count; i++) {
    const keywordScore = keyword[i] as number;
    const cosine = cosines[i] as number;
    const similarity = likeness(keywordScore, cosine);
    if (similarity < minSimilarity) continue;
    const score = fusedScore(keywordScore, cosine, calibration);
    const { memory } = index.at(rows[i] as Row);
    if (toolName === undefined || memory.kind === toolName)
      found.push({ memory, score, similarity });
  }
  const unrelated =
    minSimilarity === 0 && found.length < topK ? unrelatedSkills(index, toolName, found) : [];
  return [...found, ...unrelated]
    .sort(
      (a, b) =>
        b.similarity - a.similarity || b.score - a.score || compareNewestFirst(a.memory, b.memory),
    )
    .slice(0, topK);
}

/** Returns the skills that are not in `found`. They have nothing in common with the query. */
function unrelatedSkills(
  index: NamespaceIndex,
  toolName: string | undefined,
  found: readonly ScoredSkill[],
): ScoredSkill[] {
  const known = new Set(found.map(({ memory }) => memory.id));
  const { count, rows } = index.candidates({ text: "" });
  return Array.from(rows.subarray(0, count), (row) => index.at(row as Row).memory)
    .filter(({ id, kind }) => !known.has(id) && (toolName === undefined || kind === toolName))
    .map((memory) => ({ memory, score: 0, similarity: 0 }));
}

/** Reads the skills from the store. Leaves out a skill that was deleted since. */
async function readSkills(
  { store }: SkillServiceParts,
  { namespace, includeEmbedding }: RetrieveSkillsQuery,
  found: readonly ScoredSkill[],
  nowMs: number,
): Promise<FoundSkill[]> {
  const now = instantOfMillis(nowMs);
  await using snapshot = await store.snapshot(scopeOf(namespace));
  const pause = createPause();
  const skills: FoundSkill[] = [];
  for (const { memory, similarity } of found) {
    const known = await readSkill(snapshot, namespace, memory.id, includeEmbedding);
    if (known !== undefined) {
      const lastUsedTime = laterOf(known.use.lastUsedTime, now);
      skills.push({ ...known, use: { ...known.use, lastUsedTime }, similarity });
    }
    await pause();
  }
  return skills;
}
