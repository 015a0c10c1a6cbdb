import { createHash } from "node:crypto";
import {
  type BegunErasure,
  type ErasureReceipt,
  type ErasureSubjects,
  noErasureCounts,
} from "../model/erasure.js";
import { VademecumError } from "../model/errors.js";
import { type Scope, userScope } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Head, Transaction } from "../ports/store.js";
import type { Prunable } from "../pruning/prunable.js";
import { jointRun } from "../requests/joint-run.js";
import { type Mutation, mutate, replyBefore } from "../requests/mutate.js";
import { combineCounts, countScope, namespacesIn } from "./count-scope.js";
import { makeReceipt } from "./receipt.js";
import type { ErasureParts, ErasureService, ForgetInput } from "./service.js";

/** The scope that stores the erasures that have begun. */
const serverScope: Scope = { kind: "server" };

/** Erasures that began longer ago were interrupted. */
const unfinishedAfterMs = 60 * 60 * 1000;

/** Creates the erasure of users and runs. */
export function createErasureService(parts: ErasureParts): ErasureService {
  const erasures = new Erasures(parts);
  return {
    forget: (input, call) => erasures.forget(input, call),
    preview: (subjects, call) => erasures.preview(subjects, call),
    resume: () => erasures.resume(),
    unfinished: erasures.unfinished,
  };
}

/**
 * Erasing has four steps. A crash between two of them loses none, because the first is durable
 * before the second begins, and `resume` repeats the rest:
 * 1. Store whom to erase (`BegunErasure`).
 * 2. Erase each user and run in one step of the store, and what is made from their records.
 * 3. Store the receipt, and replace the erasure by one without names, in one transaction.
 * 4. Compact the store. Its files now hold neither the records nor the names. Forget the erasure.
 */
class Erasures {
  readonly #parts: ErasureParts;
  /** Compactions that several erasures share. */
  readonly #compact: () => Promise<void>;

  constructor(parts: ErasureParts) {
    this.#parts = parts;
    this.#compact = jointRun(() => parts.store.compact());
  }

  async forget(input: ForgetInput, call: Call): Promise<ErasureReceipt> {
    const nowMs = this.#parts.clock.nowMs();
    const mutation: Mutation<ErasureReceipt> = {
      ...{ rpc: "ForgetUser", target: serverScope, input, nowMs, removes: true },
    };
    const known = await replyBefore(this.#parts, mutation);
    if (known !== undefined) {
      await this.#compactUnfinished();
      return known.reply;
    }
    const key = keyOf(input);
    const erasure = await this.#begin(key, input, nowMs, call);
    const receipt = await this.#eraseAll(erasure);
    const compaction = this.#parts.ids.next(nowMs);
    const stored = await mutate(this.#parts, mutation, async (tx) => {
      forgetSubjects(tx, key, compaction, nowMs);
      return receipt;
    });
    await this.#finish(compaction);
    return stored;
  }

  async preview(subjects: ErasureSubjects, call: Call): Promise<ErasureReceipt> {
    const { store, clock } = this.#parts;
    const heads: [Scope, Head][] = [];
    let counts = noErasureCounts;
    for (const scope of scopesOf(subjects)) {
      heads.push([scope, await store.head(scope)]);
      counts = combineCounts(counts, await countScope(this.#parts, scope, call), sum);
    }
    return makeReceipt(heads, counts, clock.nowMs());
  }

  async resume(): Promise<void> {
    for (const [key, erasure] of await this.#begun()) {
      const compaction = await this.#eraseAgain(key, erasure);
      // A failure leaves the erasure stored, and pruning tries again.
      void this.#finish(compaction).catch(() => undefined);
    }
  }

  readonly unfinished: Prunable = {
    name: "unfinished_erasures",
    pruneAll: async (call, dryRun) => {
      const oldestMs = this.#parts.clock.nowMs() - unfinishedAfterMs;
      const left = (await this.#begun()).filter(([, { beginMs }]) => beginMs <= oldestMs);
      if (dryRun) return left.length;
      for (const [key, erasure] of left) {
        call.throwIfEnded();
        await this.#finish(await this.#eraseAgain(key, erasure));
      }
      return left.length;
    },
  };

  /** Stores whom to erase. An interrupted erasure of the same subjects keeps its counts. */
  async #begin(
    key: string,
    { userId, runIds }: ErasureSubjects,
    beginMs: number,
    call: Call,
  ): Promise<BegunErasure> {
    const { counts } = await this.preview(
      { ...(userId !== undefined && { userId }), runIds },
      call,
    );
    call.throwIfEnded();
    const { result } = await this.#parts.store.update(serverScope, async (tx) => {
      const earlier = await tx.get("erasures", serverScope, key);
      const erasure: BegunErasure = {
        ...(userId !== undefined && { userId }),
        ...{ runIds, beginMs },
        counts: earlier === undefined ? counts : combineCounts(earlier.counts, counts, Math.max),
      };
      tx.put("erasures", serverScope, key, erasure);
      return erasure;
    });
    return result;
  }

