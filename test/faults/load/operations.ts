import { Code, ConnectError } from "@connectrpc/connect";
import { OnConflict } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { NamespaceClient } from "../../e2e/harness/namespace-client.js";
import type { Random } from "../server/random.js";
import { endOf, endOfCode } from "./failures.js";
import { type IdOf, type State, withAdded, withContent, without } from "./oracle.js";

/** The effect of one request. It happens completely or not at all. */
export interface Effect {
  /** Whether the state shows the effect. */
  readonly isIn: (state: State) => boolean;
  readonly applyTo: (state: State, idOf: IdOf) => State;
  /** Repeats the request. Absent if it has no idempotency key. */
  readonly repeat?: (memories: NamespaceClient) => Promise<unknown>;
}

/**
 * The outcome of a request: its acknowledged effects, and its effects that may or may not have
 * happened. A request that certainly had no effect has neither.
 */
export interface Outcome {
  readonly acknowledged: readonly { readonly effect: Effect; readonly idOf: IdOf }[];
  readonly unknown: readonly Effect[];
  /** Whether the request was refused because the disk is full. Default: false. */
  readonly isRefused?: boolean;
}

/** A request, ready to be sent. */
export type Operation = (memories: NamespaceClient) => Promise<Outcome>;

/** Returns an unused name. */
export type FreshName = () => string;

const groups = ["red", "green", "blue"] as const;

/**
 * With more memories than this, deletions are more frequent, so that the data of a long run does
 * not grow.
 */
const many = 120;

const refused: Outcome = { acknowledged: [], unknown: [], isRefused: true };

/** Chooses a random request that fits the state. */
export function chooseOperation(random: Random, state: State, fresh: FreshName): Operation {
  const ids = [...state.keys()];
  const current = [...state]
    .filter(([, { supersededBy }]) => supersededBy === undefined)
    .map(([id]) => id);
  const key = random.chance(0.5) ? fresh() : undefined;
  const group = random.pick(groups);
  const [first, ...rest] = current;
  if (first === undefined || random.chance(0.35)) return addOperation(fresh(), group, key);
  if (ids.length > many && random.chance(0.3))
    return random.chance(0.3) ? resetOperation(key) : deleteGroupOperation(group, key);
  const target = random.pick([first, ...rest]);
  const any = random.pick([first, ...ids]);
  const batch = () =>
    batchOperation(Array.from({ length: random.integer(2, 12) }, fresh), group, key !== undefined);
  const addMany = () =>
    manyOperation(Array.from({ length: random.integer(2, 12) }, fresh), group, key);
  return random.pick([
    batch,
    addMany,
    () => replaceOperation(fresh(), target, state.get(target)?.group ?? "", key),
    () => updateOperation(target, fresh(), state.get(target)?.version ?? 0n, key),
    () => staleUpdateOperation(target, fresh()),
    () => deleteOperation(any, key),
    () => (random.chance(0.3) ? deleteGroupOperation(group, key) : batch()),
  ])();
}

function addOperation(
  content: string,
  group: string,
  idempotencyKey: string | undefined,
): Operation {
  const fields = { tags: [group], ...keyed(idempotencyKey) };
  const effect = addedEffect(content, { content, group }, idempotencyKey, async (memories) =>
    memories.add(content, fields),
  );
  return single(effect, async (memories) => {
    const { id } = await memories.add(content, fields);
    return () => id;
  });
}

function replaceOperation(
  content: string,
  supersedes: string,
  group: string,
  idempotencyKey: string | undefined,
): Operation {
  const fields = { tags: [group], supersedes, ...keyed(idempotencyKey) };
  const effect = addedEffect(
    content,
    { content, group, supersedes },
    idempotencyKey,
    async (memories) => memories.add(content, fields),
  );
  return single(effect, async (memories) => {
    const { id } = await memories.add(content, fields);
    return () => id;
  });
}

function addedEffect(
  content: string,
  added: { content: string; group: string; supersedes?: string },
  idempotencyKey: string | undefined,
  repeat: (memories: NamespaceClient) => Promise<unknown>,
): Effect {
  return {
    isIn: (state) => [...state.values()].some((memory) => memory.content === content),
    applyTo: (state, idOf) => withAdded(state, idOf(content), added),
    ...(idempotencyKey === undefined ? {} : { repeat }),
  };
}

