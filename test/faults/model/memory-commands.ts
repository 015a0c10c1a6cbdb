import fc from "fast-check";
import { expect } from "vitest";
import {
  type Expected,
  linesOf,
  stateOf,
  withAdded,
  withContent,
  without,
} from "../load/oracle.js";
import {
  anyNumber,
  commandOf,
  expectFailure,
  isKeyed,
  type ModelCommand,
  sendCall,
} from "./command.js";
import {
  at,
  type Model,
  namespaceCount,
  noteDeletion,
  pickFrom,
  withdrawMemories,
} from "./model.js";
import type { Real } from "./real.js";

const namespace = fc.nat({ max: namespaceCount - 1 });
const group = fc.constantFrom("red", "green");

/** Returns the memories that no other memory supersedes. */
function current(memories: ReadonlyMap<string, Expected>): [string, Expected][] {
  return [...memories].filter(([, { supersededBy }]) => supersededBy === undefined);
}

/**
 * Returns the id of a memory of the namespace. If it has no memory, or `foreign` is set, returns
 * the id of a memory of another namespace; `undefined` if there is none.
 */
function idFor(model: Model, of: number, number: number, foreign: boolean): string | undefined {
  const own = foreign ? undefined : pickFrom(at(model.memories, of).keys(), number);
  const others = model.memories.flatMap((memories, i) => (i === of ? [] : [...memories.keys()]));
  return own ?? pickFrom(others, number);
}

function remove(model: Model, of: number, ids: ReadonlySet<string>): void {
  for (const id of ids) noteDeletion(model, id);
  model.memories[of] = without(at(model.memories, of), ids);
  withdrawMemories(model, of, (id) => ids.has(id));
}

/** Compares the listing of a namespace with the model: same memories, newest first. */
export async function expectMemories(model: Model, real: Real, of: number): Promise<void> {
  const listed = await real.user(of).memories.list({ includeSuperseded: true });
  const expected = at(model.memories, of);
  expect(linesOf(stateOf(listed))).toEqual(linesOf(expected));
  expect(listed.map(({ id }) => id)).toEqual([...expected.keys()].toReversed());
}

const add = commandOf(
  "Add",
  fc.record({ namespace, group, keyed: isKeyed, supersedes: fc.option(anyNumber, { freq: 3 }) }),
  async ({ namespace: of, group: tag, keyed, supersedes }, model, real) => {
    const content = `${real.word()} note`;
    const old =
      supersedes === null ? undefined : pickFrom(current(at(model.memories, of)), supersedes)?.[0];
    const replaced = old === undefined ? {} : { supersedes: old };
    const noteAdded = ({ id }: { readonly id: string }): void => {
      expect(at(model.memories, of).has(id)).toBe(false);
      const added = { content, group: tag, ...replaced };
      model.memories[of] = withAdded(at(model.memories, of), id, added);
    };
    const added = await sendCall(
      { model, real },
      "Add",
      keyed,
      (key) => real.user(of).memories.add(content, { tags: [tag], ...replaced, ...key }),
      {
        targetOf: ({ id }) => id,
        // The memory to replace may have another successor by then.
        ...(old === undefined && { redo: noteAdded }),
      },
    );
    noteAdded(added);
  },
);

const update = commandOf(
  "Update",
  fc.record({
    namespace,
    number: anyNumber,
    keyed: isKeyed,
    foreign: fc.boolean(),
    stale: fc.boolean(),
  }),
  async ({ namespace: of, number, keyed, foreign, stale }, model, real) => {
    const id = idFor(model, of, number, foreign);
    if (id === undefined) return;
    const content = `${real.word()} changed`;
    const known = at(model.memories, of).get(id);
    const expectedVersion = stale ? 99_999n : (known?.version ?? 1n);
    const send = (key: object) =>
      real.user(of).memories.update(id, { content }, { expectedVersion, ...key });
    if (known === undefined) return expectFailure(send({}), "MEMORY_NOT_FOUND");
    if (stale) return expectFailure(send({}), "VERSION_MISMATCH");
    const { memory } = await sendCall({ model, real }, "Update", keyed, send, {
      targetOf: () => id,
    });
    expect(memory).toMatchObject({ id, content, version: known.version + 1n });
    model.memories[of] = withContent(at(model.memories, of), id, content);
  },
);

