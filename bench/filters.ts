/** Does an evaluation of any filter expression take more than 5 ms? Tries random expressions. */
import { parseArgs } from "node:util";
import { createExpressionCompiler, type Expression } from "../src/core/filter/expression.js";
import { VademecumError } from "../src/core/model/errors.js";
import type { Memory } from "../src/core/model/memory.js";
import { hostileMemories } from "./filters/hostile-memories.js";
import {
  mutateExpression,
  randomExpression,
  slowExpressions,
} from "./filters/random-expression.js";
import { factor, printLine, printMachine, printTable, saveResults } from "./harness/report.js";
import { randomNumbers } from "./harness/sample-texts.js";

const usage = `Usage: npm run bench:filters -- [--count N] [--seed N]

--count: number of expressions to try, default 5,000.
--seed: seed of the random numbers, default 1.`;

const explanation = `ms: the CPU time of one evaluation. It is the best of five runs, or of a single run of at most 0.3 ms. The memories
have the largest metadata and tags, filled with what is slow to read. The first expressions are known to be slow. Half
of the others are random, half are variants of the slowest so far. The first row is plain: an ordinary expression and
memory. Steps are how the server measures and limits the work of an evaluation. refused: the evaluation needed too many
steps; the time ends at the refusal.`;

/** Longest time that an evaluation may take, in milliseconds of CPU time. */
const msMax = 5;
/** An ordinary expression. */
const plainExpression = 'importance > 0.7 && "wine" in tags';
/** Number of slowest expressions to keep and to change. */
const keptCount = 40;
/** Number of expressions to print. */
const printedCount = 15;
/** A time of at most this many milliseconds is measured only once. */
const shortMs = 0.3;
/** Evaluations of the plain expression. */
const plainRuns = 20_000;

/** One evaluation of an expression. */
interface Evaluation {
  readonly source: string;
  /** Position of the memory in `hostileMemories`. */
  readonly memory: number;
  readonly ms: number;
  readonly steps: number;
  readonly refused: boolean;
}

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "5000" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});
const compile = createExpressionCompiler();
if (values.help) printLine(usage);
else report(Number(values.count), Number(values.seed));

function report(count: number, seed: number): void {
  printMachine();
  const plain = plainEvaluation();
  const { valid, slowest } = search(count, seed);
  printTable(
    ["expression", "memory", "ms", "/ plain", "steps", "ns/step"],
    [plain, ...slowest.slice(0, printedCount)].map((evaluation) => [
      shortened(evaluation.source),
      String(evaluation.memory),
      evaluation.ms.toFixed(4),
      factor(evaluation.ms, plain.ms),
      `${evaluation.steps.toLocaleString("en")}${evaluation.refused ? " refused" : ""}`,
      ((evaluation.ms * 1e6) / evaluation.steps).toFixed(0),
    ]),
  );
  printLine();
  printLine(
    `${valid.toLocaleString("en")} of ${count.toLocaleString("en")} expressions are valid.`,
  );
  const isWithin = (slowest[0]?.ms ?? 0) <= msMax;
  printLine(`${isWithin ? "No" : "An"} evaluation takes more than ${msMax} ms.`);
  printLine(explanation);
  saveResults("filters", { seed, count, plain, slowest });
  if (!isWithin) process.exitCode = 1;
}

/** Evaluates an ordinary expression for an ordinary memory. */
function plainEvaluation(): Evaluation {
  const expression = compile(plainExpression);
  const memory = { ...(hostileMemories[0] as Memory), tags: ["wine"], metadata: {} };
  const run = () => expression.matches(memory);
  cpuMsOf(run, plainRuns);
  const ms = cpuMsOf(run, plainRuns);
  return { source: plainExpression, memory: 0, ms, steps: expression.steps, refused: false };
}

/** Tries known and random expressions, and variants of those that took the most time. */
function search(count: number, seed: number) {
  const random = randomNumbers(seed);
  const slowest: Evaluation[] = [];
  let valid = 0;
  for (let i = 0; i < count; i++) {
    const fresh = randomExpression(random);
    const kept = i % 2 === 0 ? slowest[Math.floor(random() * slowest.length)] : undefined;
    const evaluation = slowestOf(
      slowExpressions[i] ??
        (kept === undefined ? fresh : mutateExpression(random, kept.source, fresh)),
    );
    if (evaluation === undefined) continue;
    valid += 1;
    if (slowest.some(({ source }) => source === evaluation.source)) continue;
    slowest.push(evaluation);
    slowest.sort((a, b) => b.ms - a.ms).splice(keptCount);
  }
  return { valid, slowest };
}

/**
 * Evaluates an expression for each hostile memory and returns the slowest evaluation, or
 * `undefined` if the expression is invalid.
 */
function slowestOf(source: string): Evaluation | undefined {
  const expression = compiled(source);
  if (expression === undefined) return undefined;
  const evaluations = hostileMemories.map((memory, number) => {
    const ms = bestMsOf(() => isRefused(expression, memory));
    const refused = isRefused(expression, memory);
    return { source, memory: number, ms, steps: expression.steps, refused };
  });
  return evaluations.reduce((a, b) => (b.ms > a.ms ? b : a));
}

function compiled(source: string): Expression | undefined {
  try {
    return compile(source);
  } catch (error) {
    if (error instanceof VademecumError) return undefined;
    throw error;
  }
}

function isRefused(expression: Expression, memory: Memory): boolean {
  try {
    expression.matches(memory);
    return false;
  } catch (error) {
    if (error instanceof VademecumError) return true;
    throw error;
  }
}

/**
 * Returns the best CPU time of five runs in milliseconds. One run is enough if it takes at most
 * `shortMs`.
 */
function bestMsOf(run: () => unknown): number {
  const firstMs = cpuMsOf(run, 1);
  return firstMs <= shortMs
    ? firstMs
    : Math.min(firstMs, ...Array.from({ length: 4 }, () => cpuMsOf(run, 1)));
}

/** CPU time of each of several runs, in milliseconds. */
function cpuMsOf(run: () => unknown, runs: number): number {
  const start = process.cpuUsage();
  for (let i = 0; i < runs; i++) run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / runs;
}

function shortened(source: string): string {
  const oneLine = source.replace(/(.{3,}?)\1{2,}/g, "$1…");
  return oneLine.length <= 70 ? oneLine : `${oneLine.slice(0, 67)}…`;
}