function batchOperation(contents: readonly string[], group: string, isKeyed: boolean): Operation {
  const fieldsOf = (content: string) => ({
    tags: [group],
    ...{ externalId: content, onConflict: OnConflict.KEEP },
    ...keyed(isKeyed ? content : undefined),
  });
  const effects = new Map(
    contents.map((content) => [
      content,
      addedEffect(content, { content, group }, isKeyed ? content : undefined, async (memories) =>
        memories.add(content, fieldsOf(content)),
      ),
    ]),
  );
  return async ({ provider, namespace }) => {
    const open = new Map(effects);
    const acknowledged: { effect: Effect; idOf: IdOf }[] = [];
    async function* requests() {
      for (const content of contents)
        yield { clientId: content, add: { ...fieldsOf(content), namespace, content } };
    }
    try {
      for await (const { clientId, result } of provider.addBatch(requests())) {
        const effect = open.get(clientId);
        if (effect === undefined) throw new Error(`batch item '${clientId}' was answered twice`);
        if (result.case === "id") {
          const id = result.value;
          acknowledged.push({ effect, idOf: () => id });
          open.delete(clientId);
        } else if (endOfCode(result.value?.code) === "refused") {
          open.delete(clientId);
        }
      }
    } catch (error) {
      if (endOf(error) === "refused") return { acknowledged, unknown: [], isRefused: true };
    }
    return { acknowledged, unknown: [...open.values()] };
  };
}

/** Stores memories by AddMany: all or none. */
function manyOperation(
  contents: readonly string[],
  group: string,
  idempotencyKey: string | undefined,
): Operation {
  const send = ({ provider, namespace }: NamespaceClient) =>
    provider.addMany({
      namespace,
      memories: contents.map((content) => ({ content, tags: [group], externalId: content })),
      ...keyed(idempotencyKey),
    });
  const effect: Effect = {
    isIn(state) {
      const there = new Set([...state.values()].map(({ content }) => content));
      return contents.every((content) => there.has(content));
    },
    applyTo: (state, idOf) =>
      contents.reduce((next, content) => withAdded(next, idOf(content), { content, group }), state),
    ...(idempotencyKey === undefined ? {} : { repeat: send }),
  };
  return single(effect, async (memories) => {
    const { results } = await send(memories);
    const ids = new Map(contents.map((content, at) => [content, results[at]?.result.value]));
    return (content: string) => {
      const id = ids.get(content);
      return typeof id === "string" ? id : "";
    };
  });
}

function updateOperation(
  id: string,
  content: string,
  version: bigint,
  idempotencyKey: string | undefined,
): Operation {
  const request = async (memories: NamespaceClient) =>
    memories.update(id, { content }, { expectedVersion: version, ...keyed(idempotencyKey) });
  const effect: Effect = {
    isIn: (state) => state.get(id)?.content === content,
    applyTo: (state) => withContent(state, id, content),
    ...(idempotencyKey === undefined ? {} : { repeat: request }),
  };
  return single(effect, request);
}

/** An update of a version that the memory never had. It must be refused and change nothing. */
function staleUpdateOperation(id: string, content: string): Operation {
  return async (memories) => {
    try {
      await memories.update(id, { content }, { expectedVersion: 1_000_000n });
    } catch (error) {
      const isStale = ConnectError.from(error).code === Code.Aborted;
      return { acknowledged: [], unknown: [], isRefused: !isStale && endOf(error) === "refused" };
    }
    throw new Error("an update of a version that the memory never had was accepted");
  };
}

function deleteOperation(id: string, idempotencyKey: string | undefined): Operation {
  const request = async (memories: NamespaceClient) => {
    if (!(await memories.delete(id, idempotencyKey)))
      throw new Error(`${id} was acknowledged and never deleted, and is missing`);
  };
  const effect: Effect = {
    isIn: (state) => !state.has(id),
    applyTo: (state) => without(state, new Set([id])),
    ...(idempotencyKey === undefined ? {} : { repeat: request }),
  };
  return single(effect, request);
}

function deleteGroupOperation(group: string, idempotencyKey: string | undefined): Operation {
  const request = async (memories: NamespaceClient) =>
    memories.deleteWhere({ filter: { tagsAny: [group] }, ...keyed(idempotencyKey) });
  const effect: Effect = {
    isIn: (state) => ![...state.values()].some((memory) => memory.group === group),
    applyTo: (state) =>
      without(
        state,
        new Set([...state].filter(([, memory]) => memory.group === group).map(([id]) => id)),
      ),
    ...(idempotencyKey === undefined ? {} : { repeat: request }),
  };
  return single(effect, request);
}

function resetOperation(idempotencyKey: string | undefined): Operation {
  const request = async (memories: NamespaceClient) => memories.reset(idempotencyKey);
  const effect: Effect = {
    isIn: (state) => state.size === 0,
    applyTo: () => new Map(),
    ...(idempotencyKey === undefined ? {} : { repeat: request }),
  };
  return single(effect, request);
}

/**
 * A request with one effect. If `send` resolves to a function, the function returns the id of the
 * added memory.
 */
function single(effect: Effect, send: (memories: NamespaceClient) => Promise<unknown>): Operation {
  return async (memories) => {
    try {
      const reply = await send(memories);
      const idOf = typeof reply === "function" ? (reply as IdOf) : unneeded;
      return { acknowledged: [{ effect, idOf }], unknown: [] };
    } catch (error) {
      return endOf(error) === "refused" ? refused : { acknowledged: [], unknown: [effect] };
    }
  };
}

const unneeded: IdOf = (content) => {
  throw new Error(`the id of '${content}' is not known`);
};

function keyed(idempotencyKey: string | undefined): { readonly idempotencyKey?: string } {
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}