const deleteOne = commandOf(
  "Delete",
  fc.record({ namespace, number: anyNumber, keyed: isKeyed, foreign: fc.boolean() }),
  async ({ namespace: of, number, keyed, foreign }, model, real) => {
    const id = idFor(model, of, number, foreign);
    if (id === undefined) return;
    const deleted = await sendCall({ model, real }, "Delete", keyed, ({ idempotencyKey }) =>
      real.user(of).memories.delete(id, idempotencyKey),
    );
    expect(deleted).toBe(at(model.memories, of).has(id));
    if (deleted) remove(model, of, new Set([id]));
  },
);

const deleteWhere = commandOf(
  "DeleteWhere",
  fc.record({ namespace, group, keyed: isKeyed, dryRun: fc.boolean() }),
  async ({ namespace: of, group: tag, keyed, dryRun }, model, real) => {
    const matches = [...at(model.memories, of)].filter(([, memory]) => memory.group === tag);
    const { deleted } = await sendCall({ model, real }, "DeleteWhere", keyed && !dryRun, (key) =>
      real.user(of).memories.deleteWhere({ filter: { tagsAny: [tag] }, dryRun, ...key }),
    );
    expect(deleted).toBe(BigInt(matches.length));
    if (!dryRun) remove(model, of, new Set(matches.map(([id]) => id)));
  },
);

const get = commandOf(
  "Get",
  fc.record({ namespace, number: anyNumber, foreign: fc.boolean() }),
  async ({ namespace: of, number, foreign }, model, real) => {
    const id = idFor(model, of, number, foreign);
    if (id === undefined) return;
    const known = at(model.memories, of).get(id);
    const reading = real.user(of).memories.get(id);
    if (known === undefined) return expectFailure(reading, "MEMORY_NOT_FOUND");
    expect(linesOf(stateOf([await reading]))).toEqual(linesOf(new Map([[id, known]])));
  },
);

const getAll = commandOf("GetAll", fc.record({ namespace }), ({ namespace: of }, model, real) =>
  expectMemories(model, real, of),
);

const count = commandOf(
  "Count",
  fc.record({ namespace, group: fc.option(group) }),
  async ({ namespace: of, group: tag }, model, real) => {
    const filter = tag === null ? {} : { tagsAny: [tag] };
    const matches = current(at(model.memories, of)).filter(
      ([, memory]) => tag === null || memory.group === tag,
    );
    expect(await real.user(of).memories.count({ filter })).toBe(BigInt(matches.length));
  },
);

const search = commandOf(
  "Search",
  fc.record({ namespace, number: anyNumber, foreign: fc.boolean() }),
  async ({ namespace: of, number, foreign }, model, real) => {
    const id = idFor(model, of, number, foreign);
    const all = model.memories.flatMap((memories) => [...memories]);
    const query = all.find(([known]) => known === id)?.[1].content ?? "nothing";
    const { hits } = await real.user(of).memories.search(query, { limit: 1000 });
    const own = new Map(current(at(model.memories, of)));
    for (const { memory } of hits)
      expect(own.get(memory?.id ?? "")?.content ?? "not in the model").toBe(memory?.content);
    if (id !== undefined && own.has(id)) expect(hits[0]?.memory?.id).toBe(id);
  },
);

const reset = commandOf(
  "Reset",
  fc.record({ namespace, keyed: isKeyed }),
  async ({ namespace: of, keyed }, model, real) => {
    const { size } = at(model.memories, of);
    const deleted = await sendCall({ model, real }, "Reset", keyed, ({ idempotencyKey }) =>
      real.user(of).memories.reset(idempotencyKey),
    );
    expect(deleted).toBe(BigInt(size));
    for (const id of at(model.memories, of).keys()) noteDeletion(model, id);
    model.memories[of] = new Map();
    for (const id of at(model.skills, of).keys()) noteDeletion(model, id);
    at(model.skills, of).clear();
    withdrawMemories(model, of, () => true);
  },
);

/** Commands about memories, with how often each is chosen. */
export const memoryCommands: readonly fc.WeightedArbitrary<ModelCommand>[] = [
  { weight: 12, arbitrary: add },
  { weight: 5, arbitrary: update },
  { weight: 5, arbitrary: deleteOne },
  { weight: 1, arbitrary: deleteWhere },
  { weight: 3, arbitrary: get },
  { weight: 3, arbitrary: getAll },
  { weight: 2, arbitrary: count },
  { weight: 6, arbitrary: search },
  { weight: 1, arbitrary: reset },
];
