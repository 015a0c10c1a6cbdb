import { createClient } from "@connectrpc/connect";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { createNamespaceClient, type NamespaceClient } from "../../e2e/harness/namespace-client.js";
import type { Connection } from "../../e2e/harness/protocols.js";
import type { Lane, LaneParts, Sent } from "./lane.js";
import { chooseOperation, type Effect } from "./operations.js";
import { idIn, linesOf, type State, stateOf } from "./oracle.js";

/** Creates a lane that writes, changes and deletes the memories of a namespace of its own. */
export function createMemoryLane({ userId, name, random, tally }: LaneParts): Lane {
  let certain: State = new Map();
  let unknown: readonly Effect[] = [];
  const gone = new Set<string>();
  let names = 0;
  const fresh = () => `${name}n${names++}`;
  const clientOf = ({ transport }: Connection): NamespaceClient =>
    createNamespaceClient(createClient(MemoryProvider, transport), { userId, agentId: name });

  function become(state: State): void {
    for (const id of certain.keys()) if (!state.has(id)) gone.add(id);
    certain = state;
  }

  return {
    async send(connection): Promise<Sent> {
      const outcome = await chooseOperation(random, certain, fresh)(clientOf(connection));
      for (const { effect, idOf } of outcome.acknowledged) become(effect.applyTo(certain, idOf));
      tally.count("acknowledged", outcome.acknowledged.length);
      tally.count("unknown outcomes", outcome.unknown.length);
      unknown = outcome.unknown;
      if (unknown.length > 0) return "unknown";
      return outcome.isRefused === true ? "refused" : "answered";
    },
    async check(connection) {
      const memories = clientOf(connection);
      const found = await listed(memories);
      const applied = unknown.filter(({ isIn }) => isIn(found));
      tally.count("unknown, applied", applied.length);
      for (const effect of applied) become(effect.applyTo(certain, idIn(found)));
      compare(found);
      await repeatUnknown(memories, found);
      await checkSearch(memories);
      unknown = [];
    },
  };

  /** Counts differences as harm. From then on, expects what was found. */
  function compare(found: State): void {
    for (const [id, memory] of certain) {
      const other = found.get(id);
      if (other === undefined) tally.harm("lost", `${name}: ${id} '${memory.content}'`);
    }
    const contents = new Map([...certain].map(([id, { content }]) => [content, id]));
    for (const [id, { content }] of found) {
      if (certain.has(id)) continue;
      if (gone.has(id)) tally.harm("back from deletion", `${name}: ${id} '${content}'`);
      else if (contents.has(content)) tally.harm("doubled", `${name}: ${id} '${content}'`);
      else tally.harm("wrong", `${name}: ${id} '${content}' was not written`);
    }
    const common = (state: State, other: State) =>
      linesOf(new Map([...state].filter(([id]) => other.has(id))));
    const expected = new Set(common(certain, found));
    for (const line of common(found, certain))
      if (!expected.has(line)) tally.harm("wrong", `${name}: found ${line}`);
    become(found);
  }

  /** Repeats unknown requests that have a key. Checks that each then has happened exactly once. */
  async function repeatUnknown(memories: NamespaceClient, found: State): Promise<void> {
    const repeatable = unknown.filter(({ repeat }) => repeat !== undefined);
    if (repeatable.length === 0) return;
    for (const { repeat } of repeatable) await repeat?.(memories);
    tally.count("repeated", repeatable.length);
    const after = await listed(memories);
    for (const effect of repeatable.filter(({ isIn }) => !isIn(found)))
      become(effect.applyTo(certain, idIn(after)));
    compare(after);
  }

  /**
   * Checks that an empty query finds all memories, and that each of the five newest memories is the
   * first hit for its own content.
   */
  async function checkSearch(memories: NamespaceClient): Promise<void> {
    const { hits } = await memories.search("", { limit: 1000, includeSuperseded: true });
    const ids = new Set(hits.map(({ memory }) => memory?.id));
    for (const id of certain.keys())
      if (!ids.has(id)) tally.harm("not searchable", `${name}: ${id} by an empty query`);
    if (ids.size > certain.size) tally.harm("wrong", `${name}: a search finds more than a listing`);
    for (const [id, { content }] of [...certain].slice(-5)) {
      const found = await memories.search(content, { limit: 10, includeSuperseded: true });
      tally.count("searches");
      if (found.hits[0]?.memory?.id !== id) tally.harm("not searchable", `${name}: '${content}'`);
    }
  }
}

async function listed(memories: NamespaceClient): Promise<State> {
  return stateOf(await memories.list({ includeSuperseded: true }));
}
