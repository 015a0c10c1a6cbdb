import type { Client } from "@connectrpc/connect";
import type { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import type { BackupResponse } from "#gen/vademecum/v1/backup_pb.js";
import { toBackupChunk } from "../../backup-format/chunk-messages.js";
import { sameDigest } from "../../core/backup/record-digest.js";
import type { Scope } from "../../core/model/namespace.js";
import type { SlotRange } from "../../core/model/slot-range.js";
import type { ScopeState } from "../../core/ports/backup.js";
import type { Head } from "../../core/ports/store.js";
import { CommandFailure } from "../command-io.js";
import { scopeKey } from "./part-file.js";
import { backupOf, type DigestedScope, inCalls, readDigests, readHeads } from "./remote-scopes.js";

/** The calls that a move makes. */
export type MoveAdmin = Pick<Client<typeof AdminService>, "backup" | "restore" | "holdWrites">;

/** The two servers of a move. */
export interface MoveServers {
  readonly from: MoveAdmin;
  readonly to: MoveAdmin;
}

/** Called with the number of scopes copied so far, and the number to copy. */
export type OnScope = (done: number, total: number) => void;

/** The scopes of a range on the source. */
export interface ChangedScopes {
  /** The scopes that the target lacks, or has in another state. */
  readonly scopes: readonly Scope[];
  /** The scopes that the target has in the same state. */
  readonly unchanged: readonly Scope[];
}

/** Compares the heads of both servers. */
export async function changedScopes(
  { from, to }: MoveServers,
  range: SlotRange,
): Promise<ChangedScopes> {
  const [source, target] = await Promise.all([readHeads(from, range), readHeads(to, range)]);
  const known = new Map(target.states.map(({ scope, head }) => [scopeKey(scope), head]));
  const scopes: Scope[] = [];
  const unchanged: Scope[] = [];
  for (const { scope, head } of source.states)
    (sameHead(known.get(scopeKey(scope)), head) ? unchanged : scopes).push(scope);
  return { scopes, unchanged };
}

/** Copies scopes, and compares the copies. Knows which copies are equal to their originals. */
export class ScopeCopies {
  /** The heads of scopes whose records were equal on both servers. */
  readonly #equal = new Map<string, Head>();

  constructor(private readonly servers: MoveServers) {}

  /**
   * Copies the scopes of a range that the target lacks, or has in another state. Compares all
   * scopes of the range, and returns their number.
   *
   * @throws CommandFailure when the same commit has different records on the servers
   */
  async copyAll(range: SlotRange, onScope: OnScope): Promise<number> {
    const { scopes, unchanged } = await changedScopes(this.servers, range);
    await this.#copy(scopes, onScope);
    // The target has these scopes from an earlier move, which was interrupted. So they are only
    // compared.
    for (const some of inCalls(unchanged)) {
      const originals = await digestsOf(readDigests(this.servers.from, some));
      await this.#compare(some, originals);
    }
    return scopes.length + unchanged.length;
  }

  /**
   * Copies and compares the scopes not known to be equal. Leaves scopes that change meanwhile for
   * the next call.
   *
   * @throws CommandFailure when the same commit has different records on the servers
   */
  async copyChanges(range: SlotRange, onScope: OnScope): Promise<void> {
    const { states } = await readHeads(this.servers.from, range);
    await this.#copy(this.#unequal(states), onScope);
  }

  /**
   * Copies and compares the scopes not known to be equal. Requires: the writes of the range are
   * held.
   *
   * @throws CommandFailure when a scope is not equal afterwards
   */
  async copyRest(range: SlotRange): Promise<void> {
    const { states } = await readHeads(this.servers.from, range);
    await this.#copy(this.#unequal(states), () => undefined);
    const [missing] = this.#unequal(states);
    if (missing !== undefined) throw different(scopeKey(missing));
  }

  async #copy(scopes: readonly Scope[], onScope: OnScope): Promise<void> {
    const { from, to } = this.servers;
    let done = 0;
    onScope(0, scopes.length);
    for (const some of inCalls(scopes)) {
      const before = done;
      const sent = new Map<string, DigestedScope>();
      for await (const progress of to.restore(requestsOf(backupOf(from, some), sent))) {
        done = before + Number(progress.scopes);
        onScope(done, scopes.length);
      }
      await this.#compare(some, sent);
    }
  }

  /** Reads copies again, and compares their digests with those of the originals. */
  async #compare(
    scopes: readonly Scope[],
    originals: ReadonlyMap<string, DigestedScope>,
  ): Promise<void> {
    for await (const { state, digest } of readDigests(this.servers.to, scopes)) {
      const key = scopeKey(state.scope);
      const original = originals.get(key);
      if (original === undefined || !sameHead(original.state.head, state.head)) continue;
      if (!sameDigest(original.digest, digest)) throw different(key);
      this.#equal.set(key, state.head);
    }
  }

  #unequal(states: readonly ScopeState[]): readonly Scope[] {
    return states
      .filter(({ scope, head }) => !sameHead(this.#equal.get(scopeKey(scope)), head))
      .map(({ scope }) => scope);
  }
}

function sameHead(a: Head | undefined, b: Head): boolean {
  return a !== undefined && a.epoch === b.epoch && a.seq === b.seq;
}

function different(scope: string): CommandFailure {
  return new CommandFailure(
    `the servers hold different records of ${scope}; nothing of its range was moved. ` +
      "Keep all clients from writing to the new server, empty it, and repeat the move",
  );
}

async function digestsOf(
  digested: AsyncIterable<DigestedScope>,
): Promise<ReadonlyMap<string, DigestedScope>> {
  const digests = new Map<string, DigestedScope>();
  for await (const scope of digested) digests.set(scopeKey(scope.state.scope), scope);
  return digests;
}

/**
 * Turns a backup into the requests of a restore.
 *
 * @param sent receives the digest of each scope
 */
async function* requestsOf(
  responses: AsyncIterable<BackupResponse>,
  sent: Map<string, DigestedScope>,
) {
  let state: ScopeState | undefined;
  for await (const { chunk: message } of responses) {
    if (message === undefined) continue;
    const chunk = toBackupChunk(message);
    if (chunk.kind === "scope") state = chunk.state;
    if (chunk.kind === "scopeEnd" && state !== undefined) {
      const { records, sha256 } = chunk;
      sent.set(scopeKey(state.scope), { state, digest: { records, sha256 } });
    }
    yield { chunk: message };
  }
}
