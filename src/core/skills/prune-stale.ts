import { millisOfInstant } from "../model/instant.js";
import { type Namespace, scopeOf } from "../model/namespace.js";
import { type Skill, type SkillUse, unusedMaxMs, withoutSuccessMaxMs } from "../model/skill.js";
import type { Call } from "../ports/call.js";
import type { Reader } from "../ports/store.js";
import type { Prunable } from "../pruning/prunable.js";
import { mutate } from "../requests/mutate.js";
import { createPause } from "../requests/pause.js";
import { releaseIndexIfEmpty } from "../requests/release-index.js";
import { removeSkill } from "./records.js";
import type { PrunedSkill, PruneReason, PruneStaleInput, SkillServiceParts } from "./service.js";

/** Maximum number of skills that one call removes: a comfortable size for one atomic write. */
export const pruneMax = 10_000;

/**
 * Maximum number of skills that a transaction of `pruneAll` removes. With this limit, a transaction
 * takes milliseconds.
 */
const removedPerStep = 256;

/** Returns why a skill is stale; `undefined` if it is not stale. */
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

/** Removes the stale skills of a namespace in one transaction. With `dryRun`, only returns them. */
export async function pruneStale(
  parts: SkillServiceParts,
  input: PruneStaleInput,
  call: Call,
): Promise<readonly PrunedSkill[]> {
  const { namespace, dryRun } = input;
  await parts.uses.flush(namespace);
  if (dryRun) {
    const stale = await readStale(parts, namespace, parts.clock.nowMs(), pruneMax, call);
    return stale.map(({ pruned }) => pruned);
  }
  const refusal = parts.pruningGate?.refusal();
  if (refusal !== undefined) throw refusal;
  const { allowance } = call;
  const mutation = { rpc: "PruneStale", target: namespace, input, allowance, removes: true };
  return releaseIndexIfEmpty(parts.index, "skills", namespace, (rest) =>
    mutate(parts, { ...mutation, onRun: rest.onRun }, async (tx, nowMs) => {
      const stale = await staleSkills(tx, namespace, nowMs, pruneMax, call);
      for (const { skill } of stale) await removeSkill(tx, namespace, skill);
      await rest.count(tx);
      return stale.map(({ pruned }) => pruned);
    }),
  );
}

/** Removes the stale skills of all namespaces, for the server's own pruning. */
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
  await parts.uses.flush(namespace);
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

/** Removes the skills that are still stale. Returns their number. */
async function removeStale(
  { store, index }: SkillServiceParts,
  namespace: Namespace,
  ids: readonly string[],
  nowMs: number,
): Promise<number> {
  return releaseIndexIfEmpty(index, "skills", namespace, async (rest) => {
    const { result } = await store.update(scopeOf(namespace), async (tx) => {
      let removed = 0;
      for (const id of ids) {
        const [skill, use] = await Promise.all([
          tx.get("skills", namespace, id),
          tx.get("skillUses", namespace, id),
        ]);
        const isStale =
          skill !== undefined && use !== undefined && staleReason(skill, use, nowMs) !== undefined;
        if (!isStale) continue;
        await removeSkill(tx, namespace, skill);
        removed += 1;
      }
      await rest.count(tx);
      return removed;
    });
    return result;
  });
}

interface StaleSkill {
  readonly skill: Skill;
  readonly pruned: PrunedSkill;
}

/** Reads at most `max` stale skills from a new snapshot. */
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

/** Reads at most `max` stale skills, ordered by id. */
async function staleSkills(
  reader: Reader,
  namespace: Namespace,
  nowMs: number,
  max: number,
  call: Call,
): Promise<StaleSkill[]> {
  const pause = createPause();
  const stale: StaleSkill[] = [];
  for await (const [id, use] of reader.scan("skillUses", namespace)) {
    call.throwIfEnded();
    const skill = await reader.get("skills", namespace, id);
    const reason = skill && staleReason(skill, use, nowMs);
    if (skill !== undefined && reason !== undefined) stale.push({ skill, pruned: { id, reason } });
    if (stale.length === max) break;
    await pause();
  }
  return stale;
}
