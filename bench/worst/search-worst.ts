import type { Damage } from "./arena.js";
import {
  describeShape,
  type Mutations,
  mutateShape,
  type Shape,
  sample,
  startingShapes,
} from "./shape.js";

/** Number of shapes that the search keeps and changes, for each score (gap and memory). */
const keptCount = 4;

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
  /** The most memory in use during any of the `keptCount` worst shapes by memory, in bytes. */
  readonly liveBytes: number;
}

/** Sends the request of a shape. */
export interface Attacks {
  /** Measures what the request does. */
  readonly attack: (shape: Shape) => Promise<Damage>;
  /** Measures the memory in use during the request, in bytes. */
  readonly liveBytes: (shape: Shape) => Promise<number>;
}

/**
 * Searches for the shapes of the longest gap and of the most memory. Up to half of the tries are
 * starting shapes. The other tries change the worst shapes so far.
 */
export async function searchWorst(
  random: () => number,
  tries: number,
  mutations: Mutations,
  { attack, liveBytes }: Attacks,
): Promise<Worst> {
  const gaps = new Kept(gapOf);
  const memories = new Kept(memoryOf);
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
  const shapes = new Set([...gaps.items, ...memories.items].map(({ shape }) => shape));
  const runs = await runAgain([...shapes], attack);
  const live: number[] = [];
  for (const { shape } of memories.items) live.push(await liveBytes(shape));
  return {
    byGap: worstOf(runs, gapOf),
    byMemory: worstOf(runs, memoryOf),
    liveBytes: Math.max(...live),
  };
}

type Score = (finding: Damage) => number;
const gapOf: Score = ({ gapMs }) => gapMs;
const memoryOf: Score = ({ memoryBytes }) => memoryBytes;

/** The worst findings so far, worst first, with one finding for each shape. */
class Kept {
  readonly items: Finding[] = [];
  readonly #scoreOf: Score;

  constructor(scoreOf: Score) {
    this.#scoreOf = scoreOf;
  }

  add(finding: Finding): void {
    const description = describeShape(finding.shape);
    if (this.items.some(({ shape }) => describeShape(shape) === description)) return;
    this.items.push(finding);
    this.items.sort((a, b) => this.#scoreOf(b) - this.#scoreOf(a)).splice(keptCount);
  }
}

/** Repeats the kept shapes, because a garbage collection may fall into any single run. */
async function runAgain(
  shapes: readonly Shape[],
  attack: (shape: Shape) => Promise<Damage>,
): Promise<readonly (readonly Finding[])[]> {
  const runs: Finding[][] = [];
  for (const shape of shapes) {
    const ofShape: Finding[] = [];
    for (let i = 0; i < finalRuns; i++) ofShape.push({ shape, ...(await attack(shape)) });
    runs.push(ofShape);
  }
  return runs;
}

/** Compares the shapes by their median runs. Returns the median run of the worst shape. */
function worstOf(runs: readonly (readonly Finding[])[], scoreOf: Score): Finding {
  const medians = runs.map(
    (ofShape) =>
      ofShape.toSorted((a, b) => scoreOf(a) - scoreOf(b))[ofShape.length >> 1] as Finding,
  );
  return medians.reduce((a, b) => (scoreOf(b) > scoreOf(a) ? b : a));
}
