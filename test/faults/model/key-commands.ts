import fc from "fast-check";
import { expect } from "vitest";
import { commandOf, isKeyed, type ModelCommand, sendCall } from "./command.js";
import { at, type Model, noteDeletion, runCount } from "./model.js";
import type { Real } from "./real.js";

const run = fc.nat({ max: runCount - 1 });
const key = fc.constantFrom("a", "a/b", "\0", "ü", "u\u0308", "z");

const write = commandOf(
  "WriteKey",
  fc.record({ run, key, keyed: isKeyed }),
  async ({ run: of, key: name, keyed }, model, real) => {
    const value = real.word();
    const noteWritten = (created: boolean): void => {
      expect(created).toBe(!at(model.keys, of).has(name));
      at(model.keys, of).set(name, value);
    };
    const created = await sendCall(
      { model, real },
      "WriteKey",
      keyed,
      ({ idempotencyKey }) => real.run(of).write(name, value, idempotencyKey),
      { targetOf: () => `key ${of} ${name}`, redo: noteWritten },
    );
    noteWritten(created);
  },
);

const remove = commandOf(
  "DeleteKey",
  fc.record({ run, key, keyed: isKeyed }),
  async ({ run: of, key: name, keyed }, model, real) => {
    const deleted = await sendCall({ model, real }, "DeleteKey", keyed, ({ idempotencyKey }) =>
      real.run(of).delete(name, idempotencyKey),
    );
    expect(deleted).toBe(at(model.keys, of).delete(name));
    if (deleted) noteDeletion(model, `key ${of} ${name}`);
  },
);

const read = commandOf(
  "ReadKey",
  fc.record({ run, key }),
  async ({ run: of, key: name }, model, real) => {
    expect(await real.run(of).read(name)).toBe(at(model.keys, of).get(name));
  },
);

/** Compares the keys of a run with the model, in the order of their first write. */
export async function expectKeys(model: Model, real: Real, of: number): Promise<void> {
  expect(await real.run(of).list()).toEqual([...at(model.keys, of).keys()]);
}

const list = commandOf("ListKeys", fc.record({ run }), (given, model, real) =>
  expectKeys(model, real, given.run),
);

/** Commands about the keys of runs, with how often each is chosen. */
export const keyCommands: readonly fc.WeightedArbitrary<ModelCommand>[] = [
  { weight: 4, arbitrary: write },
  { weight: 2, arbitrary: remove },
  { weight: 2, arbitrary: read },
  { weight: 1, arbitrary: list },
];