  async #eraseAll(erasure: BegunErasure): Promise<ErasureReceipt> {
    const { clock, embedders, wakeUps } = this.#parts;
    const erased: [Scope, Head][] = [];
    for (const scope of scopesOf(erasure)) erased.push([scope, await this.#erase(scope)]);
    await embedders.emptyCaches?.();
    wakeUps.wakeAll();
    return makeReceipt(erased, erasure.counts, clock.nowMs());
  }

  async #erase(scope: Scope): Promise<Head> {
    const { store, clock, index, forgetNames } = this.#parts;
    const namespaces = await namespacesIn(store, scope);
    const head = await store.erase(scope, clock.nowMs());
    for (const namespace of namespaces) await index.release(namespace);
    await forgetNames?.(scope);
    return head;
  }

  /** Repeats an interrupted erasure up to its third step. Returns the key of its compaction. */
  async #eraseAgain(key: string, erasure: BegunErasure): Promise<string> {
    await this.#eraseAll(erasure).catch((error: unknown) => {
      // The server that has the data now erases it when the caller repeats the call.
      if (!(error instanceof VademecumError && error.reason === "MOVED")) throw error;
    });
    const compaction = this.#parts.ids.next(this.#parts.clock.nowMs());
    await this.#parts.store.update(serverScope, async (tx) =>
      forgetSubjects(tx, key, compaction, erasure.beginMs),
    );
    return compaction;
  }

  /** Compacts the store, and forgets an erasure. */
  async #finish(compaction: string): Promise<void> {
    await this.#compact();
    await this.#parts.store.update(serverScope, async (tx) =>
      tx.delete("erasures", serverScope, compaction),
    );
  }

  /** A repeated call may follow a crash before the compaction. */
  async #compactUnfinished(): Promise<void> {
    if ((await this.#begun()).length > 0) await this.#compact();
  }

  async #begun(): Promise<readonly (readonly [key: string, erasure: BegunErasure])[]> {
    const begun: (readonly [string, BegunErasure])[] = [];
    try {
      await using snapshot = await this.#parts.store.snapshot(serverScope);
      for await (const entry of snapshot.scan("erasures", serverScope)) begun.push(entry);
    } catch (error) {
      // After a move, the new server makes the erasures that were begun.
      if (!(error instanceof VademecumError && error.reason === "MOVED")) throw error;
    }
    return begun;
  }
}

/** Replaces an erasure by one without names, whose key is `compaction`. */
function forgetSubjects(tx: Transaction, key: string, compaction: string, beginMs: number): void {
  tx.delete("erasures", serverScope, key);
  tx.put("erasures", serverScope, compaction, { runIds: [], counts: noErasureCounts, beginMs });
}

function scopesOf({ userId, runIds }: ErasureSubjects): readonly Scope[] {
  const users = userId === undefined ? [] : [userScope(userId)];
  return [...users, ...[...new Set(runIds)].map((runId): Scope => ({ kind: "run", runId }))];
}

/** Returns the key of an erasure, the same for a repeated call. */
function keyOf({ userId, runIds }: ErasureSubjects): string {
  const subjects = JSON.stringify([userId ?? null, [...new Set(runIds)].toSorted()]);
  return createHash("sha256").update(subjects).digest("base64url");
}

function sum(a: number, b: number): number {
  return a + b;
}
