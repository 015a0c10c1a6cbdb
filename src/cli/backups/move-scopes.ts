import type { Client } from "@connectrpc/connect";
import type { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import type { BackupResponse } from "#gen/vademecum/v1/backup_pb.js";
import { sameDigest } from "../../core/backup/record-digest.js";
import type { Scope } from "../../core/model/namespace.js";
import type { SlotRange } from "../../core/model/slot-range.js";
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

/** What a round has copied. */
export interface CopiedRound {
  /** Number of scopes in the range. */
  readonly scopes: number;
  /** Number of scopes that were copied. */
  readonly copied: number;
}

/**
 * Copies the scopes that the target lacks, or has in an earlier state.
 *
 * @param onScope gets the number of copied scopes, and the number of all scopes to copy
 */
export async function copyChanges(
  { from, to }: MoveServers,
  range: SlotRange,
  onScope: (done: number, total: number) => void,
): Promise<CopiedRound> {
  const changed = await changedScopes({ from, to }, range);
  let copied = 0;
  for (const some of inCalls(changed.scopes)) {
    const before = copied;
    for await (const { scopes } of to.restore(requestsOf(backupOf(from, some)))) {
      copied = before + Number(scopes);
      onScope(copied, changed.scopes.length);
    }
  }
  return { scopes: changed.total, copied };
}

/** Returns the scopes that differ between the servers, and the number of all scopes. */
export async function changedScopes(
  { from, to }: MoveServers,
  range: SlotRange,
): Promise<{ readonly scopes: readonly Scope[]; readonly total: number }> {
  const [source, target] = await Promise.all([readHeads(from, range), readHeads(to, range)]);
  const known = new Map(target.states.map(({ scope, head }) => [scopeKey(scope), head]));
  const scopes = source.states
    .filter(({ scope, head }) => !sameHead(known.get(scopeKey(scope)), head))
    .map(({ scope }) => scope);
  return { scopes, total: source.states.length };
}

/** Compares the records of scopes on two servers, and remembers which scopes were equal. */
export class ScopeComparison {
  /** The heads of scopes whose records were equal. */
  readonly #equal = new Map<string, Head>();

  constructor(private readonly servers: MoveServers) {}

  /**
   * Compares all scopes of a range that were not compared in their present state. Scopes that
   * change meanwhile are left for the next call.
   *
   * @throws CommandFailure when the same commit has different records
   */
  async compare(range: SlotRange): Promise<void> {
    const { from, to } = this.servers;
    const { states } = await readHeads(from, range);
    const scopes = states
      .filter(({ scope, head }) => !sameHead(this.#equal.get(scopeKey(scope)), head))
      .map(({ scope }) => scope);
    for (const some of inCalls(scopes)) {
      const found = new Map<string, DigestedScope>();
      for await (const digested of readDigests(to, some))
        found.set(scopeKey(digested.state.scope), digested);
      for await (const { state, digest } of readDigests(from, some)) {
        const key = scopeKey(state.scope);
        const other = found.get(key);
        if (other === undefined || !sameHead(other.state.head, state.head)) continue;
        if (!sameDigest(other.digest, digest)) throw different(key);
        this.#equal.set(key, state.head);
      }
    }
  }

  /**
   * Checks that all scopes of a range were compared in their present state.
   *
   * @throws CommandFailure when a scope was not compared
   */
  async requireEqual(range: SlotRange): Promise<void> {
    const { states } = await readHeads(this.servers.from, range);
    const missing = states.find(
      ({ scope, head }) => !sameHead(this.#equal.get(scopeKey(scope)), head),
    );
    if (missing !== undefined) throw different(scopeKey(missing.scope));
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

async function* requestsOf(responses: AsyncIterable<BackupResponse>) {
  for await (const { chunk } of responses) if (chunk !== undefined) yield { chunk };
}
