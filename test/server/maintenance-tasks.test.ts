import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { Call } from "../../src/core/ports/call.js";
import type { Meter } from "../../src/core/ports/meter.js";
import type { Prunable } from "../../src/core/pruning/prunable.js";
import { createPruner } from "../../src/core/pruning/pruner.js";
import { startMaintenanceTasks } from "../../src/server/maintenance-tasks.js";
import { notedPrunable } from "../../src/server/noted-prunable.js";
import { createManualTimer } from "./manual-timer.js";

const dayMs = 24 * 60 * 60 * 1000;

/** Starts maintenance of some kinds of records, and collects its log. */
function maintain(...prunables: readonly Prunable[]) {
  const logged: Record<string, unknown>[] = [];
  const log = pino(
    { base: null },
    { write: (line: string) => logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const figures: unknown[][] = [];
  const meter: Meter = (...figure) => void figures.push(figure);
  const timer = createManualTimer();
  const tasks = startMaintenanceTasks({
    pruner: createPruner(
      prunables.map((prunable) => notedPrunable(prunable, log, meter)),
      async () => undefined,
      { refusal: () => undefined, confirm: () => undefined },
    ),
    timer,
    log,
  });
  return { tasks, timer, logged, figures };
}

/** Creates a kind of records that lists its calls. Call number N reports N removed records. */
function recordingPrunable(name: string) {
  const calls: boolean[] = [];
  const pruneAll = async (_call: Call, dryRun: boolean): Promise<number> => calls.push(dryRun);
  return { name, pruneAll, calls };
}

const failing: Prunable = {
  name: "failing",
  pruneAll: () => Promise.reject(new Error("the disk is on fire")),
};

describe("maintenance", () => {
  it("maintenance prunes immediately, and again a day after each round", async () => {
    const skills = recordingPrunable("skills");
    const { tasks, timer } = maintain(skills);
    await tasks.idle();
    expect(skills.calls).toEqual([false]);
    expect(timer.waiting).toEqual([dayMs]);
    timer.pass(dayMs - 1);
    await tasks.idle();
    expect(skills.calls).toHaveLength(1);
    timer.pass(1);
    await tasks.idle();
    expect(skills.calls).toEqual([false, false]);
    expect(timer.waiting).toEqual([dayMs]);
    tasks.stop();
  });

  it("maintenance logs removed records, and logs nothing if nothing was removed", async () => {
    const none: Prunable = { name: "none", pruneAll: async () => 0 };
    const { tasks, logged, figures } = maintain(none, recordingPrunable("skills"));
    await tasks.idle();
    expect(logged).toMatchObject([{ msg: "pruned", records: "skills", removed: 1 }]);
    expect(figures).toEqual([["prunedRecords", 1, "skills"]]);
    tasks.stop();
  });

  it("maintenance prunes the other kinds when one fails, and tries that kind again the next day", async () => {
    const skills = recordingPrunable("skills");
    const { tasks, timer, logged } = maintain(failing, skills);
    await tasks.idle();
    timer.pass(dayMs);
    await tasks.idle();
    expect(skills.calls).toHaveLength(2);
    expect(logged.filter(({ level }) => level === 50)).toMatchObject([
      { records: "failing" },
      { records: "failing" },
    ]);
    tasks.stop();
  });

  it("maintenance starts no round after it was stopped", async () => {
    const skills = recordingPrunable("skills");
    const { tasks, timer } = maintain(skills);
    await tasks.idle();
    tasks.stop();
    expect(timer.waiting).toEqual([]);
  });

  it("stopping maintenance ends a running round at its next step, without an error in the log", async () => {
    let proceed: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const stepping: Prunable = {
      name: "stepping",
      async pruneAll(call) {
        for (;;) {
          await gate;
          call.throwIfEnded();
        }
      },
    };
    const later = recordingPrunable("later");
    const { tasks, timer, logged } = maintain(stepping, later);
    tasks.stop();
    proceed();
    await tasks.idle();
    expect(later.calls).toEqual([]);
    expect(timer.waiting).toEqual([]);
    expect(logged).toEqual([]);
  });
});
