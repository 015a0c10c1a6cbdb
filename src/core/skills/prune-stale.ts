import { millisOfInstant } from "../model/instant.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import type { Skill, SkillUse } from "../model/skill.js";
import type { Call } from "../ports/call.js";
import type { Reader } from "../ports/store.js";
import type { Prunable } from "../pruning/prunable.js";
import { replyOnce } from "../requests/idempotency.js";
import type { SkillServiceParts } from "./parts.js";
import { removeSkill } from "./skill-records.js";
import type { PrunedSkill, PruneReason, PruneStaleInput } from "./skill-service.js";

const dayMs = 24 * 60 * 60 * 1000;
/** A skill that was not used for so long has outlived its use. */
const unusedMaxMs = 90 * dayMs;
/** So has one that is so old and never was a success. */
const withoutSuccessMaxMs = 30 * dayMs;

/** Most skills that one call removes: what fits comfortably into one atomic write. */
export const pruneMax = 10_000;

/** Most skills that one transaction of `pruneAll` removes: what keeps others waiting for milliseconds only. */
const removedPerStep = 256;

/** Why a skill has outlived its use; `undefined`: it has not. */
export function staleReason(
  { createTime }: Skill,
  { successCount, lastUsedTime }: SkillUse,
  nowMs: number,
): PruneReason | undefined {
  if (nowMs - millisOfInstant(lastUsedTime) >= unusedMaxMs) return "UNUSED";
  if (successCount === 0 && nowMs - millisOfInstant(createTime) >= withoutSuccessMaxMs)
    return "NEVER_SUCCEEDED";
  return undefined;
}

/** Removes the skills of a namespace that have outlived their use, in one step; with `dryRun` only tells which. */
export async function pruneStale(
  parts: SkillServiceParts,
  input: PruneStaleInput,
  call: Call,
): Promise<readonly PrunedSkill[]> {
  const { namespace, dryRun, idempotencyKey } = input;
  const { store, clock, uses } = parts;
  await uses.written(namespace);
  const nowMs = clock.nowMs();
  if (dryRun)
    return (await readStale(parts, namespace, nowMs, pruneMax, call)).map(({ pruned }) => pruned);
  const scope = scopeOf(namespace);
  const { result } = await store.update(scope, (tx) =>
    replyOnce(
      tx,
      scope,
      { rpc: "PruneStale", idempotencyKey, request: { namespace }, nowMs },
      async () => {
        const stale = await staleSkills(tx, namespace, nowMs, pruneMax, call);
        for (const { skill } of stale) await removeSkill(tx, namespace, skill);
        return stale.map(({ pruned }) => pruned);
      },
    ),
  );
  return result;
}

/** The skills of everybody, for the server's own pruning. */
export function prunableSkills(parts: SkillServiceParts): Prunable {
  return {
    name: "skills",
    async pruneAll(call, dryRun) {
      let removed = 0;
      for await (const namespace of parts.store.namespaces()) {
        call.throwIfEnded();
        removed += await pruneInSteps(parts, namespace, dryRun, call);
      }
      return removed;
    },
  };
}

async function pruneInSteps(
  parts: SkillServiceParts,
  namespace: Namespace,
  dryRun: boolean,
  call: Call,
): Promise<number> {
  await parts.uses.written(namespace);
  const nowMs = parts.clock.nowMs();
  const ids = (await readStale(parts, namespace, nowMs, Number.POSITIVE_INFINITY, call)).map(
    ({ skill }) => skill.id,
  );
  if (dryRun) return ids.length;
  let removed = 0;
  for (let i = 0; i < ids.length; i += removedPerStep) {
    call.throwIfEnded();
    removed += await removeStale(parts, namespace, ids.slice(i, i + removedPerStep), nowMs);
  }
  return removed;
}

/** Removes those of the skills that have outlived their use, and returns how many that were. */
async function removeStale(
  { store }: SkillServiceParts,
  namespace: Namespace,
  ids: readonly string[],
  nowMs: number,
): Promise<number> {
  const { result } = await store.update(scopeOf(namespace), async (tx) => {
    let removed = 0;
    for (const id of ids) {
      const [skill, use] = await Promise.all([
        tx.get("skills", namespace, id),
        tx.get("skillUses", namespace, id),
      ]);
      if (skill === undefined || use === undefined || staleReason(skill, use, nowMs) === undefined)
        continue;
      await removeSkill(tx, namespace, skill);
      removed += 1;
    }
    return removed;
  });
  return result;
}

interface StaleSkill {
  readonly skill: Skill;
  readonly pruned: PrunedSkill;
}

/** At most `max` of the skills that have outlived their use, as they are in the store now. */
async function readStale(
  { store }: SkillServiceParts,
  namespace: Namespace,
  nowMs: number,
  max: number,
  call: Call,
): Promise<StaleSkill[]> {
  await using snapshot = await store.snapshot(scopeOf(namespace));
  return await staleSkills(snapshot, namespace, nowMs, max, call);
}

/** At most `max` of the skills that have outlived their use, by id. */
async function staleSkills(
  reader: Reader,
  namespace: Namespace,
  nowMs: number,
  max: number,
  call: Call,
): Promise<StaleSkill[]> {
  const stale: StaleSkill[] = [];
  for await (const [id, use] of reader.scan("skillUses", namespace)) {
    call.throwIfEnded();
    const skill = await reader.get("skills", namespace, id);
    const reason = skill && staleReason(skill, use, nowMs);
    if (skill !== undefined && reason !== undefined) stale.push({ skill, pruned: { id, reason } });
    if (stale.length === max) break;
  }
  return stale;
}
