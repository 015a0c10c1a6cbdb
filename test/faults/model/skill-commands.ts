import fc from "fast-check";
import { expect } from "vitest";
import { anyNumber, commandOf, isKeyed, type ModelCommand, sendCall } from "./command.js";
import { at, type Model, namespaceCount, noteDeletion, pickFrom } from "./model.js";
import type { Real } from "./real.js";

const namespace = fc.nat({ max: namespaceCount - 1 });

const store = commandOf(
  "StoreSkill",
  fc.record({ namespace, keyed: isKeyed }),
  async ({ namespace: of, keyed }, model, real) => {
    const lesson = `${real.word()} lesson`;
    const noteStored = ({
      skill,
    }: {
      readonly skill?: { readonly id: string } | undefined;
    }): void => {
      at(model.skills, of).set(skill?.id ?? "", { lesson, successes: 0 });
    };
    const stored = await sendCall(
      { model, real },
      "StoreSkill",
      keyed,
      (key) => real.skills(of).store("when it rains", lesson, key),
      { targetOf: ({ skill }) => skill?.id ?? "", redo: noteStored },
    );
    noteStored(stored);
  },
);

/**
 * Picks the id of a skill of the namespace, or of one of the first three skills of all namespaces;
 * `undefined` if there is none.
 */
function idFor(model: Model, of: number, number: number): string | undefined {
  const others = model.skills.flatMap((skills) => [...skills.keys()]);
  return pickFrom([...at(model.skills, of).keys(), ...others.slice(0, 3)], number);
}

const remove = commandOf(
  "DeleteSkill",
  fc.record({ namespace, number: anyNumber, keyed: isKeyed }),
  async ({ namespace: of, number, keyed }, model, real) => {
    const id = idFor(model, of, number);
    if (id === undefined) return;
    const deleted = await sendCall({ model, real }, "DeleteSkill", keyed, ({ idempotencyKey }) =>
      real.skills(of).delete(id, idempotencyKey),
    );
    expect(deleted).toBe(at(model.skills, of).delete(id));
    if (deleted) noteDeletion(model, id);
  },
);

const count = commandOf(
  "UpdateSuccessCount",
  fc.record({ namespace, number: anyNumber, keyed: isKeyed }),
  async ({ namespace: of, number, keyed }, model, real) => {
    const id = idFor(model, of, number);
    if (id === undefined) return;
    const { updated, successCount } = await sendCall(
      { model, real },
      "UpdateSuccessCount",
      keyed,
      (key) => real.skills(of).count(id, key),
      { targetOf: () => id },
    );
    const skill = at(model.skills, of).get(id);
    if (skill !== undefined) skill.successes += 1;
    expect([updated, Number(successCount)]).toEqual([skill !== undefined, skill?.successes ?? 0]);
  },
);

/** Compares the skills of a namespace with the model. */
export async function expectSkills(model: Model, real: Real, of: number): Promise<void> {
  const listed = await real.skills(of).list();
  const found = listed.map((skill) => [skill.id, skill.lesson, Number(skill.successCount)]);
  const expected = [...at(model.skills, of)].map(([id, skill]) => [
    id,
    skill.lesson,
    skill.successes,
  ]);
  expect(found).toEqual(expected.toReversed());
}

const list = commandOf("ListSkills", fc.record({ namespace }), (given, model, real) =>
  expectSkills(model, real, given.namespace),
);

const retrieve = commandOf(
  "RetrieveSkills",
  fc.record({ namespace, number: anyNumber }),
  async ({ namespace: of, number }, model, real) => {
    const known = at(model.skills, of);
    const id = pickFrom(known.keys(), number);
    const query = (id === undefined ? undefined : known.get(id)?.lesson) ?? "when it rains";
    const { skills } = await real.skills(of).retrieve(query, { topK: 100 });
    for (const { skill } of skills) expect(known.get(skill?.id ?? "")?.lesson).toBe(skill?.lesson);
    if (id !== undefined) expect(skills.some(({ skill }) => skill?.id === id)).toBe(true);
  },
);

/** Commands about skills, with how often each is chosen. */
export const skillCommands: readonly fc.WeightedArbitrary<ModelCommand>[] = [
  { weight: 3, arbitrary: store },
  { weight: 2, arbitrary: remove },
  { weight: 2, arbitrary: count },
  { weight: 1, arbitrary: list },
  { weight: 2, arbitrary: retrieve },
];
