import { VademecumError } from "../model/errors.js";
import type { Namespace, Scope } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { ScopeTable, Transaction } from "../ports/store.js";
import { changeProposals } from "../proposal-records/change-proposals.js";
import { removeTextsAbout } from "../proposal-records/remove-texts.js";
import { mutate, replyBefore } from "../requests/mutate.js";
import { createPause } from "../requests/pause.js";
import { releaseIndexIfEmpty } from "../requests/release-index.js";
import type { MemoryServiceParts, ResetInput } from "./service.js";

/**
 * Whether a full wipe empties a table. The replies to idempotent calls stay until they expire, as
 * after a Reset of one namespace.
 */
const isWiped = {
  replies: false,
  replyExpiries: false,
  digestKeys: true,
  blocks: true,
  blockVersions: true,
  proposals: true,
  pendingProposals: true,
  proposalsByTarget: true,
  rejectedEdits: true,
  keyValues: true,
  keyPositions: true,
  toolManifests: true,
  // An erasure that has begun goes on.
  erasures: false,
  // The receiver of webhooks learns of the wipe.
  deliveries: false,
} as const satisfies Record<ScopeTable, boolean>;

/** The scope that stores the reply to a full wipe. */
const serverScope: Scope = { kind: "server" };

/** Empties one namespace in one transaction, or all namespaces and scopes one after another. */
export async function reset(
  parts: MemoryServiceParts,
  input: ResetInput,
  call: Call,
): Promise<{ deleted: number }> {
  const { target } = input;
  if (target !== "everything") return resetNamespace(parts, target, input, call);
  if (!parts.allowReset) {
    throw new VademecumError(
      "PERMISSION_DENIED",
      "RESET_NOT_ALLOWED",
      "everything: this server does not allow a full wipe; " +
        "start it with --allow-reset, or name one namespace",
    );
  }
  const nowMs = parts.clock.nowMs();
  const { allowance } = call;
  const mutation = { rpc: "Reset", target: serverScope, input, nowMs, allowance, removes: true };
  const known = await replyBefore<{ deleted: number }>(parts, mutation);
  if (known !== undefined) return known.reply;
  const deleted = await resetAll(parts, call);
  // The reply is stored last, so that a repetition continues an interrupted wipe.
  return mutate(parts, mutation, async () => ({ deleted }));
}

async function resetAll(parts: MemoryServiceParts, call: Call): Promise<number> {
  const { store } = parts;
  let total = 0;
  for await (const namespace of store.namespaces()) {
    call.throwIfEnded();
    const { deleted } = await resetNamespace(parts, namespace, { target: namespace }, call);
    total += deleted;
  }
  for await (const scope of store.scopes()) {
    call.throwIfEnded();
    await store.update(scope, (tx) => emptyScope(tx, scope));
  }
  return total;
}

function resetNamespace(
  parts: MemoryServiceParts,
  namespace: Namespace,
  input: ResetInput,
  { allowance }: Call,
): Promise<{ deleted: number }> {
  const mutation = { rpc: "Reset", target: namespace, input, allowance, removes: true };
  const { userId, agentId } = namespace;
  return changeProposals(parts, userId, (changed) =>
    releaseIndexIfEmpty(parts.index, "memories", namespace, (rest) =>
      mutate(parts, { ...mutation, onRun: rest.onRun }, async (tx, nowMs) => {
        const deleted = await tx.count("memories", namespace);
        tx.clear(namespace);
        const deletion = { tx, userId, nowMs, changed };
        await removeTextsAbout(deletion, { kind: "memories", agentId, ids: "all" });
        await rest.count(tx);
        return { deleted };
      }),
    ),
  );
}

/** Deletes the records of a scope in all tables that a full wipe empties. */
async function emptyScope(tx: Transaction, scope: Scope): Promise<void> {
  const pause = createPause();
  for (const table of Object.keys(isWiped) as ScopeTable[]) {
    if (!isWiped[table]) continue;
    const keys: string[] = [];
    for await (const [key] of tx.scan(table, scope)) {
      keys.push(key);
      await pause();
    }
    for (const key of keys) {
      tx.delete(table, scope, key);
      await pause();
    }
  }
}
