import type { Damage } from "./arena.js";
import { type Mutations, mutateShape, type Shape, sample, startingShapes } from "./shape.js";

/** The shapes that are kept and changed, for each score. */
const keptCount = 6;

/** Runs of each of the worst shapes at the end. The report has their medians. */
const finalRuns = 3;

/** A shape and what it did. */
export interface Finding extends Damage {
  readonly shape: Shape;
}

/** The worst shapes of a method, by gap and by memory. */
export interface Worst {
  readonly byGap: Finding;
  readonly byMemory: Finding;
}

/**
 * Searches for the shapes of the longest gap and of the most memory. Half of the tries are
 * starting shapes, the other tries change the worst shapes so far.
 */
export async function searchWorst(
  random: () => number,
  tries: number,
  mutations: Mutations,
  attack: (shape: Shape) => Promise<Damage>,
): Promise<Worst> {
  const gaps = new Kept(({ gapMs }) => gapMs);
  const memories = new Kept(({ memoryBytes }) => memoryBytes);
  const attempt = async (shape: Shape) => {
    const finding = { shape, ...(await attack(shape)) };
    gaps.add(finding);
    memories.add(finding);
  };
  let tried = 0;
  for (const shape of startingShapes(random, mutations)) {
    if (tried++ >= tries / 2) break;
    await attempt(shape);
  }
  for (let i = tried; i < tries; i++) {
    const { shape } = sample(random, (i % 2 === 0 ? gaps : memories).items);
    await attempt(mutateShape(random, shape, mutations));
  }
  return {
    byGap: await worstAgain(gaps, attack),
    byMemory: await worstAgain(memories, attack),
  };
}

/** The worst findings so far, worst first. */
class Kept {
  readonly items: Finding[] = [];
  readonly scoreOf: (finding: Damage) => number;

  constructor(scoreOf: (finding: Damage) => number) {
    this.scoreOf = scoreOf;
  }

  add(finding: Finding): void {
    this.items.push(finding);
    this.items.sort((a, b) => this.scoreOf(b) - this.scoreOf(a)).splice(keptCount);
  }
}

/** Repeats the kept shapes, because a garbage collection may fall into any single run. */
async function worstAgain(
  { items, scoreOf }: Kept,
  attack: (shape: Shape) => Promise<Damage>,
): Promise<Finding> {
  const medians: Finding[] = [];
  for (const { shape } of items) {
    const runs: Finding[] = [];
    for (let i = 0; i < finalRuns; i++) runs.push({ shape, ...(await attack(shape)) });
    runs.sort((a, b) => scoreOf(a) - scoreOf(b));
    medians.push(runs[finalRuns >> 1] as Finding);
  }
  return medians.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a));
}
