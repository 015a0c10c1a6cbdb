import type { Namespace, Scope } from "../../../src/core/model/namespace.js";
import type { Snapshot, Transaction } from "../../../src/core/ports/store.js";
import { sampleMemory } from "../../contract/sample-records.js";

// The writes of a process that will be killed. They depend only on the user and the commit number,
// so the state after any number of commits can be computed.

export const users: readonly string[] = ["ann", "bob", "cid"];
const agents: readonly string[] = ["x", "y"];
const idCount = 30;
const bulkPuts = 15;
const vectorLength = 64;

/** Content by id, for each agent. */
export type PlannedState = Readonly<Record<string, Readonly<Record<string, string>>>>;

type Step =
  | { readonly do: "put" | "delete"; readonly agentId: string; readonly id: string }
  | { readonly do: "clear"; readonly agentId: string };

export function userScope(userId: string): Scope {
  return { kind: "user", userId };
}

/** Returns a whole number below `limit` that depends only on the parts (FNV-1a). */
function pick(limit: number, ...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(parts.join("|"))) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return (hash ^ (hash >>> 16)) % limit;
}

function stepsOf(userId: string, seq: number): readonly Step[] {
  const agentId = agents[pick(agents.length, userId, seq, "agent")] ?? "";
  const id = (index: number): string => `m${pick(idCount, userId, seq, "id", index)}`;
  const percent = pick(100, userId, seq, "kind");
  if (percent < 60) return [{ do: "put", agentId, id: id(0) }];
  if (percent < 75) return [{ do: "delete", agentId, id: id(0) }];
  if (percent < 80) return [{ do: "clear", agentId }];
  return Array.from({ length: bulkPuts }, (_, index) => ({ do: "put", agentId, id: id(index) }));
}

function contentOf(userId: string, seq: number, id: string): string {
  return `${seq} ${userId} ${id} `.repeat(20);
}

function externalIdOf(id: string): string {
  return `event of ${id}`;
}

/** Writes the user's next commit. */
export async function writeNext(tx: Transaction, userId: string): Promise<void> {
  const seq = tx.head.seq + 1;
  for (const step of stepsOf(userId, seq)) {
    const namespace: Namespace = { userId, agentId: step.agentId };
    if (step.do === "clear") {
      tx.clear(namespace);
    } else if (step.do === "delete") {
      tx.delete("memories", namespace, step.id);
      tx.delete("vectors", namespace, step.id);
      tx.delete("timeline", namespace, step.id);
      tx.delete("externalIds", namespace, externalIdOf(step.id));
    } else {
      tx.put(
        "memories",
        namespace,
        step.id,
        sampleMemory(step.id, contentOf(userId, seq, step.id)),
      );
      tx.put("vectors", namespace, step.id, new Float32Array(vectorLength).fill(seq));
      tx.put("timeline", namespace, step.id, null);
      tx.put("externalIds", namespace, externalIdOf(step.id), step.id);
    }
  }
  // Every commit writes a record, so that each commit has a number.
  tx.put("replyExpiries", userScope(userId), "last", String(seq));
}

/** Returns the state after this many commits. */
export function plannedState(userId: string, commits: number): PlannedState {
  const state = Object.fromEntries(agents.map((agentId) => [agentId, new Map<string, string>()]));
  for (let seq = 1; seq <= commits; seq++) {
    for (const step of stepsOf(userId, seq)) {
      const memories = state[step.agentId];
      if (step.do === "clear") memories?.clear();
      else if (step.do === "delete") memories?.delete(step.id);
      else memories?.set(step.id, contentOf(userId, seq, step.id));
    }
  }
  return Object.fromEntries(
    agents.map((agentId) => [agentId, Object.fromEntries(state[agentId] ?? [])]),
  );
}

/** Whether one of the first `commits` commits gave a memory this content. */
export function wasWritten(userId: string, id: string, content: string, commits: number): boolean {
  const seq = Number.parseInt(content, 10);
  return (
    seq <= commits &&
    content === contentOf(userId, seq, id) &&
    stepsOf(userId, seq).some((step) => step.do === "put" && step.id === id)
  );
}

/** Reads the state of the store. Throws if its tables do not agree with each other. */
export async function readState(snapshot: Snapshot, userId: string): Promise<PlannedState> {
  const last = await snapshot.get("replyExpiries", userScope(userId), "last");
  if (last !== (snapshot.head.seq === 0 ? undefined : String(snapshot.head.seq)))
    throw new Error(`${userId}: last commit ${last}`);
  const state: Record<string, Record<string, string>> = {};
  for (const agentId of agents) {
    const namespace: Namespace = { userId, agentId };
    const memories: Record<string, string> = {};
    for await (const [id, { content }] of snapshot.scan("memories", namespace)) {
      const vector = await snapshot.get("vectors", namespace, id);
      const inTimeline = (await snapshot.get("timeline", namespace, id)) === null;
      const named = await snapshot.get("externalIds", namespace, externalIdOf(id));
      if (!inTimeline || named !== id || vector?.[0] !== Number.parseInt(content, 10))
        throw new Error(`${userId}/${agentId}/${id} is half written`);
      memories[id] = content;
    }
    const count = Object.keys(memories).length;
    for (const table of ["memories", "vectors", "timeline", "externalIds"] as const) {
      if ((await snapshot.count(table, namespace)) !== count)
        throw new Error(`${userId}/${agentId}: ${table} does not agree`);
    }
    state[agentId] = memories;
  }
  return state;
}
